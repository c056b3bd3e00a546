// What names mean inside an event: its fields, groups, attributes, properties.
#pragma once

#include "tests/oracle/expression.h"

namespace attr::oracle {

/// One record on its way to a row of one event.
struct Candidate {
  const Event* event = nullptr;
  const model::Observation* record = nullptr;
  const Row* parent = nullptr;
  std::map<std::string, std::optional<std::string>> captures;  // by group; not taken part: nullopt
};

Value ReadAttribute(World& world, const Candidate& candidate, const std::string& path, Type type, int64_t unit);
Value ReadProperty(World& world, const Candidate& candidate, const std::string& name, Type type, int64_t unit);
Value ReadGroup(World& world, const Candidate& candidate, const std::string& group, Type type, int64_t unit);

/// The candidates that the record's text gives: none, one, or one for each match of `each`.
std::vector<Candidate> MatchTexts(World& world, const Candidate& start);
// standing_rows.cc
std::vector<Row> StandingRows(World& world, const Event& event);
// folding.cc, windows.cc: lines to what an event makes of them
std::vector<Row> FoldEvent(World& world, const Event& event, const std::vector<Row>& lines);
std::vector<Row> FoldWindows(World& world, const Event& event, const std::vector<Row>& lines);
/// Does some part of the expression ask for an aggregate of a window?
bool AsksWindow(const syntax::Expr& expr);
/// A column of a row: node, rank, gpu, else a field.
Value ColumnOf(const Row& row, const std::string& name);

class EventScope : public Scope {
 public:
  EventScope(World& world, const Candidate& candidate, const Row& row)
      : world_(world), candidate_(candidate), row_(row) {}
  bool Knows(const syntax::RefExpr& ref) const override;
  bool Adaptive(const syntax::RefExpr& ref) const override;
  Operand Read(const syntax::RefExpr& ref, std::optional<Type> hint) const override;
  std::optional<Operand> PlaceOf(const std::string&, Type) const override { return std::nullopt; }

 private:
  World& world_;
  const Candidate& candidate_;
  const Row& row_;
};

}  // namespace attr::oracle

// Derived columns: table look-ups, regexes on text (once per distinct text) and
// expressions.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "runtime/eval/tables.h"
#include "runtime/match/lazy_regex.h"

namespace attr::match {

class DerivedColumns {
 public:
  explicit DerivedColumns(eval::Context& context) : context_(context) {}
  /// Fills one derived column over all rows, phantoms included.
  void Fill(const plan::Event& event, size_t derived, eval::Table& table);
  /// The columns that need every text of the evaluation: when all events are there.
  void FillRanks(const plan::Event& event, eval::Table& table);
  /// The first pattern that did not compile; empty: none.
  std::string error() const;

 private:
  /// Rows of a plan table by key.
  struct Index {
    std::vector<int64_t> keys;  // rows x key columns, ids resolved
    std::unordered_multimap<uint64_t, uint32_t> rows;
  };
  /// Answers by dictionary id: unknown, no, yes.
  struct Memo {
    std::unique_ptr<LazyRegex> regex;
    std::vector<int8_t> answers;
  };
  const Index& IndexOf(uint32_t table);
  int64_t Cell(const plan::TableColumn& column, size_t row) const;
  static uint32_t Find(const Index& index, const std::vector<int64_t>& key);
  eval::Column Lookup(const plan::Derived& derived, const eval::Table& table);
  eval::Column TextLess(const plan::Derived& derived, const eval::Table& table);
  eval::Column Member(const plan::Derived& derived, const eval::Table& table);
  eval::Column SetSpan(const plan::Derived& derived, const eval::Table& table);
  /// Where the constants hold the elements of this set.
  int64_t SpanOf(plan::Type set, int64_t id);
  eval::Column Regex(const plan::Derived& derived, const eval::Table& table);
  eval::Column Label(const plan::Derived& derived, const eval::Table& table);
  const std::unordered_map<int64_t, int64_t>& LabelsOf(plan::StrId label);

  eval::Context& context_;
  std::unordered_map<uint32_t, Index> indices_;
  std::unordered_map<plan::StrId, Memo> regexes_;
  std::unordered_map<plan::StrId, std::unordered_map<int64_t, int64_t>> labels_;  // by label: node to text
  std::unordered_map<int64_t, int64_t> spans_[4];                                 // by kind of set and dictionary id
  std::vector<uint32_t> ranks_;                                                   // by dictionary id
};

}  // namespace attr::match

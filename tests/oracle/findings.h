// Rules to findings, findings to edges: nested loops over rows, nothing clever
// (semantics.md S2, S6, S9, S10).
#pragma once

#include "tests/oracle/expression.h"

namespace attr::oracle {

/// Names in a rule: its bindings, each on one row.
class RuleScope : public Scope {
 public:
  struct Bound {
    std::string name;
    uint32_t event = kNone;
    const Row* row = nullptr;  // null: every field is missing
  };
  RuleScope(const Pack& pack, std::vector<Bound> bound, bool bare_places)
      : pack_(pack), bound_(std::move(bound)), bare_places_(bare_places) {}
  void Add(Bound bound) { bound_.push_back(std::move(bound)); }
  void Drop() { bound_.pop_back(); }
  void Put(size_t index, const Row* row) { bound_[index].row = row; }
  const std::vector<Bound>& bound() const { return bound_; }

  bool Knows(const syntax::RefExpr& ref) const override;
  bool Adaptive(const syntax::RefExpr&) const override { return false; }
  Operand Read(const syntax::RefExpr& ref, std::optional<Type> hint) const override;
  std::optional<Operand> PlaceOf(const std::string& binding, Type type) const override;
  const Row* RowNamed(const std::string& binding) const override;

 private:
  const Pack& pack_;
  std::vector<Bound> bound_;
  bool bare_places_;
};

/// Time relations of `right` to `left` (S3, S10).
Bits After(const Span& left, const Span& right);
Bits Before(const Span& left, const Span& right);
/// Some moment of right lies in [left.begin - before, left.end + after].
Bits Within(const Span& left, const Span& right, int64_t before, int64_t after);
/// Begin or end of B lies in [A.begin - lead, A.end + within].
Bits DemotesInTime(const Span& a, const Span& b, std::optional<int64_t> within, int64_t lead);

struct Member {
  const Row* row = nullptr;
  Bits bits;
};
/// A binding of the rule, over all its alternatives.
struct Slot {
  std::string name;
  uint32_t event = kNone;
  bool optional = false;  // bound by `with`: shown and blamed, decides nothing
  bool first = false;     // the first binding of some alternative
};
struct Finding {
  uint32_t rule = 0;
  Bits bits;
  bool event_bound = false;
  std::vector<Value> keys;
  std::vector<std::vector<Member>> members;  // by slot, canonical order; phantoms too
  model::Moment begin, end;
  Span span;                             // begin and end again, with the clocks
  std::vector<std::string> nodes, gpus;  // natural order
  std::vector<int64_t> ranks;
  std::vector<std::pair<std::string, std::string>> gpu_places;  // gpu, node
  std::vector<std::string> blamed_nodes, blamed_gpus;
  bool place_open = false;
  std::vector<std::string> open_places;
  std::set<Gap> gaps;
};
struct Edge {
  uint32_t from = 0, to = 0, demotion = 0;
  Bits bits;
};
/// Something that closes a finding, and whether it does.
struct Closing {
  Span span;
  Bits bits;
};
struct LimitHit {
  uint32_t rule = 0;
  std::string name;
  uint64_t value = 0, bound = 0;
};
struct Findings {
  std::vector<Finding> findings;
  std::vector<Edge> edges;
  std::vector<std::vector<Closing>> closings;  // by finding
  std::vector<LimitHit> limits;
  std::vector<std::vector<Slot>> slots;  // by rule
  std::vector<std::vector<Finding>> of;  // by rule, while they are looked for
};

/// Members that are presumed; those that may be when none is. Never phantoms.
std::vector<const Row*> SeenOf(const std::vector<Member>& members);
uint64_t CountOf(const std::vector<Member>& members);
/// Of the first bindings of all alternatives, each event once.
std::vector<Member> FirstOf(const std::vector<Slot>& slots, const std::vector<std::vector<Member>>& members);

Findings Find(World& world);

struct Terminal {
  std::string state = "unknown";  // nominal
  std::set<std::string> possible;
  std::vector<uint32_t> unknown_before;  // outcome rules
};
std::vector<Bits> OutcomeBits(const Pack& pack, const Findings& found);  // by rule
Terminal TerminalOf(const Pack& pack, const std::vector<Bits>& outcome);
// stalled.cc: the finding of an outcome that asks for no event; nullopt: it is not so.
std::optional<Finding> FindStalled(World& world, uint32_t rule);
// finding_rows.cc
std::vector<Slot> SlotsOf(const Rule& rule);
/// `number`: which one of its rule.
Row RowOfFinding(World& world, const std::vector<Slot>& slots, const Finding& finding, uint32_t number);
std::vector<Row> RowsOfFindings(World& world, const Findings& found, const Event& event);

// having.cc
Bits Having(World& world, const Rule& rule, const std::vector<Slot>& slots, const syntax::Expr& having,
            const std::vector<std::vector<Member>>& members);
// extremes.cc: narrows the members; returns what is left of the bindings that are named.
Bits NarrowToExtremes(World& world, const Rule& rule, const std::vector<Slot>& slots,
                      std::vector<std::vector<Member>>* members);
// silence.cc
std::vector<std::set<const Row*>> SplitBySilence(const std::set<const Row*>& rows, int64_t gap);
/// Could no row of the key be of another part than it is?
bool SurelyOnePart(const std::set<const Row*>& part, const std::set<const Row*>& all, int64_t gap);
// closing.cc: what closes each finding (S8).
void FindClosings(World& world, Findings* findings);
// edges.cc
/// One end of an edge or a preference: a finding under a name of its own, as a row.
Bits OverMembers(World& world, uint32_t pack, const syntax::Expr& condition, const Findings& found, uint32_t finding,
                 std::vector<RuleScope::Bound> bound);
void DrawEdges(World& world, Findings* findings);

}  // namespace attr::oracle

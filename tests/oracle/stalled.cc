// `outcome hung when stalled(e, D)`: no e for D after the last one, or after the
// start, inside the attempt; an absence of the `unless` kind (semantics.md S5).
#include <algorithm>
#include <stdexcept>

#include "tests/oracle/findings.h"
#include "tests/oracle/joined.h"

namespace attr::oracle {

namespace {

class StalledReader {
 public:
  StalledReader(World& world, uint32_t pack) : world_(world), pack_(pack) {}

  Bits Condition(const syntax::Expr& expr) {
    return Joined(expr, false, [this](const syntax::Expr& leaf, bool negated) {
      const auto* call = std::get_if<syntax::CallExpr>(&leaf.node);
      if (call == nullptr || call->callee.text != "stalled") throw std::runtime_error("an outcome of an expression");
      const Bits bits = Stalled(*call);
      return negated ? Not(bits) : bits;
    });
  }
  const std::set<Gap>& gaps() const { return gaps_; }

 private:
  Bits Stalled(const syntax::CallExpr& call) {
    const auto& ref = std::get<syntax::RefExpr>(call.arguments[0]->node);
    std::string name;
    for (const syntax::Name& part : ref.parts) name += (name.empty() ? "" : ".") + part.text;
    const uint32_t event = world_.pack.FindEvent(pack_, {ref.pack, name, {}});
    const int64_t d = DurationOf(*call.arguments[1]);
    const model::Moment &start = world_.set.attempt.start, &end = world_.set.attempt.end;
    if (end.Unknown() || start.Unknown()) return kUnknown;
    // The last e, were all of them as late, or as early, as they can be.
    int64_t latest = start.hi, earliest = start.lo;
    for (const Row& row : world_.rows[event]) {
      latest = std::max(latest, std::min(row.span.end_hi, end.hi));
      if (!row.IsPhantom()) earliest = std::max(earliest, row.span.end_lo);
      if (row.IsPhantom() && row.span.end_hi + d > end.lo) gaps_.insert(row.gaps.begin(), row.gaps.end());
    }
    const bool may = earliest + d <= end.hi;
    return {latest + d <= end.lo, may, may};
  }

  int64_t DurationOf(const syntax::Expr& expr) const {
    if (const auto* literal = std::get_if<syntax::Literal>(&expr.node)) return LiteralValue(*literal).number;
    const auto& ref = std::get<syntax::RefExpr>(expr.node);
    return LiteralValue(*world_.pack.FindConstant(pack_, ref.pack, ref.parts[0].text)).number;
  }

  World& world_;
  uint32_t pack_;
  std::set<Gap> gaps_;
};

}  // namespace

std::optional<Finding> FindStalled(World& world, uint32_t index) {
  const Rule& rule = world.pack.rules[index];
  StalledReader reader(world, rule.pack);
  Finding out;
  out.rule = index;
  out.bits = reader.Condition(*rule.when_expr);
  if (!out.bits.may) return std::nullopt;
  out.event_bound = out.bits.presumed;
  if (!out.bits.must) out.gaps = reader.gaps();
  return out;
}

}  // namespace attr::oracle

// `closed by e [same …] [where …] [after D]`: repaired, or outlived (semantics.md S8).
#include <algorithm>
#include <stdexcept>

#include "tests/oracle/findings.h"

namespace attr::oracle {

namespace {

template <class T>
Bits StandsOn(const std::vector<T>& places, const std::optional<T>& place) {
  if (places.empty() || !place) return kUndecided;
  return Known(std::find(places.begin(), places.end(), *place) != places.end());
}

class ClosingFinder {
 public:
  ClosingFinder(World& world, Findings* all) : world_(world), all_(*all) {}

  std::vector<Closing> Of(uint32_t finding) {
    std::vector<Closing> out;
    const Rule& rule = world_.pack.rules[all_.findings[finding].rule];
    if (!all_.findings[finding].event_bound) return out;
    for (const syntax::ClosedBy* clause : rule.closed_by) {
      const uint32_t event = world_.pack.FindEvent(rule.pack, clause->event);
      for (const Row& row : world_.rows[event]) {
        const Bits bits = Closes(finding, *clause, event, row);
        if (bits.may) out.push_back({row.span, bits});
      }
    }
    return out;
  }

 private:
  Bits Closes(uint32_t index, const syntax::ClosedBy& clause, uint32_t event, const Row& row) {
    const Finding& finding = all_.findings[index];
    const Rule& rule = world_.pack.rules[finding.rule];
    Bits bits = And(row.bits, LaterThan(finding, clause, rule.pack, row));
    for (const syntax::Name& field : clause.same) bits = And(bits, Same(finding, rule, field.text, row));
    if (clause.where && bits.may) {
      const std::string name = clause.binding ? clause.binding->text : "";
      bits = And(bits, OverMembers(world_, rule.pack, *clause.where, all_, index, {{name, event, &row}}));
    }
    return bits;
  }

  /// At least D after the finding's end, tolerance added.
  Bits LaterThan(const Finding& finding, const syntax::ClosedBy& clause, uint32_t pack, const Row& row) {
    Span end = finding.span;
    const int64_t d = clause.after ? world_.pack.Duration(pack, *clause.after) : 0;
    end.begin_lo = end.end_lo <= kBeforeAll ? kBeforeAll : end.end_lo + d;
    end.begin_hi = end.end_hi >= kAfterAll ? kAfterAll : end.end_hi + d;
    return After(end, row.span);
  }

  Bits Same(const Finding& finding, const Rule& rule, const std::string& name, const Row& row) {
    for (size_t k = 0; k < rule.keys.size(); ++k) {
      if (rule.keys[k].first != name) continue;
      const Value& key = finding.keys[k];
      const Value other = ValueOf(row, name, key.type);
      if (key.present && other.present) return Known(Order(key, other) == 0);
      return IsPlace(key.type) ? kUndecided : kUnknown;
    }
    if (name == "node") return StandsOn(finding.nodes, TextOf(row.node));
    if (name == "gpu") return StandsOn(finding.gpus, TextOf(row.gpu));
    if (name == "rank") {
      return StandsOn(finding.ranks, row.rank.present ? std::optional(row.rank.number) : std::nullopt);
    }
    throw std::runtime_error("`closed by … same " + name + "`, which is no key");
  }

  static std::optional<std::string> TextOf(const Value& value) {
    return value.present ? std::optional(value.text) : std::nullopt;
  }
  static Value ValueOf(const Row& row, const std::string& name, Type type) {
    if (name == "node") return row.node;
    if (name == "gpu") return row.gpu;
    if (name == "rank") return row.rank;
    const auto it = row.fields.find(name);
    return it == row.fields.end() ? Missing(type) : it->second;
  }

  World& world_;
  Findings& all_;
};

}  // namespace

void FindClosings(World& world, Findings* all) {
  for (uint32_t f = 0; f < all->findings.size(); ++f) all->closings.push_back(ClosingFinder(world, all).Of(f));
}

}  // namespace attr::oracle

// What a rule says of its groups: `gap`, extremes, aggregates in `having`.
#include <fmt/format.h>

#include "tests/oracle/fuzz/generator.h"

namespace attr::oracle {

namespace {

using Bindings = std::vector<std::pair<std::string, uint32_t>>;

class GroupMaker {
 public:
  GroupMaker(Gen* gen, const Bindings& bindings) : gen_(*gen), r_(gen->random), bindings_(bindings) {}

  std::string Extreme() {
    const auto& binding = r_.Of(bindings_);
    const std::string by = Ordered(binding);
    if (by.empty() || r_.Chance(50)) return r_.Word({"earliest ", "latest "}) + binding.first;
    return r_.Word({"least ", "most "}) + binding.first + " by " + by;
  }

  std::string Having() {
    std::string out = Comparison();
    if (r_.Chance(25)) out = "not (" + out + ")";
    if (r_.Chance(25)) out += r_.Word({" or ", " and "}) + Comparison();
    return out;
  }

 private:
  std::string Operator() { return r_.Word({"==", "!=", "<", "<=", ">", ">="}); }

  /// `x.f` of this type, or "".
  std::string FieldOf(const std::pair<std::string, uint32_t>& binding, Type type) {
    for (const GenField& field : gen_.events[binding.second].fields) {
      if (field.type == type && r_.Chance(70)) return binding.first + "." + field.name;
    }
    return "";
  }

  /// A value that has an order.
  std::string Ordered(const std::pair<std::string, uint32_t>& binding) {
    for (const Type type : {Type::kFloat, Type::kDuration, Type::kSize, Type::kTime, Type::kInt}) {
      if (!r_.Chance(50)) continue;
      const std::string field = FieldOf(binding, type);
      if (!field.empty()) return field;
    }
    return r_.Chance(60) ? binding.first + r_.Word({".rank", ".begin", ".end"}) : "";
  }

  std::string Distinct(const std::pair<std::string, uint32_t>& binding) {
    const auto& fields = gen_.events[binding.second].fields;
    const std::string& x = binding.first;
    if (fields.empty() || r_.Chance(30)) return "distinct(" + x + r_.Word({".node", ".gpu", ".rank", ".begin"}) + ")";
    return fmt::format("distinct({}.{})", x, r_.Of(fields).name);
  }

  std::string Comparison() {
    const auto& binding = r_.Of(bindings_);
    const auto& other = r_.Of(bindings_);
    const std::string& x = binding.first;
    switch (r_.Below(9)) {
      case 0:
        return fmt::format("{} {} {}", Distinct(binding), Operator(), r_.Below(4));
      case 1:
        return fmt::format("{}({}) {} 2026-01-01T12:00:{}Z", r_.Word({"first", "last"}), x, Operator(),
                           r_.Word({"10", "20", "40"}));
      case 2:
        return fmt::format("(span({}) {} {})", x, Operator(), r_.Word({"0s", "5s", "20s"}));
      case 3:
        return fmt::format("share({}) {} {}", x, Operator(), r_.Word({"0.0", "0.5", "0.4", "1.0"}));
      case 4:
        return fmt::format("count({}) {} {}", x, Operator(), Distinct(other));
      case 5:
        return fmt::format("first({}) {} last({})", x, Operator(), other.first);
      default:
        return OfValue(binding, other);
    }
  }

  std::string OfValue(const std::pair<std::string, uint32_t>& binding, const std::pair<std::string, uint32_t>& other) {
    const std::pair<Type, std::vector<std::string>> kinds[] = {
        {Type::kInt, {"0", "1", "2", "3", "two"}},  {Type::kFloat, {"0.3", "0.0", "3.0"}},
        {Type::kDuration, {"2s", "1500ms", "70s"}}, {Type::kSize, {"1KiB", "3MiB"}},
        {Type::kTime, {"2026-01-01T12:00:20Z"}},
    };
    for (const auto& [type, literals] : kinds) {
      if (r_.Chance(25)) continue;
      const std::string field = FieldOf(binding, type);
      if (field.empty()) continue;
      const bool sums = type != Type::kTime;
      const std::string left = fmt::format("{}({})", r_.Word({"min", "max", sums ? "sum" : "max"}), field);
      const std::string second = FieldOf(other, type);
      if (second.empty() || r_.Chance(65)) return fmt::format("{} {} {}", left, Operator(), r_.Of(literals));
      return fmt::format("{} {} {}({})", left, Operator(), r_.Word({"min", "max"}), second);
    }
    return fmt::format("{}({}.rank) {} {}", r_.Word({"min", "max"}), binding.first, Operator(), r_.Below(4));
  }

  Gen& gen_;
  Random& r_;
  const Bindings& bindings_;
};

}  // namespace

std::string MakeExtreme(Gen* gen, const Bindings& bindings) { return GroupMaker(gen, bindings).Extreme(); }
std::string MakeHaving(Gen* gen, const Bindings& bindings) { return GroupMaker(gen, bindings).Having(); }

}  // namespace attr::oracle

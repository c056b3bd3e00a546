// Type names and units, and how messages speak of types.
#include <array>

#include "compiler/sema/context.h"
#include "fmt/format.h"

namespace attr::sema {

namespace {

using plan::Type;

struct Unit {
  std::string_view name;
  int64_t value;
};
constexpr int64_t kKi = 1024;
constexpr std::array<Unit, 7> kDurationUnits = {{{"ns", 1},
                                                 {"us", 1'000},
                                                 {"ms", 1'000'000},
                                                 {"s", plan::kSecond},
                                                 {"m", 60 * plan::kSecond},
                                                 {"h", 3600 * plan::kSecond},
                                                 {"d", 86'400 * plan::kSecond}}};
constexpr std::array<Unit, 9> kSizeUnits = {{{"B", 1},
                                             {"KiB", kKi},
                                             {"MiB", kKi* kKi},
                                             {"GiB", kKi* kKi* kKi},
                                             {"TiB", kKi* kKi* kKi* kKi},
                                             {"KB", 1'000},
                                             {"MB", 1'000'000},
                                             {"GB", 1'000'000'000},
                                             {"TB", 1'000'000'000'000}}};
constexpr std::array<Unit, 4> kTimeUnits = {
    {{"epoch", plan::kSecond}, {"epoch_ms", 1'000'000}, {"epoch_us", 1'000}, {"epoch_ns", 1}}};

template <size_t N>
int64_t FindUnit(const std::array<Unit, N>& units, std::string_view name, std::vector<std::string_view>* names) {
  for (const Unit& unit : units) {
    if (unit.name == name) return unit.value;
    names->push_back(unit.name);
  }
  return 0;
}

}  // namespace

std::string Article(Type type) { return fmt::format("{} {}", type == Type::kInt ? "an" : "a", plan::Name(type)); }

std::optional<ResolvedType> ResolveType(Context& context, const syntax::TypeRef& type) {
  ResolvedType resolved;
  resolved.optional = type.optional;
  bool known = false;
  std::vector<std::string_view> names;
  for (uint8_t i = 0; i < plan::kTypeCount && !plan::IsSet(static_cast<Type>(i)); ++i) {
    names.push_back(plan::Name(static_cast<Type>(i)));
    if (names.back() != type.name) continue;
    known = true;
    resolved.type = static_cast<Type>(i);
  }
  if (!known) {
    context.Error(Code::kUnknownType, type.span, fmt::format("unknown type `{}`", type.name), "",
                  DidYouMean(type.name, names));
    return std::nullopt;
  }
  if (type.set) {
    for (uint8_t i = 0; i < plan::kTypeCount; ++i) {
      const auto set = static_cast<Type>(i);
      if (!plan::IsSet(set) || plan::ElementOf(set) != resolved.type) continue;
      resolved.type = set;
      return resolved;
    }
    context.Error(Code::kNoSetOf, type.span, fmt::format("there are no sets of `{}`", type.name));
    return std::nullopt;
  }
  if (type.unit.empty()) return resolved;
  names.clear();
  resolved.unit = 0;
  if (resolved.type == Type::kDuration) resolved.unit = FindUnit(kDurationUnits, type.unit, &names);
  if (resolved.type == Type::kSize) resolved.unit = FindUnit(kSizeUnits, type.unit, &names);
  if (resolved.type == Type::kTime) resolved.unit = FindUnit(kTimeUnits, type.unit, &names);
  if (resolved.unit != 0) return resolved;
  context.Error(Code::kUnknownType, type.span, fmt::format("`{}` has no unit `{}`", type.name, type.unit), "",
                names.empty() ? fmt::format("`{}` takes no unit; `duration`, `size` and `time` do", type.name)
                              : fmt::format("units: {}", fmt::join(names, ", ")));
  return std::nullopt;
}

}  // namespace attr::sema

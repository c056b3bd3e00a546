// The generic half of the plan: what comes from each struct's `Fields` alone.
// Equality, a description of the layout, and the list of the plan's parts.
// Writing and reading bytes is runtime/pack, text for people is dump.h.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/plan/plan.h"

namespace attr::plan {

/// A struct that says what it consists of.
template <class T>
concept Described = requires(T& t) {
  T::Fields(t, [](auto&...) {});
};

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};

/// Every part of a plan in the order of the pack's sections: f(name, part).
template <class P, class F>
void ForEachPart(P& plan, F&& f) {
  f("meta", plan.meta);
  f("strings", plan.strings);
  f("constants", plan.constants);
  f("ranges", plan.ranges);
  f("sets", plan.sets);
  f("exprs", plan.exprs);
  f("sources", plan.sources);
  f("domains", plan.domains);
  f("tables", plan.tables);
  f("events", plan.events);
  f("rules", plan.rules);
  f("demotions", plan.demotions);
  f("order", plan.order);
  f("ambiguity", plan.ambiguity);
  f("preferences", plan.preferences);
}

template <class T>
bool Equal(const T& a, const T& b) {
  if constexpr (IsVector<T>::value) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
      if (!Equal(a[i], b[i])) return false;
    }
    return true;
  } else if constexpr (Described<T>) {
    bool equal = true;
    T::Fields(a, [&](const auto&... x) { T::Fields(b, [&](const auto&... y) { equal = (Equal(x, y) && ...); }); });
    return equal;
  } else {
    return a == b;
  }
}

/// Same strings, same indices: equal plans give equal packs.
inline bool EqualPlans(const Plan& a, const Plan& b) {
  std::vector<const void*> parts;
  ForEachPart(b, [&](const char*, const auto& part) { parts.push_back(&part); });
  bool equal = true;
  size_t i = 0;
  ForEachPart(a, [&]<class T>(const char*, const T& part) {
    equal = equal && Equal(part, *static_cast<const T*>(parts[i]));
    ++i;
  });
  return equal;
}

/// The layout of a type as text: "(u4,[(e,u4)])". Two builds that differ in it
/// cannot read each other's packs.
template <class T>
void DescribeLayout(std::string* out) {
  if constexpr (IsVector<T>::value) {
    *out += '[';
    DescribeLayout<typename T::value_type>(out);
    *out += ']';
  } else if constexpr (Described<T>) {
    const T sample{};
    char separator = '(';
    T::Fields(sample,
              [&]<class... M>(const M&...) { ((*out += separator, separator = ',', DescribeLayout<M>(out)), ...); });
    *out += ')';
  } else if constexpr (std::is_same_v<T, std::string>) {
    *out += 's';
  } else if constexpr (std::is_same_v<T, bool>) {
    *out += 'b';
  } else if constexpr (std::is_enum_v<T>) {
    *out += 'e';
  } else {
    static_assert(std::is_integral_v<T>);
    *out += std::is_signed_v<T> ? 'i' : 'u';
    *out += std::to_string(sizeof(T));
  }
}

}  // namespace attr::plan

#include "runtime/base/fold_names.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "runtime/base/interner.h"

namespace attr {

namespace {

struct Numbered {
  std::string_view prefix;
  std::string_view digits;
  uint64_t number = 0;
  bool ok = false;
};

// More than 15 digits are a name, not a number.
Numbered Split(std::string_view name) {
  size_t at = name.size();
  while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9') --at;
  Numbered out{name.substr(0, at), name.substr(at)};
  out.ok = !out.digits.empty() && out.digits.size() <= 15;
  if (out.ok) {
    for (char c : out.digits) out.number = out.number * 10 + static_cast<uint64_t>(c - '0');
  }
  return out;
}

// "n09" and "n10" follow each other, "n9" and "n010" do not.
bool Follows(const Numbered& a, const Numbered& b) {
  if (!a.ok || !b.ok || a.prefix != b.prefix || b.number != a.number + 1) return false;
  if (a.digits.size() == b.digits.size()) return true;
  return a.digits[0] != '0' && b.digits[0] != '0' && b.digits.size() == a.digits.size() + 1;
}

}  // namespace

void SortNames(std::vector<std::string>* names) {
  std::sort(names->begin(), names->end(), [](const std::string& a, const std::string& b) { return NaturalLess(a, b); });
  names->erase(std::unique(names->begin(), names->end()), names->end());
}

std::string FoldNames(const std::vector<std::string>& names, size_t limit) {
  std::string out;
  size_t runs = 0;
  size_t i = 0;
  while (i < names.size()) {
    size_t end = i + 1;
    Numbered last = Split(names[i]);
    while (end < names.size()) {
      Numbered next = Split(names[end]);
      if (!Follows(last, next)) break;
      last = next;
      ++end;
    }
    if (end - i < 3) end = i + 1;
    if (runs == limit) return out + " and " + std::to_string(names.size() - i) + " more";
    if (runs++ > 0) out += ", ";
    out += names[i];
    if (end - i >= 3) out += ".." + names[end - 1];
    i = end;
  }
  return out;
}

}  // namespace attr

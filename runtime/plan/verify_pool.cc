// Verification of what the other parts refer to: strings, the pack's own data,
// constants, ranges, sets, sources, domains.
#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "runtime/base/json_text.h"
#include "runtime/plan/verify_internal.h"

namespace attr::plan {

bool VerifyStrings(Verification& v) {
  const std::vector<std::string>& strings = v.plan.strings;
  if (!v.Count("strings", strings.size(), kMaxStrings)) return false;
  if (strings.empty() || !strings[0].empty()) return v.Fail("strings[0]", "it must be the empty string");
  uint64_t total = 0;
  std::unordered_set<std::string_view> seen;
  seen.reserve(strings.size());
  for (size_t i = 0; i < strings.size(); ++i) {
    std::string_view text = strings[i];
    total += text.size();
    if (total > kMaxStringBytes) return v.Fail(At("strings", i), "more than 64 MiB of text");
    for (size_t at = 0; at < text.size();) {
      size_t length = Utf8SequenceLength(text, at);
      if (length == 0) return v.Fail(At("strings", i), "not valid UTF-8");
      if (text[at] == '\0') return v.Fail(At("strings", i), "a NUL byte");
      at += length;
    }
    // Names are compared by index.
    if (!seen.insert(text).second) return v.Fail(At("strings", i), "it stands twice");
  }
  return true;
}

namespace {

bool IsVersion(std::string_view text) {
  int numbers = 0;
  for (; numbers < 3; ++numbers) {
    size_t digits = 0;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
    if (digits == 0 || digits > 9) return false;
    text.remove_prefix(digits);
    if (text.empty()) return numbers == 2;
    if (text.front() != '.') return false;
    text.remove_prefix(1);
  }
  return false;
}

bool VerifyVersion(Verification& v, const std::string& where, StrId id) {
  return v.Text(where, id) && (IsVersion(v.plan.Str(id)) || v.Fail(where, "a version that is not of the form 1.2.3"));
}

bool VerifyImport(Verification& v, const std::string& where, const ImportedPack& import) {
  if (!v.Path(where + ".name", import.name) || !VerifyVersion(v, where + ".version", import.version)) return false;
  if (!v.Text(where + ".sha256", import.sha256)) return false;
  std::string_view hash = v.plan.Str(import.sha256);
  bool hex = hash.size() == 64 && hash.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  return hex || v.Fail(where + ".sha256", "not 64 hexadecimal digits");
}

}  // namespace

bool VerifyMeta(Verification& v) {
  const Meta& meta = v.plan.meta;
  if (!v.Path("meta.name", meta.name) || !VerifyVersion(v, "meta.version", meta.version)) return false;
  if (meta.language != 1) return v.Fail("meta.language", "only version 1 exists");
  if (!v.Duration("meta.grace", meta.grace, kMaxGrace)) return false;
  if (!v.Count("meta.imports", meta.imports.size(), 1024) || !v.Count("meta.skews", meta.skews.size(), 1024)) {
    return false;
  }
  for (size_t i = 0; i < meta.imports.size(); ++i) {
    if (!VerifyImport(v, At("meta.imports", i), meta.imports[i])) return false;
  }
  std::unordered_set<StrId> clocks;
  for (size_t i = 0; i < meta.skews.size(); ++i) {
    const std::string where = At("meta.skews", i);
    const ClockSkew& skew = meta.skews[i];
    if (skew.clock != 0 && !v.Identifier(where + ".clock", skew.clock)) return false;
    if (!v.Duration(where, skew.nanos, kMaxSkew)) return false;
    if (!clocks.insert(skew.clock).second) return v.Fail(where, "a second skew of one clock");
  }
  return true;
}

namespace {

bool VerifySet(Verification& v, const std::string& where, const Set& set) {
  for (size_t i = 0; i < set.values.size(); ++i) {
    if (i != 0 && set.values[i - 1] >= set.values[i]) return v.Fail(where, "values must ascend");
    bool known = !set.ids || (set.values[i] >= 0 && static_cast<uint64_t>(set.values[i]) < v.plan.constants.size());
    if (!known) return v.Fail(where, "no constant " + std::to_string(set.values[i]));
  }
  return true;
}

}  // namespace

bool VerifyConstants(Verification& v) {
  for (size_t i = 0; i < v.plan.constants.size(); ++i) {
    const Constant& constant = v.plan.constants[i];
    const std::string where = At("constants", i);
    if (static_cast<uint8_t>(constant.type) >= kTypeCount || !IsId(constant.type)) {
      return v.Fail(where, "a constant must be text, node, gpu or domain");
    }
    if (!v.Text(where, constant.text)) return false;
  }
  for (size_t i = 0; i < v.plan.ranges.size(); ++i) {
    // Engines test (x - lo) <= (hi - lo) without sign.
    if (v.plan.ranges[i].lo > v.plan.ranges[i].hi) return v.Fail(At("ranges", i), "it ends before it begins");
  }
  for (size_t i = 0; i < v.plan.sets.size(); ++i) {
    if (!VerifySet(v, At("sets", i), v.plan.sets[i])) return false;
  }
  return true;
}

namespace {

bool VerifyDomain(Verification& v, uint32_t d, std::vector<uint32_t>* depth) {
  const std::string where = At("domains", d);
  const Domain& domain = v.plan.domains[d];
  if (!v.Path(where + ".path", domain.path) || !v.Text(where + ".title", domain.title)) return false;
  std::string_view path = v.plan.Str(domain.path);
  size_t dot = path.rfind('.');
  if (domain.parent == kNone) {
    depth->push_back(1);
    return dot == std::string_view::npos || v.Fail(where, "a dotted path needs a parent");
  }
  if (domain.parent >= d) return v.Fail(where, "the parent must stand before it");
  if (dot == std::string_view::npos || path.substr(0, dot) != v.plan.Str(v.plan.domains[domain.parent].path)) {
    return v.Fail(where, "the parent must be the path's prefix");
  }
  depth->push_back((*depth)[domain.parent] + 1);
  return depth->back() <= kMaxDomainDepth || v.Fail(where, "more than 8 levels");
}

}  // namespace

bool VerifyDomains(Verification& v) {
  std::unordered_set<StrId> seen;
  for (size_t i = 0; i < v.plan.sources.size(); ++i) {
    if (!v.Identifier(At("sources", i), v.plan.sources[i])) return false;
    if (!seen.insert(v.plan.sources[i]).second) return v.Fail(At("sources", i), "it stands twice");
  }
  if (!v.Count("domains", v.plan.domains.size(), kMaxDomains)) return false;
  seen.clear();
  std::vector<uint32_t> depth;
  for (uint32_t d = 0; d < v.plan.domains.size(); ++d) {
    if (!VerifyDomain(v, d, &depth)) return false;
    if (!seen.insert(v.plan.domains[d].path).second) return v.Fail(At("domains", d), "it stands twice");
  }
  return true;
}

}  // namespace attr::plan

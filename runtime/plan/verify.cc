// The verifier's order, and the checks that its files share. What is checked,
// with every bound: docs/pack-format.md.
#include "runtime/plan/verify.h"

#include <algorithm>

#include "runtime/plan/verify_internal.h"

namespace attr::plan {

Status Verify(const Plan& plan) {
  Verification v(plan);
  bool ok = VerifyStrings(v) && VerifyMeta(v) && VerifyConstants(v) && VerifyExprs(v) && VerifyDomains(v) &&
            VerifyTables(v) && VerifyEvents(v) && VerifyRules(v) && VerifyFindingEvents(v) && VerifyDemotions(v) &&
            VerifyOrder(v);
  if (ok) return Ok();
  Error error;
  error.message = v.error;
  error.help = "the pack is damaged or was not made by attrc; compile it again from its sources";
  return error;
}

std::string At(std::string_view list, size_t index) { return std::string(list) + '[' + std::to_string(index) + ']'; }

SlotClass ClassOf(Type type) {
  if (type == Type::kBool) return SlotClass::kBool;
  if (type == Type::kFloat) return SlotClass::kFloat;
  return IsId(type) ? SlotClass::kId : SlotClass::kInteger;
}

bool Verification::Fail(const std::string& where, std::string what) {
  if (error.empty()) error = where + ": " + what;
  return false;
}

bool Verification::Index(const std::string& where, uint64_t index, size_t size, const char* of) {
  if (index < size) return true;
  return Fail(where, std::string("no ") + of + ' ' + std::to_string(index) + ", there are " + std::to_string(size));
}

bool Verification::Count(const std::string& where, size_t count, size_t most) {
  if (count <= most) return true;
  return Fail(where, std::to_string(count) + " of them, at most " + std::to_string(most) + " are allowed");
}

bool Verification::Duration(const std::string& where, int64_t nanos, int64_t most) {
  if (nanos >= 0 && nanos <= most) return true;
  return Fail(where, "a duration of " + std::to_string(nanos) + " ns, allowed are 0 to " + std::to_string(most));
}

bool Verification::Text(const std::string& where, StrId id) { return Index(where, id, plan.strings.size(), "string"); }

namespace {

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsIdentifier(std::string_view text) {
  return !text.empty() && text.size() <= kMaxNameBytes && !IsDigit(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return IsLetter(c) || IsDigit(c); });
}

bool IsPath(std::string_view text) {
  if (text.size() > kMaxNameBytes) return false;
  for (;;) {
    size_t dot = text.find('.');
    if (!IsIdentifier(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

}  // namespace

bool Verification::Identifier(const std::string& where, StrId id) {
  return Text(where, id) && (IsIdentifier(plan.Str(id)) || Fail(where, "a name that is not an identifier"));
}

bool Verification::Path(const std::string& where, StrId id) {
  return Text(where, id) && (IsPath(plan.Str(id)) || Fail(where, "a name that is not a dotted path of identifiers"));
}

bool Verification::Qualified(const std::string& where, StrId id) {
  if (!Text(where, id)) return false;
  std::string_view name = plan.Str(id);
  size_t scope = name.find("::");
  std::string_view item = scope == std::string_view::npos ? name : name.substr(scope + 2);
  bool path = scope == std::string_view::npos || IsPath(name.substr(0, scope));
  return (path && IsIdentifier(item)) || Fail(where, "a name that is not of the form pack.name::item");
}

}  // namespace attr::plan

#include "runtime/pack/verify_regex.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "runtime/match/match.h"

namespace attr::pack {

namespace {

class RegexVerifier {
 public:
  RegexVerifier(const plan::Plan& plan, plan::StrId* refused) : plan_(plan), refused_(refused) {}

  Status Run() {
    for (uint32_t e = 0; e < plan_.events.size(); ++e) {
      const plan::Event& event = plan_.events[e];
      const std::string where = "events[" + std::to_string(e) + "]";
      std::set<std::string> groups;
      for (size_t t = 0; t < event.texts.size(); ++t) {
        const std::string text = where + ".texts[" + std::to_string(t) + "]";
        if (!CheckAll(text, event.texts[t].patterns, &groups)) return Refused();
      }
      if (!CheckAll(where + ".each", event.each, &groups)) return Refused();
      if (!CheckAll(where + ".unless", event.unless, nullptr)) return Refused();
      for (size_t d = 0; d < event.derived.size(); ++d) {
        if (event.derived[d].kind != plan::DerivedKind::kRegex) continue;
        if (!Check(where + ".derived[" + std::to_string(d) + "]", event.derived[d].regex)) return Refused();
      }
      for (size_t f = 0; f < event.fields.size(); ++f) {
        const plan::Field& field = event.fields[f];
        if (field.from != plan::FieldFrom::kGroup || groups.count(std::string(plan_.Str(field.source)))) continue;
        Fail(where + ".fields[" + std::to_string(f) + "]", "no text clause has the group it is taken from", {});
        return Refused();
      }
    }
    return Ok();
  }

 private:
  bool CheckAll(const std::string& where, const std::vector<plan::Pattern>& patterns, std::set<std::string>* groups) {
    for (size_t p = 0; p < patterns.size(); ++p) {
      const match::RegexInfo* info = Check(where + ".patterns[" + std::to_string(p) + "]", patterns[p].regex);
      if (info == nullptr) return false;
      if (groups != nullptr) groups->insert(info->groups.begin(), info->groups.end());
    }
    return true;
  }

  /// Null when it is refused. A pattern that stands twice is compiled once.
  const match::RegexInfo* Check(const std::string& where, plan::StrId regex) {
    if (++patterns_ > kMaxPatterns) return Fail(where, "more than 5000 patterns in the pack", regex);
    if (auto it = seen_.find(regex); it != seen_.end()) return &it->second;
    if (plan_.Str(regex).size() > kMaxPatternBytes) return Fail(where, "a pattern of more than 4096 bytes", regex);
    match::RegexInfo info = match::InspectRegex(plan_.Str(regex));
    if (!info.ok) return Fail(where, "the pattern does not compile: " + info.error, regex);
    if (info.program_size > kMaxProgram || info.reverse_program_size > kMaxProgram) {
      return Fail(where, "the pattern compiles to more than 8192 instructions", regex);
    }
    if (info.group_count > kMaxGroups) return Fail(where, "a pattern with more than 32 groups", regex);
    std::set<std::string> distinct(info.groups.begin(), info.groups.end());
    if (distinct.size() != info.groups.size()) return Fail(where, "a pattern names two groups the same", regex);
    // A size that RE2 does not know is negative; it then counts as the greatest.
    for (int size : {info.program_size, info.reverse_program_size}) programs_ += size < 0 ? kMaxProgram : size;
    if (programs_ > kMaxPrograms) return Fail(where, "the patterns together compile to more than 16 MiB", regex);
    return &(seen_[regex] = std::move(info));
  }

  const match::RegexInfo* Fail(const std::string& where, const std::string& what, std::optional<plan::StrId> regex) {
    if (regex && refused_ != nullptr) *refused_ = *regex;
    error_.message = where + ": " + what;
    error_.help = "the pack is damaged or was not made by attrc; compile it again from its sources";
    return nullptr;
  }
  Error Refused() const { return error_; }

  const plan::Plan& plan_;
  plan::StrId* refused_;
  std::map<plan::StrId, match::RegexInfo> seen_;
  size_t patterns_ = 0;
  uint64_t programs_ = 0;
  Error error_;
};

}  // namespace

Status VerifyRegexes(const plan::Plan& plan, plan::StrId* refused) { return RegexVerifier(plan, refused).Run(); }

}  // namespace attr::pack

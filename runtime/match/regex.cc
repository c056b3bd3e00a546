// InspectRegex: what the compiler and the pack verifier want to know of one
// pattern. RE2 names an error's text but not its place; the place is found by
// compiling prefixes.
#include "runtime/match/regex.h"

#include <vector>

#include "runtime/match/literals.h"
#include "runtime/match/match.h"

namespace attr::match {

namespace {

constexpr size_t kLongestSearched = 4096;  // the verifier refuses longer patterns anyway

/// For every prefix length: does it end outside escapes and classes, on a character border?
std::vector<bool> CleanEnds(std::string_view pattern) {
  std::vector<bool> clean(pattern.size() + 1, false);
  bool in_class = false;
  for (size_t i = 0; i < pattern.size();) {
    clean[i] = !in_class;
    if (pattern[i] == '\\') {
      i += 2;
      continue;
    }
    if (!in_class && pattern[i] == '[') {
      in_class = true;
      ++i;
      if (i < pattern.size() && pattern[i] == '^') ++i;
      if (i < pattern.size() && pattern[i] == ']') ++i;  // a leading `]` is a member
      continue;
    }
    if (in_class && pattern.compare(i, 2, "[:") == 0) {
      const size_t close = pattern.find(":]", i + 2);
      if (close != std::string_view::npos) {
        i = close + 2;
        continue;
      }
    }
    if (in_class && pattern[i] == ']') in_class = false;
    ++i;
    while (i < pattern.size() && (static_cast<unsigned char>(pattern[i]) & 0xC0U) == 0x80U) ++i;
  }
  clean[pattern.size()] = true;
  return clean;
}

/// Start of the character that completes the shortest prefix from which on
/// everything longer fails with the same code.
size_t ErrorOffset(std::string_view pattern, RE2::ErrorCode code) {
  if (pattern.empty() || pattern.size() > kLongestSearched) return 0;
  const RE2::Options options = RegexOptions();
  const std::vector<bool> clean = CleanEnds(pattern);
  size_t shortest = pattern.size();
  for (size_t end = pattern.size(); end-- > 0;) {
    if (!clean[end]) continue;
    if (RE2(Piece(pattern.substr(0, end)), options).error_code() != code) break;
    shortest = end;
  }
  size_t offset = shortest;
  while (offset > 0) {
    --offset;
    if (clean[offset]) break;
  }
  return offset;
}

}  // namespace

RE2::Options RegexOptions() {
  RE2::Options options;
  options.set_max_mem(1 << 20);
  options.set_log_errors(false);
  return options;
}

RegexInfo InspectRegex(std::string_view pattern) {
  RegexInfo info;
  const RE2 regex(Piece(pattern), RegexOptions());
  if (!regex.ok()) {
    info.error = regex.error();
    info.error_offset = ErrorOffset(pattern, regex.error_code());
    return info;
  }
  info.ok = true;
  for (const auto& [index, name] : regex.CapturingGroupNames()) info.groups.push_back(name);
  info.program_size = regex.ProgramSize();
  info.reverse_program_size = regex.ReverseProgramSize();
  info.group_count = regex.NumberOfCapturingGroups();
  info.matches_empty = RE2::PartialMatch("", regex);
  info.has_literal = !FactsOf(pattern).any_of.empty();
  return info;
}

}  // namespace attr::match

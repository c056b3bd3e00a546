// See regexes.h.
#include "compiler/sema/regexes.h"

#include <algorithm>

#include "fmt/format.h"
#include "runtime/match/match.h"

namespace attr::sema {

namespace {

constexpr size_t kMaxText = 4096;
constexpr int kMaxGroups = 32;
/// 64 KB of 8-byte instructions, each direction: what the verifier allows.
constexpr int kMaxProgram = 8192;

/// Offset in the file of byte `offset` of the literal's value: after the opening
/// slash, with `\/` written for `/`.
uint32_t InFile(const Context& context, const syntax::Text& regex, size_t offset) {
  const std::string_view raw = context.sources.Text(regex.span);
  size_t at = 1;
  for (size_t value = 0; value < offset && at + 1 < raw.size(); ++value) {
    at += raw[at] == '\\' && raw[at + 1] == '/' && value < regex.value.size() && regex.value[value] == '/' ? 2 : 1;
  }
  return regex.span.begin + static_cast<uint32_t>(std::min(at, raw.size()));
}

}  // namespace

std::string ToRe2(std::string_view text, std::vector<size_t>* origin) {
  std::string result;
  bool in_class = false;
  const auto put = [&](char c, size_t from) {
    result += c;
    origin->push_back(from);
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    put(c, i);
    if (c == '\\' && i + 1 < text.size()) {
      ++i;
      put(text[i], i);
    } else if (in_class) {
      in_class = c != ']';
    } else if (c == '[') {
      in_class = true;
      for (char leading : {'^', ']'}) {
        if (i + 1 >= text.size() || text[i + 1] != leading) continue;
        ++i;
        put(leading, i);
      }
    } else if (c == '(' && text.compare(i, 3, "(?<") == 0 && i + 3 < text.size() && text[i + 3] != '=' &&
               text[i + 3] != '!') {
      ++i;
      put('?', i);
      put('P', i);
    }
  }
  origin->push_back(text.size());
  return result;
}

Span GroupSpan(const Context& context, const syntax::Text& regex, std::string_view group) {
  for (const std::string& opening : {fmt::format("(?P<{}>", group), fmt::format("(?<{}>", group)}) {
    const size_t at = regex.value.find(opening);
    if (at == std::string::npos) continue;
    Span span = regex.span;
    span.begin = InFile(context, regex, at);
    span.end = InFile(context, regex, at + opening.size());
    return span;
  }
  return regex.span;
}

std::optional<CheckedRegex> CheckRegex(Context& context, const syntax::Text& regex) {
  std::vector<size_t> origin;
  CheckedRegex checked;
  checked.text = ToRe2(regex.value, &origin);
  if (checked.text.size() > kMaxText) {
    context.Error(Code::kRegexTooLarge, regex.span,
                  fmt::format("regular expression of {} bytes; at most {} are allowed", checked.text.size(), kMaxText));
    return std::nullopt;
  }
  const match::RegexInfo info = match::InspectRegex(checked.text);
  if (!info.ok) {
    const size_t offset = origin[std::min(info.error_offset, origin.size() - 1)];
    Span span = regex.span;
    span.begin = InFile(context, regex, offset);
    span.end = std::max(span.begin + 1, InFile(context, regex, std::min(offset + 1, regex.value.size())));
    context.Error(Code::kBadRegex, span, fmt::format("regular expression is not valid: {}", info.error),
                  fmt::format("at offset {} of the expression", offset));
    return std::nullopt;
  }
  if (info.group_count > kMaxGroups || info.program_size > kMaxProgram || info.reverse_program_size > kMaxProgram) {
    context.Error(Code::kRegexTooLarge, regex.span,
                  fmt::format("regular expression is too large: {} groups, {} and {} instructions", info.group_count,
                              info.program_size, info.reverse_program_size));
    return std::nullopt;
  }
  context.program.regexes.emplace(checked.text, regex.span);
  checked.groups = info.groups;
  checked.matches_empty = info.matches_empty;
  return checked;
}

}  // namespace attr::sema

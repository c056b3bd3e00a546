#include "runtime/match/sets.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/base/interner.h"
#include "runtime/match/convert.h"

namespace attr::match {

namespace {

using plan::Type;

bool Separates(char c) { return c == ',' || c == ' ' || c == '\t' || c == '\n' || c == ';'; }

/// At separators outside of brackets; nothing when the brackets do not match.
std::optional<std::vector<std::string_view>> SplitList(std::string_view list) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  bool inside = false;
  for (size_t i = 0; i <= list.size(); ++i) {
    if (i < list.size() && list[i] == '[') {
      if (inside) return std::nullopt;
      inside = true;
    } else if (i < list.size() && list[i] == ']') {
      if (!inside) return std::nullopt;
      inside = false;
    } else if (i == list.size() || (!inside && Separates(list[i]))) {
      if (i > begin) parts.push_back(list.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  if (inside) return std::nullopt;
  return parts;
}

/// "03-07" or "20", as texts of the width in which they are written.
bool AddRange(std::string_view range, std::vector<std::string>* out) {
  const size_t dash = range.find('-', 1);
  const std::string_view first = range.substr(0, dash);
  const std::string_view last = dash == std::string_view::npos ? first : range.substr(dash + 1);
  const auto digits = [](std::string_view text) {
    return !text.empty() && text.size() <= 18 && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (!digits(first) || !digits(last)) return false;
  const std::optional<int64_t> from = ParseInt(first), to = ParseInt(last);
  if (!from || !to || *from > *to || *to - *from >= static_cast<int64_t>(kMostElements)) return false;
  for (int64_t number = *from; number <= *to; ++number) {
    std::string text = fmt::format("{}", number);
    if (text.size() < first.size()) text.insert(0, first.size() - text.size(), '0');
    out->push_back(std::move(text));
    if (out->size() > kMostElements) return false;
  }
  return true;
}

/// `rack[1-2]-n[01,03]`: every combination, from left to right.
bool AddNodes(std::string_view part, std::vector<std::string>* out) {
  std::vector<std::string> names{std::string()};
  while (!part.empty()) {
    const size_t open = part.find('[');
    for (std::string& name : names) name += part.substr(0, open);
    if (open == std::string_view::npos) break;
    const size_t close = part.find(']', open);
    std::vector<std::string> numbers;
    const auto ranges = SplitList(part.substr(open + 1, close - open - 1));
    if (!ranges || ranges->empty()) return false;
    for (const std::string_view range : *ranges)
      if (!AddRange(range, &numbers)) return false;
    if (names.size() * numbers.size() > kMostElements) return false;
    std::vector<std::string> longer;
    for (const std::string& name : names)
      for (const std::string& number : numbers) longer.push_back(name + number);
    names = std::move(longer);
    part.remove_prefix(close + 1);
  }
  out->insert(out->end(), names.begin(), names.end());
  return out->size() <= kMostElements;
}

/// Ranges are of whole numbers without sign; anything else is one number.
bool AddNumbers(Type element, std::string_view part, std::vector<std::string>* out) {
  std::vector<std::string> range;
  if (part.find('-', 1) != std::string_view::npos) {
    if (!AddRange(part, &range)) return false;
  } else {
    range.emplace_back(part);
  }
  for (const std::string& number : range) {
    const std::optional<int64_t> value = ParseInt(number);
    if (!value || (element == Type::kRank && *value < 0)) return false;
    out->push_back(fmt::format("{}", *value));
  }
  return out->size() <= kMostElements;
}

}  // namespace

std::vector<std::string_view> ElementsOf(std::string_view set) {
  std::vector<std::string_view> elements;
  for (size_t begin = 0; begin <= set.size();) {
    const size_t end = std::min(set.find(',', begin), set.size());
    elements.push_back(set.substr(begin, end - begin));
    begin = end + 1;
  }
  return elements;
}

std::optional<std::string> SetText(Type set, std::string_view list,
                                   const std::function<std::string_view(std::string_view)>& name) {
  const Type element = plan::ElementOf(set);
  const auto parts = SplitList(list);
  if (!parts) return std::nullopt;
  std::vector<std::string> elements;
  for (const std::string_view part : *parts) {
    if (element == Type::kNode) {
      if (!AddNodes(part, &elements)) return std::nullopt;
    } else if (element == Type::kText) {
      elements.emplace_back(part);
    } else if (!AddNumbers(element, part, &elements)) {
      return std::nullopt;
    }
  }
  if (elements.empty() || elements.size() > kMostElements) return std::nullopt;
  if (element == Type::kNode)
    for (std::string& one : elements) one = std::string(name(one));
  std::sort(elements.begin(), elements.end(), NaturalLess);
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  return fmt::format("{}", fmt::join(elements, ","));
}

}  // namespace attr::match

#include "runtime/match/lazy_regex.h"

#include <algorithm>

#include "runtime/match/literals.h"

namespace attr::match {

namespace {

constexpr size_t kGroupsInOnePass = 4;
constexpr int kPrefixTries = 8;  // occurrences tried before the unanchored search takes over
constexpr int kMostGroups = 64;  // the verifier allows 32

/// The pattern with only the wanted groups capturing.
std::string Reopen(std::string_view pattern, const PatternFacts& facts, const std::vector<bool>& keep) {
  std::string out;
  size_t done = 0;
  for (size_t g = 0; g < facts.openers.size(); ++g) {
    if (keep[g]) continue;
    const auto [at, length] = facts.openers[g];
    out += pattern.substr(done, at - done);
    out += "(?:";
    done = at + length;
  }
  out += pattern.substr(done);
  return out;
}

}  // namespace

LazyRegex::Part LazyRegex::MakePart(std::string_view pattern, const Wanted* begin, const Wanted* end) const {
  Part part;
  part.regex = std::make_unique<RE2>(Piece(pattern), RegexOptions());
  if (!part.regex->ok()) {
    error_ = part.regex->error();
    return part;
  }
  const auto& numbers = part.regex->NamedCapturingGroups();
  for (const Wanted* wanted = begin; wanted != end; ++wanted) {
    const auto found = numbers.find(wanted->name);
    if (found == numbers.end() || found->second >= kMostGroups) continue;  // of another alternative
    part.groups.emplace_back(found->second, wanted->slot);
    part.submatches = std::max(part.submatches, found->second);
  }
  return part;
}

/// Several expressions with four groups each, in the order of the groups.
void LazyRegex::Split(const PatternFacts& facts) const {
  std::vector<std::pair<size_t, Wanted>> open;  // capture index
  for (const Wanted& wanted : wanted_) {
    const std::string opener = "<" + wanted.name + ">";
    for (size_t g = 0; g < facts.openers.size(); ++g) {
      const std::string_view text = pattern_.substr(facts.openers[g].first, facts.openers[g].second);
      if (text.ends_with(opener)) open.emplace_back(g, wanted);
    }
  }
  std::sort(open.begin(), open.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t first = 0; first == 0 || first < open.size(); first += kGroupsInOnePass) {
    const size_t last = std::min(open.size(), first + kGroupsInOnePass);
    std::vector<bool> keep(facts.openers.size(), false);
    std::vector<Wanted> wanted;
    for (size_t i = first; i < last; ++i) {
      keep[open[i].first] = true;
      wanted.push_back(open[i].second);
    }
    parts_.push_back(MakePart(Reopen(pattern_, facts, keep), wanted.data(), wanted.data() + wanted.size()));
  }
}

void LazyRegex::Prepare() const {
  const auto tree = ReadRegex(pattern_);
  if (!tree) return;
  std::vector<int> wanted;
  for (const Wanted& one : wanted_) {
    const auto found = std::find(tree->names.begin(), tree->names.end(), one.name);
    if (found == tree->names.end()) continue;  // of another alternative
    const int number = static_cast<int>(found - tree->names.begin()) + 1;
    const auto known = std::find(wanted.begin(), wanted.end(), number);  // two fields may read one group
    direct_slots_.emplace_back(static_cast<size_t>(known - wanted.begin()) + 1, one.slot);
    if (known == wanted.end()) wanted.push_back(number);
  }
  direct_ = DirectMatcher::Make(*tree, wanted, FactsOf(*tree).prefix);
}

void LazyRegex::Compile() const {
  const PatternFacts facts = FactsOf(pattern_);
  prefix_ = facts.prefix;
  if (facts.openers.empty()) {
    parts_.push_back(MakePart(pattern_, wanted_.data(), wanted_.data() + wanted_.size()));
  } else {
    Split(facts);
  }
  if (!error_.empty()) parts_.clear();
}

std::string LazyRegex::error() const { return error_; }

/// Where every match begins with the same literal, trying its places with an
/// anchored search is the leftmost search, without RE2's two passes for the bounds.
bool LazyRegex::Find(const RE2& regex, std::string_view text, size_t from, re2::StringPiece* submatches,
                     int count) const {
  const re2::StringPiece piece = Piece(text);
  if (prefix_.empty()) return regex.Match(piece, from, text.size(), RE2::UNANCHORED, submatches, count);
  size_t at = from;
  for (int tries = 0; tries < kPrefixTries; ++tries, ++at) {
    at = text.find(prefix_, at);
    if (at == std::string_view::npos) return false;
    if (regex.Match(piece, at, text.size(), RE2::ANCHOR_START, submatches, count)) return true;
  }
  return regex.Match(piece, at, text.size(), RE2::UNANCHORED, submatches, count);
}

bool LazyRegex::Match(std::string_view text, std::string_view* whole, std::string_view* captures) const {
  if (!ready_.load(std::memory_order_acquire)) {
    std::call_once(prepared_, [this] { Prepare(); });
    ready_.store(true, std::memory_order_release);
  }
  if (direct_ == nullptr) return MatchByRe2(text, 0, whole, captures);
  DirectMatcher::Spans spans;
  switch (direct_->Match(text, spans)) {
    case DirectMatcher::Outcome::kNo:
      return false;
    case DirectMatcher::Outcome::kGaveUp:
      return MatchByRe2(text, 0, whole, captures);
    case DirectMatcher::Outcome::kYes:
      break;
  }
  const auto part = [&](DirectMatcher::Span span) {
    return text.substr(static_cast<size_t>(span.begin), static_cast<size_t>(span.end - span.begin));
  };
  if (whole != nullptr) *whole = part(spans[0]);
  if (captures == nullptr) return true;
  for (const auto& [span, slot] : direct_slots_)
    if (spans[span].begin >= 0 && captures[slot].data() == nullptr) captures[slot] = part(spans[span]);
  return true;
}

bool LazyRegex::MatchFrom(std::string_view text, size_t from, std::string_view* whole,
                          std::string_view* captures) const {
  return from == 0 ? Match(text, whole, captures) : MatchByRe2(text, from, whole, captures);
}

bool LazyRegex::MatchByRe2(std::string_view text, size_t from, std::string_view* whole,
                           std::string_view* captures) const {
  std::call_once(compiled_, [this] { Compile(); });
  if (parts_.empty()) return false;
  re2::StringPiece submatches[kMostGroups];
  const bool wants_captures = captures != nullptr && (parts_.size() > 1 || parts_[0].submatches > 0);
  const bool wants_bounds = whole != nullptr || wants_captures;
  if (!Find(*parts_[0].regex, text, from, submatches, wants_bounds ? parts_[0].submatches + 1 : 0)) return false;
  const re2::StringPiece found = submatches[0];
  if (whole != nullptr) *whole = {found.data(), found.size()};
  if (!wants_captures) return true;
  for (size_t p = 0; p < parts_.size(); ++p) {
    const Part& part = parts_[p];
    if (p > 0) {
      const size_t begin = static_cast<size_t>(found.data() - text.data());
      if (!part.regex->Match(Piece(text), begin, text.size(), RE2::ANCHOR_START, submatches, part.submatches + 1)) {
        continue;  // the same expression at the same place: it matches
      }
    }
    for (const auto& [group, slot] : part.groups)
      if (submatches[group].data() != nullptr && captures[slot].data() == nullptr)
        captures[slot] = {submatches[group].data(), submatches[group].size()};
  }
  return true;
}

}  // namespace attr::match

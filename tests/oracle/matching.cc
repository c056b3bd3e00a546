// The text clauses of one record: those on the record first, then `each`, then
// those on fields (docs/language/matching.md).
#include "tests/oracle/event_scope.h"

namespace attr::oracle {

namespace {

constexpr size_t kMostMatches = 256;  // of `each` in one record

/// The whole lines that hold text[begin, end).
std::string LinesAround(const std::string& text, size_t begin, size_t end) {
  size_t from = begin;
  while (from > 0 && text[from - 1] != '\n') --from;
  size_t to = end;
  if (end > begin && text[end - 1] == '\n') {
    to = end - 1;  // the line end that the match took along ends its own last line
  } else {
    while (to < text.size() && text[to] != '\n') ++to;
  }
  return text.substr(from, to - from);
}

/// The first match from `from` on; where it ends, or nullopt.
std::optional<size_t> MatchOne(World& world, const std::string& regex, const std::string& text, size_t from,
                               Candidate* candidate, std::string* lines) {
  const RE2& re2 = world.Regex(regex);
  std::vector<re2::StringPiece> parts(static_cast<size_t>(re2.NumberOfCapturingGroups()) + 1);
  if (!re2.Match(text, from, text.size(), RE2::UNANCHORED, parts.data(), static_cast<int>(parts.size()))) {
    return std::nullopt;
  }
  const auto begin = static_cast<size_t>(parts[0].data() - text.data());
  *lines = LinesAround(text, begin, begin + parts[0].size());
  for (const auto& [name, number] : re2.NamedCapturingGroups()) {
    const re2::StringPiece& part = parts[static_cast<size_t>(number)];
    std::optional<std::string>& capture = candidate->captures[name];
    if (!capture && part.data() != nullptr) capture = std::string(part);
  }
  return begin + parts[0].size() + (parts[0].empty() ? 1 : 0);
}

/// The text that `text f /…/` looks at.
std::optional<std::string> TextOfField(World& world, const Candidate& c, const std::string& name) {
  const Field* field = c.event->Find(name);
  if (field->from == From::kInherited) {
    const Value& value = c.parent->fields.at(name);
    return value.present ? std::optional(value.text) : std::nullopt;
  }
  if (field->from == From::kGroup) {
    const auto it = c.captures.find(field->source);
    return it == c.captures.end() ? std::nullopt : it->second;
  }
  if (field->from == From::kAttribute) {
    for (uint32_t a = c.record->attributes_begin; a < c.record->attributes_end; ++a) {
      const model::Attribute& attribute = world.set.attributes[a];
      if (attribute.key == field->source && attribute.kind == model::Attribute::Kind::kText)
        return std::string(attribute.text);
    }
    return std::nullopt;
  }
  const Value value = ReadProperty(world, c, field->source, Type::kText, 1);
  return value.present ? std::optional(value.text) : std::nullopt;
}

/// A candidate on its way, with the lines that its clauses matched.
struct Matched {
  Candidate candidate;
  std::vector<std::string> regions;
};

bool MatchClause(World& world, const syntax::TextClause& clause, const std::optional<std::string>& text, Matched* m) {
  for (const syntax::Text& regex : clause.regexes) {
    std::string lines;
    if (!text || !MatchOne(world, regex.value, *text, 0, &m->candidate, &lines)) continue;
    if (!clause.field && !clause.optional) m->regions.push_back(lines);
    return true;
  }
  return clause.optional;
}

std::vector<Matched> MatchEach(World& world, const std::string& record, const Matched& start) {
  const syntax::EventDecl& decl = *start.candidate.event->decl;
  if (decl.each.empty()) return {start};
  std::vector<Matched> out;
  for (size_t from = 0; from <= record.size() && out.size() < kMostMatches;) {
    Matched one = start;
    std::string lines;
    const auto end = MatchOne(world, decl.each[0].value, record, from, &one.candidate, &lines);
    if (!end) break;
    one.regions.push_back(lines);
    out.push_back(std::move(one));
    from = *end;
  }
  return out;
}

}  // namespace

std::vector<Candidate> MatchTexts(World& world, const Candidate& start) {
  const syntax::EventDecl& decl = *start.event->decl;
  const std::string record(start.record->text);
  Matched whole{start, {}};
  for (const syntax::TextClause& clause : decl.texts) {
    if (!clause.field && !MatchClause(world, clause, record, &whole)) return {};
  }
  std::vector<Candidate> out;
  for (Matched& one : MatchEach(world, record, whole)) {
    bool matches = true;
    for (const syntax::TextClause& clause : decl.texts) {
      if (!matches || !clause.field) continue;
      matches = MatchClause(world, clause, TextOfField(world, one.candidate, clause.field->text), &one);
    }
    if (one.regions.empty()) one.regions.push_back(record);
    for (const std::string& region : one.regions) {
      for (const syntax::Text& unless : decl.unless) {
        matches = matches && !RE2::PartialMatch(region, world.Regex(unless.value));
      }
    }
    if (matches) out.push_back(std::move(one.candidate));
  }
  return out;
}

}  // namespace attr::oracle

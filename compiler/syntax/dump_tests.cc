// Dump: `test` blocks.
#include "compiler/syntax/dumper.h"

namespace attr::syntax {

std::string Dumper::Show(const TestMoment& moment) { return moment.text; }

std::string Dumper::Show(const std::vector<Text>& texts) {
  std::string out;
  for (const Text& text : texts) out += (out.empty() ? "" : ", ") + Quote(text.value);
  return out;
}

std::string Dumper::Show(const CoverClause& cover) {
  std::string out = Show(cover.sources);
  if (!cover.on.empty()) out += " on " + Show(cover.on);
  if (cover.from && cover.to) out += " " + Show(*cover.from) + " .. " + Show(*cover.to);
  if (cover.status) out += " as " + cover.status->text;
  return out;
}

std::string Dumper::ShowPairs(const std::vector<std::pair<Name, Literal>>& pairs) {
  std::string out;
  for (const auto& [name, value] : pairs) out += " " + name.text + "=" + Show(value);
  return out;
}

void Dumper::TestLines(const TestDecl& test) {
  static constexpr std::string_view kKinds[] = {"attributed", "ambiguous", "unattributed", "no_failure",  "state",
                                                "candidates", "cause",     "demoted",      "would_change"};
  Line("test {}{}{}", Quote(test.name.value),
       test.from ? (test.from_folder ? " from folder " : " from ") + Quote(test.from->value) : "",
       test.dropping ? " dropping " + Show(*test.dropping) : "");
  Nested nested(*this);
  for (const AttemptItem& item : test.attempt) {
    std::string values;
    for (const auto& value : item.values) {
      if (!values.empty()) values += ", ";
      if (const auto* name = std::get_if<Name>(&value)) values += name->text;
      if (const auto* text = std::get_if<Text>(&value)) values += Quote(text->value);
      if (const auto* moment = std::get_if<TestMoment>(&value)) values += Show(*moment);
      if (const auto* number = std::get_if<int64_t>(&value)) values += std::to_string(*number);
    }
    Line("attempt {}{}{}{}", item.key.text, item.label ? " = " : " ", values,
         item.on.empty() ? "" : " on " + Show(item.on));
  }
  for (const CoverClause& cover : test.covers) Line("cover {}", Show(cover));
  for (const TestObservation& o : test.observations) {
    Line("observation {} {} {}{}{}{}", o.source.text, o.node ? Quote(o.node->value) : "-", o.time ? Show(*o.time) : "-",
         ShowPairs(o.attributes), o.text ? " " + Quote(o.text->value) : "",
         o.record.empty() ? "" : " {" + ShowPairs(o.record) + " }");
  }
  for (const Expectation& e : test.expectations) {
    std::string rules;
    for (const QName& rule : e.rules) rules += " " + Show(rule);
    Line("expect {}{}{}{}{}{}{}{}", e.negated ? "not " : "", kKinds[static_cast<size_t>(e.kind)],
         e.paths.empty() ? "" : " " + Show(e.paths), rules, e.on.empty() ? "" : " on " + Show(e.on),
         e.by ? " by " + Show(*e.by) : "", e.needs.empty() ? "" : " needs " + Show(e.needs),
         e.certainty ? " " + e.certainty->text : "");
  }
}

}  // namespace attr::syntax

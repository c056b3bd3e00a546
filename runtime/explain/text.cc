// An explanation for a person: the verdict's head, then why, why not, and what
// telemetry would change it.
#include "runtime/explain/explain.h"
#include "runtime/report/page.h"
#include "runtime/report/words.h"

namespace attr::explain {

namespace {

using report::Page;
using report::Spans;
using report::Style;

constexpr size_t kRecordLines = 2;  // of one record, wrapped

class Text {
 public:
  Text(const Explanation& e, Page* page) : e_(e), times_(e.verdict), page_(*page) {}

  void Put() {
    PutHead();
    if (!e_.steps.empty()) page_.Section("WHY THIS VERDICT");
    for (size_t i = 0; i < e_.steps.size(); ++i) PutStep(i);
    if (e_.steps_more != 0) Line("", report::Counted(e_.steps_more, "more finding", "more findings") + " not shown");
    PutOrder();
    PutRules();
    PutUnknowns();
    PutConversions();
  }

 private:
  void Line(const std::string& prefix, const std::string& text, Style style = Style::kPlain) {
    page_.Put(prefix, prefix == "- " ? "  " : prefix + "  ", {{text, style}});
  }

  void PutHead() {
    const model::Verdict& v = e_.verdict;
    std::string head(model::Name(v.status));
    if (!v.domain.empty()) head += "  " + v.domain;
    head += v.settled ? "  (settled)" : "  (provisional)";
    page_.Put("", {{head, Style::kBold}});
    std::string attempt = "attempt " + (v.attempt.empty() ? "?" : v.attempt) + ", " + v.terminal_state;
    if (!times_.date().empty()) attempt += ", " + times_.date();
    page_.Put("", {{attempt, Style::kDim}});
  }

  static std::string KeysText(const Step& step) {
    std::string out;
    for (const ReadValue& key : step.keys) out += (out.empty() ? "" : ", ") + key.name + " " + key.text;
    return out.empty() ? "whole attempt" : out;
  }

  void PutStep(size_t index) {
    const Step& step = e_.steps[index];
    if (index != 0) page_.Blank();
    page_.Put("", "   ",
              {{std::to_string(index + 1) + ". " + report::TitleOf(step.title, step.rule), Style::kBold},
               {" [" + step.rule + "]", Style::kDim}});
    Line("   ", (step.role == step.truth ? step.role : step.role + ", " + step.truth) + "; " + KeysText(step) + "; " +
                    times_.Span(step.first, step.last));
    for (const Bound& bound : step.bindings) PutBound(bound, "   ");
    if (!step.conditions.empty()) Line("   ", step.role == "possible" ? "would hold because" : "holds because");
    for (const Condition& condition : step.conditions) PutCondition(condition, "     ");
    for (const Demotion& demotion : step.demotes) PutDemotion(demotion);
    if (step.demotes_more != 0) {
      Line("   ", "and " + report::Counted(step.demotes_more, "finding", "findings") + " more that it demotes");
    }
  }

  void PutBound(const Bound& bound, const std::string& prefix) {
    Line(prefix, bound.binding + ": " + report::Counted(bound.events, "event", "events") + " of " + bound.event);
    for (const model::Evidence& e : bound.observations) {
      page_.Put(
          prefix + "  ", prefix + "    ",
          {{e.source + (e.node.empty() ? "" : " " + e.node) + " " + times_.Of(e.time) + "  ", Style::kDim}, {e.text}},
          kRecordLines);
    }
  }

  void PutCondition(const Condition& condition, const std::string& prefix) {
    Spans line = {{condition.text}};
    if (condition.truth != "true") line.push_back({"  " + condition.truth, Style::kYellow});
    if (!condition.missed_by.empty()) line.push_back({", missed by " + condition.missed_by, Style::kYellow});
    page_.Put(prefix, prefix + "  ", line);
    for (const ReadValue& value : condition.values) {
      page_.Put(prefix + "  ", prefix + "    ",
                {{value.name + (value.text == "?" ? " is missing" : ": " + value.text), Style::kDim}});
    }
  }

  void PutDemotion(const Demotion& d) {
    std::string line =
        "demotes " + std::to_string(d.to + 1) + ". " + report::ShortName(d.rule) + " by `" + d.clause + "`";
    if (d.truth != "confirmed") line += " (" + d.truth + ")";
    Line("   ", line);
    if (!d.because.empty()) Line("     ", "because " + d.because);
    Line("     ", (d.distance.empty() ? "" : d.distance + "; ") + d.place, Style::kDim);
  }

  void PutOrder() {
    if (!e_.outranked.empty() || !e_.stay_two.empty()) page_.Section("WHO STANDS ABOVE WHOM");
    for (const Outranked& o : e_.outranked) {
      Line("- ", o.rule + (o.nodes.empty() ? "" : " on " + report::Places(o.nodes)) + " gives way to " + o.by_rule);
      Line("  ", o.level + ": " + o.clause);
      if (!o.because.empty()) Line("  ", "because " + o.because);
    }
    if (e_.outranked_more != 0) Line("  ", "and " + report::Grouped(e_.outranked_more) + " more");
    for (const StayTwo& pair : e_.stay_two) {
      Line("- ", pair.rule + " and " + pair.other + " stay two");
      Line("  ", "ambiguity: " + pair.clause);
      if (!pair.because.empty()) Line("  ", "because " + pair.because);
    }
  }

  void PutRules() {
    if (!e_.rules.empty()) page_.Section("THE RULES THAT WERE ASKED FOR");
    bool first = true;
    for (const WhyNot& rule : e_.rules) {
      if (!first) page_.Blank();
      first = false;
      PutRule(rule);
    }
    if (e_.silent.empty()) return;
    page_.Section("CAUSES THAT FOUND NOTHING");
    for (const WhyNot& rule : e_.silent) Line("- ", rule.rule + ": " + rule.sentence);
    if (e_.silent_more != 0) Line("  ", "and " + report::Grouped(e_.silent_more) + " more");
  }

  void PutRule(const WhyNot& rule) {
    page_.Put("", "  ",
              {{report::TitleOf(rule.title, rule.rule), Style::kBold}, {" [" + rule.rule + "]", Style::kDim}});
    Line("  ", rule.state + ": " + rule.sentence);
    if (!rule.bindings.empty()) Line("  ", "nearest candidate");
    for (const Bound& bound : rule.bindings) PutBound(bound, "    ");
    if (!rule.conditions.empty()) Line("  ", "conditions" + (rule.binding.empty() ? "" : " of " + rule.binding));
    for (const Condition& condition : rule.conditions) PutCondition(condition, "    ");
    for (const std::string& source : rule.sources) Line("  ", source);
    if (rule.more)
      Line("  ", "looked at " + report::Grouped(rule.looked_at) + " candidates; there are more", Style::kDim);
  }

  void PutUnknowns() {
    if (e_.unknowns.empty()) return;
    page_.Section("WHAT TELEMETRY WOULD CHANGE IT");
    for (const Unknown& unknown : e_.unknowns) {
      Line("- ", unknown.rule + ": " + unknown.what + " (" + unknown.truth + ")" + Verdicts(unknown));
      for (const Reason& reason : unknown.reasons) Line("    ", ReasonText(reason));
      if (unknown.reasons_more != 0)
        Line("    ", "and " + report::Counted(unknown.reasons_more, "reason", "reasons") + " more");
    }
    if (e_.unknowns_more != 0) Line("  ", "and " + report::Grouped(e_.unknowns_more) + " more");
  }

  static std::string Verdicts(const Unknown& unknown) {
    std::string out;
    for (const std::string& verdict : unknown.verdicts) {
      out +=
          (out.empty() ? "; would change it to " : " or ") + (verdict == "jointly" ? "another, with others" : verdict);
    }
    return out;
  }

  std::string ReasonText(const Reason& r) const {
    if (r.kind == "coverage") {
      const bool always = r.from.lo <= plan::kBeforeAll && r.to.lo >= plan::kAfterAll;
      std::string out = "coverage: " + r.source + (r.place.empty() ? "" : " on " + r.place);
      if (always) return out;
      if (r.from.lo > plan::kBeforeAll) out += " from " + times_.Of(r.from);
      if (r.to.lo < plan::kAfterAll) out += " to " + times_.Of(r.to);
      return out;
    }
    if (r.kind == "inventory") return "the attempt's inventory was not given";
    if (r.kind == "limit") return "limit on " + r.name;
    std::string out = r.kind + (r.name.empty() ? "" : " " + r.name);
    return out + " of the " + r.source + " record " + r.observation;
  }

  void PutConversions() {
    if (e_.conversions.empty()) return;
    page_.Section("VALUES THAT COULD NOT BE READ");
    for (const Conversions& c : e_.conversions) {
      Line("- ", c.event + ": " + report::Counted(c.dropped, "record", "records") + " dropped, " +
                     report::Counted(c.left_missing, "optional value", "optional values") + " left missing");
    }
  }

  const Explanation& e_;
  report::Times times_;
  Page& page_;
};

}  // namespace

std::string ToText(const Explanation& explanation, const TextOptions& options) {
  report::TextOptions page_options;
  page_options.colour = options.colour;
  page_options.width = options.width;
  Page page(page_options);
  Text(explanation, &page).Put();
  return page.Take();
}

}  // namespace attr::explain

// What the verdict does not know: candidates without proof, telemetry that was
// not collected, rules that could not be evaluated, and what would change it.
#include <algorithm>
#include <map>

#include "runtime/report/text_parts.h"

namespace attr::report {

namespace {

constexpr size_t kNamed = 4;
constexpr size_t kRows = 12;

// Outcomes have no names, only numbers: they are counted.
bool IsOutcome(const std::string& rule) { return rule.find("outcome#") != std::string::npos; }

std::string Named(const std::vector<std::string>& rules) {
  std::vector<std::string> names, shown;
  for (const std::string& rule : rules) {
    if (!IsOutcome(rule)) names.push_back(ShortName(rule));
  }
  const size_t outcomes = rules.size() - names.size();
  shown.assign(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kNamed)));
  if (outcomes != 0) shown.push_back(Counted(outcomes, "outcome rule", "outcome rules"));
  std::string out = Join(shown, ", ");
  if (names.size() > kNamed) out += " and " + Grouped(names.size() - kNamed) + " more";
  return out;
}

std::string SourceOn(const std::string& source, const std::vector<std::string>& places) {
  return places.empty() ? source : source + " on " + Places(places);
}

bool Covers(const model::CoverageView& c) { return c.status == "ok" || c.status == "empty"; }

void PutUnevaluable(const Report& r) {
  std::map<std::string, std::vector<std::string>> by_lack;  // "kernel on n2..n9" -> rules
  for (const model::Unevaluable& u : r.verdict.unevaluable) {
    std::vector<std::string> lacks;
    for (const auto& [source, places] : u.lacked) lacks.push_back(SourceOn(source, places));
    by_lack[Join(lacks, "; ")].push_back(u.rule);
  }
  size_t shown = 0;
  for (const auto& [lack, rules] : by_lack) {
    if (shown++ == kRows) {
      r.page->Put("  ", {{"and rules that lack " + Counted(by_lack.size() - kRows, "other record", "other records")}});
      break;
    }
    const bool unnamed = std::all_of(rules.begin(), rules.end(), IsOutcome);
    const std::string what = unnamed
                                 ? Named(rules) + " could not be evaluated"
                                 : Counted(rules.size(), "rule", "rules") + " could not be evaluated: " + Named(rules);
    r.page->Put("  ", "    ", {{"without " + lack, Style::kBold}, {": " + what}});
  }
}

}  // namespace

void PutCandidates(const Report& r) {
  const model::Verdict& v = r.verdict;
  if (v.candidates.empty()) return;
  r.page->Section("WHERE IT POINTS");
  for (const model::Candidate& c : v.candidates) {
    r.page->Put("- ", "  ", {{c.domain, Style::kBold}, {"  suggested by " + Named(c.suggested_by)}});
    if (!c.needs.empty()) r.page->Put("  ", {{"would be decided by " + Join(c.needs, "; ")}});
  }
}

void PutNotCollected(const Report& r) {
  const model::Verdict& v = r.verdict;
  bool blind = std::any_of(v.coverage.begin(), v.coverage.end(), [](const auto& c) { return !Covers(c); });
  if (!blind && v.unevaluable.empty()) return;
  r.page->Section("NOT COLLECTED");
  size_t shown = 0, more = 0;
  for (const model::CoverageView& c : v.coverage) {
    if (Covers(c)) continue;
    if (shown++ >= kRows) {
      ++more;
      continue;
    }
    Spans line = {{SourceOn(c.source, c.nodes), Style::kBold}, {"  " + c.status, Style::kYellow}};
    if (!c.reason.empty()) line.push_back({"  " + c.reason});
    if (c.observations != 0) line.push_back({"  (" + Counted(c.observations, "observation", "observations") + ")"});
    r.page->Put("  ", "    ", line);
  }
  if (more != 0) r.page->Put("  ", {{"and " + Counted(more, "more row", "more rows") + " of coverage"}});
  PutUnevaluable(r);
}

namespace {

// What a group of unknowns may lead to: domains, another terminal state, another
// status. "could make it attributed to fabric.nvlink (3 rules)".
std::string CouldMakeIt(const model::Verdict& v, const model::WouldChange& c) {
  constexpr std::string_view kState = "terminal state ";
  std::vector<std::string> domains, states;
  for (const auto& [where, count] : c.leads_to) {
    if (where.compare(0, kState.size(), kState) == 0) {
      states.push_back(where.substr(kState.size()));
    } else if (where != c.verdict) {
      domains.push_back(where + " (" + Counted(count, "rule", "rules") + ")");
    }
  }
  const std::string state = states.empty() ? "" : "the terminal state " + Join(states, ", ");
  if (c.verdict == "jointly") return "  only together with others: " + Join(domains, ", ");
  const bool same = c.verdict == model::Name(v.status);
  if (domains.empty() && same && !state.empty()) return "  could make " + state;
  std::string out = "  could make it " + (c.verdict == "no_failure" ? "no failure" : c.verdict);
  if (!domains.empty()) out += (c.verdict == "attributed" ? " to " : ": ") + Join(domains, ", ");
  if (!state.empty()) out += (same ? ", or " : ", with ") + state;
  return out;
}

}  // namespace

void PutWouldChange(const Report& r) {
  const model::Verdict& v = r.verdict;
  for (const model::LimitView& l : v.limits) {
    r.page->Blank();
    r.page->Put("", "  ",
                {{"LIMIT  ", Style::kYellow},
                 {ShortName(l.rule) + " was not evaluated: " + Grouped(l.value) + " " + l.limit + ", at most " +
                  Grouped(l.bound)}});
  }
  if (v.settled) return;
  r.page->Section("WHAT WOULD CHANGE THIS VERDICT");
  if (v.would_change.empty())
    r.page->Put("  ", {{"Nothing that is known by name; what is presumed may be otherwise."}});
  for (const model::WouldChange& c : v.would_change) {
    Spans line = {{SourceOn(c.source, c.places), Style::kBold}};
    line.push_back({CouldMakeIt(v, c)});
    r.page->Put("- ", "  ", line);
    r.page->Put("  ", {{Named(c.rules), Style::kDim}});
  }
  if (v.would_change_more != 0) {
    r.page->Put("  ", {{"and " + Counted(v.would_change_more, "more group", "more groups") + " of unknowns"}});
  }
}

void PutFoot(const Report& r) {
  const model::Verdict& v = r.verdict;
  r.page->Blank();
  std::string scope = Counted(v.observations_in, "observation", "observations");
  std::vector<std::string> out;
  for (const model::ScopeCount& s : v.out_of_scope) out.push_back(Grouped(s.count) + " " + s.reason);
  if (!out.empty()) scope += "; left out: " + Join(out, ", ");
  r.page->Put("", {{scope, Style::kDim}});
  for (const std::string& w : v.warnings) r.page->Put("", "  ", {{"warning: ", Style::kYellow}, {w}});
  std::vector<std::string> imports;
  for (const auto& [name, version] : v.pack.imports) imports.push_back(name + " " + version);
  std::string pack = "pack " + v.pack.name + " " + v.pack.version;
  if (!imports.empty()) pack += " (" + Join(imports, ", ") + ")";
  r.page->Put("", "  ", {{pack + ", " + v.engine + ", input " + v.input_sha256.substr(0, 12), Style::kDim}});
}

}  // namespace attr::report

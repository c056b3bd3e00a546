// A verdict for a person at night: the answer in the first line, then why, then
// what to do, then what is not known.
#include <algorithm>
#include <map>

#include "runtime/base/fold_names.h"
#include "runtime/report/report.h"
#include "runtime/report/text_parts.h"

namespace attr::report {

namespace {

std::vector<std::string> RulesOf(const model::Verdict& v) {
  std::vector<std::string> out;
  for (const model::CauseView& c : v.causes) {
    if (std::find(out.begin(), out.end(), c.finding.rule) == out.end()) out.push_back(c.finding.rule);
  }
  return out;
}

std::string TitlesOf(const model::Verdict& v) {
  const std::vector<std::string> rules = RulesOf(v);
  std::string out = TitleOf(v.causes.front().finding.title, rules.front());
  const std::string link = v.status == model::VerdictStatus::kAmbiguous ? " or " : " and ";
  if (rules.size() > 1) out += link + Counted(rules.size() - 1, "more cause", "more causes");
  return out;
}

// Of two candidates each with its own nodes: what one blames is not the other's.
std::string EitherOf(const model::Verdict& v) {
  std::vector<std::pair<std::string, std::vector<std::string>>> rules;  // title, nodes
  std::map<std::string, size_t> at;
  for (const model::CauseView& c : v.causes) {
    const auto [found, added] = at.emplace(c.finding.rule, rules.size());
    if (added) rules.emplace_back(TitleOf(c.finding.title, c.finding.rule), std::vector<std::string>());
    std::vector<std::string>& nodes = rules[found->second].second;
    for (const std::string& node : c.blamed_nodes) {
      if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
    }
  }
  std::string out;
  for (auto& [title, nodes] : rules) {
    SortNames(&nodes);
    out += (out.empty() ? "" : " or ") + title + (nodes.empty() ? "" : " on " + Places(nodes, 4));
  }
  return rules.size() == 2 ? out : "";
}

// "NVLink signal-integrity fault and 2 more causes on n1"
std::string AnswerOf(const model::Verdict& v) {
  if (v.status == model::VerdictStatus::kAmbiguous) {
    const std::string either = EitherOf(v);
    if (!either.empty()) return either;
  }
  std::vector<std::string> nodes;
  for (const auto& [node, causes] : v.affected_nodes) nodes.push_back(node);
  return TitlesOf(v) + (nodes.empty() ? "" : " on " + Places(nodes, 4));
}

// In the order of the causes, as the titles beside them.
std::string DomainsOf(const model::Verdict& v) {
  std::vector<std::string> out;
  for (const model::CauseView& c : v.causes) {
    for (const std::string& domain : c.domains) {
      if (std::find(out.begin(), out.end(), domain) == out.end()) out.push_back(domain);
    }
  }
  if (out.size() == 2) return out[0] + " or " + out[1];
  return Join(out, ", ");
}

// A symptom that blames nobody was seen by its victim, which is not at fault.
std::string FirstFailureOf(const Report& r, const model::FirstFailure& f) {
  std::string out = "  first failure: " + TitleOf(f.title, f.rule);
  if (!f.nodes.empty()) out += (f.blames ? " on " : ", seen on ") + Places(f.nodes, 4);
  return out + ", " + r.times.Of(f.time);
}

Spans Headline(const Report& r) {
  const model::Verdict& v = r.verdict;
  Spans out;
  switch (v.status) {
    case model::VerdictStatus::kAttributed:
      out = {{"ATTRIBUTED", Style::kRed}, {"  " + v.domain + ": ", Style::kBold}, {AnswerOf(v), Style::kBold}};
      break;
    case model::VerdictStatus::kAmbiguous:
      out = {{"AMBIGUOUS", Style::kYellow}, {"  " + DomainsOf(v) + ": ", Style::kBold}, {AnswerOf(v), Style::kBold}};
      break;
    case model::VerdictStatus::kUnattributed:
      out = {{"UNATTRIBUTED", Style::kYellow}};
      if (v.first_failure) {
        out.push_back({FirstFailureOf(r, *v.first_failure), Style::kBold});
      } else {
        out.push_back({"  no cause and no unexplained symptom was found", Style::kBold});
      }
      break;
    case model::VerdictStatus::kNoFailure:
      out = {{"NO FAILURE", Style::kGreen}, {"  the attempt succeeded", Style::kBold}};
      if (!v.notable.empty())
        out.push_back({"; " + Counted(v.notable.size(), "finding is", "findings are") + " worth a look"});
      break;
  }
  out.push_back({v.settled ? "  (settled)" : "  (provisional)", v.settled ? Style::kGreen : Style::kYellow});
  return out;
}

void PutAttempt(const Report& r) {
  const model::Verdict& v = r.verdict;
  std::string line = "attempt " + (v.attempt.empty() ? "?" : v.attempt);
  if (!v.job.empty()) line += " of job " + v.job;
  line += ", " + v.terminal_state;
  if (!v.terminal_state_unknown_before.empty()) {
    line += " (could also be " + Join(v.terminal_state_unknown_before, ", ") + ")";
  }
  if (!r.times.date().empty()) line += ", " + r.times.date();
  if (!v.start.Unknown() || !v.end.Unknown()) {
    line += " " + (v.start.Unknown() ? "start unknown" : r.times.Of(v.start)) + " to " +
            (v.end.Unknown() ? "end unknown" : r.times.Of(v.end));
  }
  r.page->Put("", {{line, Style::kDim}});
}

void PutMain(const Report& r) {
  const model::Verdict& v = r.verdict;
  switch (v.status) {
    case model::VerdictStatus::kAttributed:
      r.page->Section(v.causes.size() == 1 ? "CAUSE" : "CAUSES");
      break;
    case model::VerdictStatus::kAmbiguous:
      r.page->Section(v.causes.size() <= 2 ? "EITHER OF THESE" : "ONE OF THESE");
      break;
    case model::VerdictStatus::kUnattributed:
      break;
    case model::VerdictStatus::kNoFailure:
      if (!v.notable.empty()) r.page->Section("NOTABLE");
      PutCauses(r, v.notable, false);
      return;
  }
  PutCauses(r, v.causes, true);
  for (const model::StayTwo& pair : v.stay_two) {
    r.page->Blank();
    r.page->Put("", {{ShortName(pair.rule) + " and " + ShortName(pair.other) + " stay two: " + pair.clause}});
    if (!pair.because.empty()) r.page->Put("", {{"because " + pair.because}});
  }
  if (v.status == model::VerdictStatus::kAmbiguous && v.settled && v.stay_two.empty()) {
    r.page->Blank();
    r.page->Put("", {{"No missing record would tell them apart: no rule puts one above the other here."}});
  }
  PutUnexplained(r);
  PutCandidates(r);
}

}  // namespace

std::string ToText(const model::Verdict& verdict, const TextOptions& options) {
  Page page(options);
  Report report{verdict, Times(verdict), &page};
  page.Put("", "  ", Headline(report));
  PutAttempt(report);
  PutMain(report);
  PutAffected(report);
  PutOtherRoots(report);
  PutPossible(report);
  PutWouldChange(report);
  PutNotCollected(report);
  PutFoot(report);
  return page.Take();
}

}  // namespace attr::report

// A verdict for a person at night: the answer in the first line, then why, then
// what to do, then what is not known.
#include <algorithm>

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

// "NVLink signal-integrity fault on n1 and 2 more causes"
std::string AnswerOf(const model::Verdict& v) {
  const model::FindingView& f = v.causes.front().finding;
  std::string out = TitleOf(f.title, f.rule);
  size_t rules = RulesOf(v).size();
  std::vector<std::string> nodes;
  for (const auto& [node, causes] : v.affected_nodes) nodes.push_back(node);
  if (rules > 1) out += " and " + Counted(rules - 1, "more cause", "more causes");
  if (!nodes.empty()) out += " on " + Places(nodes, 4);
  return out;
}

std::string DomainsOf(const model::Verdict& v) {
  std::vector<std::string> out;
  for (const model::CauseView& c : v.causes) out.insert(out.end(), c.domains.begin(), c.domains.end());
  SortNames(&out);
  if (out.size() == 2) return out[0] + " or " + out[1];
  return Join(out, ", ");
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
        const model::FirstFailure& f = *v.first_failure;
        std::string where = f.nodes.empty() ? "" : " on " + Places(f.nodes, 4);
        out.push_back(
            {"  first failure: " + TitleOf(f.title, f.rule) + where + ", " + r.times.Of(f.time), Style::kBold});
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
      r.page->Section("EITHER OF THESE");
      break;
    case model::VerdictStatus::kUnattributed:
      break;
    case model::VerdictStatus::kNoFailure:
      if (!v.notable.empty()) r.page->Section("NOTABLE");
      PutCauses(r, v.notable, false);
      return;
  }
  PutCauses(r, v.causes, true);
  if (v.status == model::VerdictStatus::kAmbiguous && v.settled) {
    r.page->Blank();
    r.page->Put("", {{"No missing record would tell them apart: the rules know no order between them."}});
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
  PutWouldChange(report);
  PutNotCollected(report);
  PutFoot(report);
  return page.Take();
}

}  // namespace attr::report

// Expectations against a verdict: what was expected, what the verdict says.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/testing/test_case.h"
#include "compiler/testing/test_lowering.h"

namespace attr::testing {

namespace {

using model::CauseView;
using model::SymptomView;
using model::Verdict;
using model::VerdictStatus;
using syntax::Expectation;
using syntax::QName;
using syntax::Text;

template <class List, class F>
std::string Join(const List& list, F&& text) {
  std::string out;
  for (const auto& item : list) out += (out.empty() ? "" : ", ") + text(item);
  return out.empty() ? "none" : out;
}

bool Contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

bool ContainsAll(const std::vector<std::string>& list, const std::vector<Text>& items) {
  return std::all_of(items.begin(), items.end(), [&](const Text& t) { return Contains(list, t.value); });
}

bool IsWithin(const std::string& domain, const std::string& ancestor) {
  return domain == ancestor || domain.rfind(ancestor + ".", 0) == 0;
}

std::string StatusText(const Verdict& verdict) {
  std::string out(model::Name(verdict.status));
  if (!verdict.domain.empty()) out += " " + verdict.domain;
  return out + (verdict.settled ? " settled" : " provisional");
}

std::string CauseText(const CauseView& cause) {
  std::string out = cause.finding.rule;
  if (!cause.blamed_nodes.empty()) out += " on " + Join(cause.blamed_nodes, [](const std::string& n) { return n; });
  return out;
}

std::string CausesText(const Verdict& verdict) { return "causes: " + Join(verdict.causes, CauseText); }

bool CertaintyFits(const Expectation& e, const Verdict& verdict) {
  return !e.certainty || (e.certainty->text == "settled") == verdict.settled;
}

bool StatusFits(const Expectation& e, const Verdict& verdict) {
  switch (e.kind) {
    case Expectation::Kind::kAttributed:
      return verdict.status == VerdictStatus::kAttributed && verdict.domain == e.paths.front().text;
    case Expectation::Kind::kUnattributed:
      return verdict.status == VerdictStatus::kUnattributed;
    case Expectation::Kind::kNoFailure:
      return verdict.status == VerdictStatus::kNoFailure;
    default:
      return verdict.status == VerdictStatus::kAmbiguous;
  }
}

/// Every listed domain holds some cause, and every cause lies in a listed one.
bool AmbiguousBetween(const Expectation& e, const Verdict& verdict) {
  std::vector<std::string> domains;
  for (const CauseView& cause : verdict.causes)
    domains.insert(domains.end(), cause.domains.begin(), cause.domains.end());
  auto listed = [&](const std::string& d) {
    return std::any_of(e.paths.begin(), e.paths.end(), [&](const syntax::Name& p) { return IsWithin(d, p.text); });
  };
  auto held = [&](const syntax::Name& p) {
    return std::any_of(domains.begin(), domains.end(), [&](const std::string& d) { return IsWithin(d, p.text); });
  };
  return std::all_of(domains.begin(), domains.end(), listed) && std::all_of(e.paths.begin(), e.paths.end(), held);
}

bool HasCause(const Expectation& e, const Verdict& verdict) {
  std::vector<std::string> nodes;
  bool found = false;
  for (const CauseView& cause : verdict.causes) {
    if (!NamesRule(e.rules.front(), cause.finding.rule)) continue;
    found = true;
    nodes.insert(nodes.end(), cause.blamed_nodes.begin(), cause.blamed_nodes.end());
  }
  return found && ContainsAll(nodes, e.on);
}

bool DemotedBy(const SymptomView& symptom, const std::optional<QName>& by) {
  return std::any_of(symptom.demoted_by.begin(), symptom.demoted_by.end(),
                     [&](const model::DemotedBy& d) { return !by || NamesRule(*by, d.rule); });
}

bool HasDemoted(const Expectation& e, const QName& rule, const Verdict& verdict) {
  std::vector<std::string> nodes;
  bool found = false;
  for (const SymptomView& symptom : verdict.symptoms) {
    if (!NamesRule(rule, symptom.finding.rule) || !DemotedBy(symptom, e.by)) continue;
    found = true;
    nodes.insert(nodes.end(), symptom.finding.nodes.begin(), symptom.finding.nodes.end());
  }
  return found && ContainsAll(nodes, e.on);
}

std::string DemotedText(const Verdict& verdict) {
  return "demoted: " + Join(verdict.symptoms, [](const SymptomView& s) {
           return s.finding.rule + " by " + Join(s.demoted_by, [](const model::DemotedBy& d) { return d.rule; });
         });
}

bool HasWouldChange(const Expectation& e, const Verdict& verdict) {
  auto fits = [&](const model::WouldChange& change) {
    bool rule = std::any_of(change.rules.begin(), change.rules.end(),
                            [&](const std::string& r) { return NamesRule(e.rules.front(), r); });
    bool source = e.needs.empty() || std::any_of(e.needs.begin(), e.needs.end(),
                                                 [&](const syntax::Name& n) { return n.text == change.source; });
    return rule && source && (change.places.empty() || ContainsAll(change.places, e.on));
  };
  return std::any_of(verdict.would_change.begin(), verdict.would_change.end(), fits);
}

std::string WouldChangeText(const Verdict& verdict) {
  return "would change: " + Join(verdict.would_change, [](const model::WouldChange& c) {
           return Join(c.rules, [](const std::string& r) { return r; }) + " needs " + c.source;
         });
}

std::string CandidatesText(const Verdict& verdict) {
  return "candidates: " + Join(verdict.candidates, [](const model::Candidate& c) { return c.domain; });
}

/// Empty when the expectation holds.
std::string Actual(const Expectation& e, const Verdict& verdict) {
  using Kind = Expectation::Kind;
  switch (e.kind) {
    case Kind::kAttributed:
    case Kind::kUnattributed:
    case Kind::kNoFailure:
      return StatusFits(e, verdict) && CertaintyFits(e, verdict) ? "" : StatusText(verdict);
    case Kind::kAmbiguous:
      if (!StatusFits(e, verdict) || !CertaintyFits(e, verdict)) return StatusText(verdict);
      return e.paths.empty() || AmbiguousBetween(e, verdict) ? "" : CausesText(verdict);
    case Kind::kState:
      return verdict.terminal_state == e.paths.front().text ? "" : "state " + verdict.terminal_state;
    case Kind::kCandidates: {
      auto has = [&](const syntax::Name& p) {
        return std::any_of(verdict.candidates.begin(), verdict.candidates.end(),
                           [&](const model::Candidate& c) { return IsWithin(c.domain, p.text); });
      };
      return std::all_of(e.paths.begin(), e.paths.end(), has) ? "" : CandidatesText(verdict);
    }
    case Kind::kCause:
      return HasCause(e, verdict) != e.negated ? "" : CausesText(verdict);
    case Kind::kDemoted: {
      auto fits = [&](const QName& rule) { return HasDemoted(e, rule, verdict) != e.negated; };
      return std::all_of(e.rules.begin(), e.rules.end(), fits) ? "" : DemotedText(verdict);
    }
    case Kind::kWouldChange:
      return HasWouldChange(e, verdict) != e.negated ? "" : WouldChangeText(verdict);
  }
  return "";
}

}  // namespace

std::vector<Mismatch> Check(const syntax::TestDecl& test, const Verdict& verdict) {
  std::vector<Mismatch> out;
  for (const Expectation& e : test.expectations) {
    std::string actual = Actual(e, verdict);
    if (!actual.empty()) out.push_back({e.span, std::move(actual)});
  }
  return out;
}

}  // namespace attr::testing

// The status table (language.md section 6.5) with domain alternatives
// intersected at the top (semantics.md S15), and the terminal state (S22).
#include <algorithm>

#include "runtime/resolve/flow.h"

namespace attr::resolve {

namespace {

uint32_t TopOf(const plan::Plan& plan, uint32_t domain) {
  while (plan.domains[domain].parent != plan::kNone) domain = plan.domains[domain].parent;
  return domain;
}

std::vector<uint32_t> PathOf(const plan::Plan& plan, uint32_t domain) {
  std::vector<uint32_t> out;
  for (; domain != plan::kNone; domain = plan.domains[domain].parent) out.push_back(domain);
  std::reverse(out.begin(), out.end());
  return out;
}

std::vector<uint32_t> TopsOf(const plan::Plan& plan, uint32_t rule) {
  std::vector<uint32_t> out;
  for (uint32_t d : plan.rules[rule].domains) out.push_back(TopOf(plan, d));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

template <class T>
void SortUnique(std::vector<T>* list) {
  std::sort(list->begin(), list->end());
  list->erase(std::unique(list->begin(), list->end()), list->end());
}

}  // namespace

uint32_t CommonDomain(const plan::Plan& plan, const std::vector<uint32_t>& rules) {
  if (rules.empty()) return plan::kNone;
  std::vector<uint32_t> tops = TopsOf(plan, rules.front());
  for (uint32_t rule : rules) {
    std::vector<uint32_t> both;
    std::vector<uint32_t> mine = TopsOf(plan, rule);
    std::set_intersection(tops.begin(), tops.end(), mine.begin(), mine.end(), std::back_inserter(both));
    tops = std::move(both);
  }
  if (tops.size() != 1) return plan::kNone;
  std::vector<uint32_t> common;
  bool first = true;
  for (uint32_t rule : rules) {
    for (uint32_t domain : plan.rules[rule].domains) {
      std::vector<uint32_t> path = PathOf(plan, domain);
      if (path.front() != tops.front()) continue;
      if (first) common = path;
      first = false;
      auto end = std::mismatch(common.begin(), common.end(), path.begin(), path.end()).first;
      common.erase(end, common.end());
    }
  }
  return common.back();
}

Terminal FindTerminal(const Problem& p, const std::vector<Bits>& outcome) {
  Terminal out;
  bool found = false;
  bool certain = false;
  for (uint32_t r = 0; r < p.plan.rules.size() && !certain; ++r) {
    const plan::Rule& rule = p.plan.rules[r];
    if (rule.kind != plan::RuleKind::kOutcome || outcome[r] == kNo) continue;
    out.possible.push_back(rule.state);
    certain = outcome[r] == kYes;
    if (found) continue;
    if ((outcome[r] & eval::kPresumedBit) != 0) {
      found = true;
      out.state = rule.state;
    } else {
      out.unknown_before.push_back(r);
    }
  }
  if (!certain) out.possible.push_back(plan::TerminalState::kUnknown);
  SortUnique(&out.possible);
  return out;
}

Summary Summarize(const Problem& p, const Flow& flow, Bits mask, plan::TerminalState state) {
  Summary out;
  out.state = state;
  if (state == plan::TerminalState::kSucceeded) {
    out.status = model::VerdictStatus::kNoFailure;
    return out;
  }
  std::vector<bool> rules(p.plan.rules.size());
  for (size_t e = 0; e < p.EntityCount(); ++e) {
    if ((flow.survivor[e] & mask) == 0) continue;
    rules[p.RuleOf(e)] = true;
    if (p.IsTried(e)) continue;
    const auto& blamed = p.evaluation.findings[e].blamed_nodes;
    out.blamed.insert(out.blamed.end(), blamed.begin(), blamed.end());
  }
  for (uint32_t r = 0; r < rules.size(); ++r) {
    if (rules[r]) out.rules.push_back(r);
  }
  SortUnique(&out.blamed);
  if (out.rules.empty()) return out;
  out.domain = CommonDomain(p.plan, out.rules);
  out.status = out.domain == plan::kNone ? model::VerdictStatus::kAmbiguous : model::VerdictStatus::kAttributed;
  return out;
}

}  // namespace attr::resolve

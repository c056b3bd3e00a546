// The causal tree: under a cause what it demoted, rule by rule, under that what
// was demoted by it. Findings of one rule under one parent are one line.
#include <algorithm>
#include <set>

#include "runtime/report/text_parts.h"

namespace attr::report {

namespace {

constexpr size_t kMaxDepth = 8;

struct Branch {
  std::string rule, title;
  std::vector<uint32_t> shown;  // indices into symptoms
  uint64_t total = 0;
};

const model::SymptomGroup* GroupOf(const model::Verdict& v, const std::string& rule) {
  for (const model::SymptomGroup& g : v.symptom_groups) {
    if (g.rule == rule) return &g;
  }
  return nullptr;
}

// Symptoms of a list, by rule in the order of their first.
std::vector<Branch> BranchesOf(const model::Verdict& v, const std::vector<uint32_t>& symptoms) {
  std::vector<Branch> out;
  for (uint32_t s : symptoms) {
    const model::FindingView& f = v.symptoms[s].finding;
    auto at = std::find_if(out.begin(), out.end(), [&](const Branch& b) { return b.rule == f.rule; });
    if (at == out.end()) at = out.insert(at, {f.rule, TitleOf(f.title, f.rule), {}, 0});
    at->shown.push_back(s);
    ++at->total;
  }
  return out;
}

class Tree {
 public:
  Tree(const Report& report, std::vector<bool>* printed) : r_(report), v_(report.verdict), printed_(*printed) {
    printed_.resize(v_.symptoms.size());
  }

  void Put(const std::vector<Branch>& branches, const std::string& by, const std::string& prefix, size_t depth) {
    for (size_t i = 0; i < branches.size(); ++i) {
      bool last = i + 1 == branches.size();
      PutBranch(branches[i], by, prefix + (last ? "└─ " : "├─ "), prefix + (last ? "   " : "│  "), depth);
    }
  }

 private:
  void PutBranch(const Branch& b, const std::string& by, const std::string& first, const std::string& rest,
                 size_t depth) {
    bool again = std::all_of(b.shown.begin(), b.shown.end(), [&](uint32_t s) { return printed_[s]; });
    Spans line;
    if (b.total > 1) line.push_back({Grouped(b.total) + " × ", Style::kBold});
    line.push_back({b.title, Style::kBold});
    line.push_back({" [" + ShortName(b.rule) + "]", Style::kDim});
    if (again) {
      line.push_back({"  (shown above)", Style::kDim});
      r_.page->Put(first, rest, line);
      return;
    }
    for (uint32_t s : b.shown) printed_[s] = true;
    line.push_back({"  " + When(b), Style::kCyan});
    line.push_back({Where(b), Style::kPlain});
    r_.page->Put(first, rest, line);
    std::string body = rest + (depth < kMaxDepth ? "  " : "");
    PutReason(b, by, body);
    PutSample(b, body);
    std::vector<uint32_t> below;
    for (uint32_t s = 0; s < v_.symptoms.size(); ++s) {
      const auto& parent = v_.symptoms[s].parent;
      bool mine = parent && std::find(b.shown.begin(), b.shown.end(), *parent) != b.shown.end();
      if (mine && !printed_[s]) below.push_back(s);
    }
    if (!below.empty()) Put(WithTotals(below), b.rule, depth < kMaxDepth ? rest : "", depth + 1);
  }

  // All findings of a rule stand here when all that are shown do.
  std::vector<Branch> WithTotals(const std::vector<uint32_t>& symptoms) const {
    std::vector<Branch> out = BranchesOf(v_, symptoms);
    for (Branch& b : out) {
      size_t of_rule = 0;
      for (const auto& s : v_.symptoms) of_rule += s.finding.rule == b.rule;
      const model::SymptomGroup* group = GroupOf(v_, b.rule);
      if (group != nullptr && of_rule == b.shown.size()) b.total = group->findings;
    }
    return out;
  }

  bool IsWholeGroup(const Branch& b) const {
    const model::SymptomGroup* group = GroupOf(v_, b.rule);
    return group != nullptr && group->findings == b.total;
  }

  std::string When(const Branch& b) const {
    const model::SymptomGroup* group = GroupOf(v_, b.rule);
    if (IsWholeGroup(b)) return r_.times.Span(group->first, group->last);
    return r_.times.Span(v_.symptoms[b.shown.front()].finding.first, v_.symptoms[b.shown.back()].finding.last);
  }

  std::string Where(const Branch& b) const {
    std::vector<std::string> nodes;
    if (IsWholeGroup(b)) {
      nodes = GroupOf(v_, b.rule)->nodes;
    } else {
      for (uint32_t s : b.shown) {
        for (const std::string& n : v_.symptoms[s].finding.nodes) {
          if (std::find(nodes.begin(), nodes.end(), n) == nodes.end()) nodes.push_back(n);
        }
      }
    }
    if (nodes.empty()) return "  node unknown";
    return "  on " + Places(nodes) + (IsWholeGroup(b) || b.total == b.shown.size() ? "" : " and others");
  }

  void PutReason(const Branch& b, const std::string& by, const std::string& prefix) const {
    for (uint32_t s : b.shown) {
      for (const model::DemotedBy& d : v_.symptoms[s].demoted_by) {
        if (d.rule != by) continue;
        Spans line;
        if (!d.because.empty()) line.push_back({"because " + d.because, Style::kPlain});
        if (d.truth != model::Truth::kConfirmed)
          line.push_back({" (presumed: its order, its place or what it rests on is not certain)", Style::kYellow});
        if (!line.empty()) r_.page->Put(prefix, line);
        PutOthers(v_.symptoms[s], by, prefix);
        return;
      }
    }
  }

  void PutOthers(const model::SymptomView& s, const std::string& by, const std::string& prefix) const {
    std::vector<std::string> others;
    for (const model::DemotedBy& d : s.demoted_by) {
      if (d.rule != by) others.push_back(ShortName(d.rule));
    }
    if (!others.empty()) r_.page->Put(prefix, {{"also explained by " + Join(others, ", "), Style::kDim}});
  }

  void PutSample(const Branch& b, const std::string& prefix) const {
    const model::FindingView& f = v_.symptoms[b.shown.front()].finding;
    if (b.total == 1 && !f.explanation.empty()) r_.page->Put(prefix, {{f.explanation, Style::kPlain}});
    PutEvidence(r_, prefix, f, 1);
  }

  const Report& r_;
  const model::Verdict& v_;
  std::vector<bool>& printed_;
};

}  // namespace

void PutTree(const Report& report, const model::CauseView& cause, std::vector<bool>* printed) {
  std::vector<Branch> branches = BranchesOf(report.verdict, cause.explains);
  for (Branch& b : branches) {
    for (const auto& [rule, total] : cause.explains_total) {
      if (rule == b.rule) b.total = std::max(b.total, total);
    }
  }
  uint64_t unseen = 0;  // rules whose findings here are not among those shown
  for (const auto& [rule, total] : cause.explains_total) {
    bool seen = std::any_of(branches.begin(), branches.end(), [&](const Branch& b) { return b.rule == rule; });
    if (!seen) unseen += total;
  }
  if (branches.empty() && unseen == 0) return;
  report.page->Put("  ", {{"explains", Style::kPlain}});
  Tree(report, printed).Put(branches, cause.finding.rule, "  ", 0);
  if (unseen != 0) {
    report.page->Put("  ",
                     {{"and " + Counted(unseen, "finding that is", "findings that are") + " counted, not shown"}});
  }
}

void PutUnexplained(const Report& report) {
  const model::Verdict& v = report.verdict;
  std::vector<uint32_t> open;
  for (uint32_t s = 0; s < v.symptoms.size(); ++s) {
    if (v.symptoms[s].demoted_by.empty()) open.push_back(s);
  }
  if (open.empty()) return;
  report.page->Section(v.causes.empty()       ? "SYMPTOMS THAT NOTHING EXPLAINS"
                       : v.causes.size() == 1 ? "NOT EXPLAINED BY IT"
                                              : "NOT EXPLAINED BY THEM");
  std::vector<Branch> branches = BranchesOf(v, open);
  for (Branch& b : branches) {
    const model::SymptomGroup* group = GroupOf(v, b.rule);
    if (group != nullptr) b.total = std::max<uint64_t>(b.total, group->unexplained);
  }
  std::vector<bool> printed;
  Tree(report, &printed).Put(branches, "", "", 0);
}

}  // namespace attr::report

// Causes as a person reads them: what, where, when, the lines that show it, what
// to do, what it explains. Then the roots that lost, and the nodes to act on.
#include <algorithm>
#include <map>

#include "runtime/base/fold_names.h"
#include "runtime/report/text_parts.h"

namespace attr::report {

namespace {

constexpr size_t kFullPerRule = 3;
constexpr size_t kCauseEvidence = 3;
constexpr size_t kEvidenceLines = 3;  // of one line of a record, wrapped
constexpr size_t kRecordLines = 4;
constexpr size_t kListed = 8;

std::string WhereOf(const model::FindingView& f, const std::vector<std::string>& blamed_nodes,
                    const std::vector<std::string>& blamed_gpus) {
  if (!f.open_places.empty()) return "one of " + Places(f.open_places) + " (it cannot be told which)";
  const std::vector<std::string>& nodes = blamed_nodes.empty() ? f.nodes : blamed_nodes;
  const std::vector<std::string>& gpus = blamed_gpus.empty() ? f.gpus : blamed_gpus;
  std::string out = nodes.empty() ? "" : Places(nodes);
  if (!gpus.empty()) out += (out.empty() ? "GPU " : ", GPU ") + Places(gpus);
  if (out.empty() && !f.ranks.empty()) out = "rank " + Places(f.ranks);
  return out.empty() ? "node unknown" : out;
}

void PutHeadOf(const Report& r, const model::CauseView& c) {
  const model::FindingView& f = c.finding;
  Spans title = {{TitleOf(f.title, f.rule), Style::kBold}};
  if (f.truth != model::Truth::kConfirmed)
    title.push_back({"  (" + std::string(model::Name(f.truth)) + ")", Style::kYellow});
  r.page->Put("", "  ", title);
  r.page->Field("  ", "domain", {{Join(c.domains, " or "), Style::kPlain}});
  r.page->Field("  ", "rule", {{f.rule, Style::kDim}});
  r.page->Field("  ", "where", {{WhereOf(f, c.blamed_nodes, c.blamed_gpus), Style::kBold}});
  std::string when = r.times.Span(f.first, f.last);
  if (f.count > 1) when += ", " + Grouped(f.count) + " times";
  r.page->Field("  ", "when", {{when, Style::kCyan}});
  if (!f.explanation.empty()) r.page->Field("  ", "what", {{f.explanation}});
  if (!c.advise.empty()) r.page->Field("  ", "advice", {{Join(c.advise, ", "), Style::kBold}});
}

void PutFolded(const Report& r, const std::vector<const model::CauseView*>& causes) {
  std::vector<std::string> nodes;
  for (const model::CauseView* c : causes) {
    const auto& list = c->blamed_nodes.empty() ? c->finding.nodes : c->blamed_nodes;
    nodes.insert(nodes.end(), list.begin(), list.end());
  }
  SortNames(&nodes);
  const model::FindingView& f = causes.front()->finding;
  r.page->Put("", "  ",
              {{Grouped(causes.size()) + " more × ", Style::kBold},
               {TitleOf(f.title, f.rule), Style::kBold},
               {nodes.empty() ? "  node unknown" : "  on " + Places(nodes)}});
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> out;
  for (size_t i = 0; i <= text.size();) {
    size_t end = std::min(text.find('\n', i), text.size());
    out.push_back(text.substr(i, end - i));
    if (!out.back().empty() && out.back().back() == '\r') out.back().pop_back();
    i = end + 1;
  }
  while (out.size() > 1 && out.back().empty()) out.pop_back();
  return out;
}

// Of a traceback the first line and the last two say most.
void PutRecord(const Report& r, const std::string& prefix, const std::string& text) {
  std::vector<std::string> lines = LinesOf(text);
  for (size_t i = 0; i < lines.size(); ++i) {
    size_t left_out = lines.size() > kRecordLines ? lines.size() - (kRecordLines - 1) : 0;
    if (left_out != 0 && i == 1) {
      r.page->Put(prefix, {{"… " + Counted(left_out, "line", "lines") + " …", Style::kDim}});
      i += left_out - 1;
      continue;
    }
    r.page->Put(prefix, prefix, {{lines[i]}}, kEvidenceLines);
  }
}

std::string LineOf(const Report& r, const model::CauseView& c) {
  const model::FindingView& f = c.finding;
  return " [" + ShortName(f.rule) + "]  " + WhereOf(f, c.blamed_nodes, c.blamed_gpus) + ", " +
         r.times.Span(f.first, f.last);
}

}  // namespace

void PutEvidence(const Report& r, std::string_view prefix, const model::FindingView& f, size_t shown) {
  size_t count = std::min(shown, f.evidence.size());
  for (size_t i = 0; i < count; ++i) {
    const model::Evidence& e = f.evidence[i];
    std::string head = e.source + (e.node.empty() ? "" : " " + e.node) + " " + r.times.Of(e.time);
    std::string inner = std::string(prefix) + "  ";
    r.page->Put(prefix, {{head, Style::kDim}});
    PutRecord(r, inner, e.text);
  }
  uint64_t total = std::max<uint64_t>(f.evidence_total, f.evidence.size());
  if (total > count && count > 0 && shown > 1) {
    r.page->Put(prefix, {{"and " + Counted(total - count, "more record", "more records"), Style::kDim}});
  }
}

void PutCauses(const Report& r, const std::vector<model::CauseView>& causes, bool with_tree) {
  std::map<std::string, std::vector<const model::CauseView*>> by_rule;
  std::vector<std::string> order;
  for (const model::CauseView& c : causes) {
    auto& list = by_rule[c.finding.rule];
    if (list.empty()) order.push_back(c.finding.rule);
    list.push_back(&c);
  }
  std::vector<bool> printed;
  bool first = true;
  for (const std::string& rule : order) {
    const auto& list = by_rule[rule];
    // One more than the limit is printed rather than folded.
    size_t full = list.size() <= kFullPerRule + 1 ? list.size() : kFullPerRule;
    for (size_t i = 0; i < full; ++i) {
      if (!first) r.page->Blank();
      first = false;
      PutHeadOf(r, *list[i]);
      if (!list[i]->finding.evidence.empty()) {
        r.page->Put("  ", {{"evidence"}});
        PutEvidence(r, "    ", list[i]->finding, kCauseEvidence);
      }
      if (with_tree) PutTree(r, *list[i], &printed);
    }
    if (full < list.size()) {
      r.page->Blank();
      PutFolded(r, {list.begin() + static_cast<std::ptrdiff_t>(full), list.end()});
    }
  }
}

void PutOtherRoots(const Report& r) {
  const model::Verdict& v = r.verdict;
  if (!v.outranked.empty()) r.page->Section("OUTRANKED");
  for (size_t i = 0; i < v.outranked.size() && i < kListed; ++i) {
    const model::Outranked& o = v.outranked[i];
    r.page->Put("- ", "  ",
                {{TitleOf(o.cause.finding.title, o.cause.finding.rule), Style::kBold}, {LineOf(r, o.cause)}});
    const std::string& pair = o.clause.empty() ? o.pair : o.clause;
    r.page->Put("  ", {{"gives way to " + ShortName(o.by_rule) + ": " + pair, Style::kDim}});
    if (!o.because.empty()) r.page->Put("  ", {{"because " + o.because}});
  }
  if (v.outranked.size() > kListed) {
    r.page->Put("  ", {{"and " + Grouped(v.outranked.size() - kListed) + " more"}});
  }
  if (!v.bystanders.empty()) r.page->Section("ALSO SEEN, EXPLAINS NOTHING HERE");
  for (size_t i = 0; i < v.bystanders.size() && i < kListed; ++i) {
    const model::CauseView& c = v.bystanders[i];
    r.page->Put("- ", "  ", {{TitleOf(c.finding.title, c.finding.rule), Style::kBold}, {LineOf(r, c)}});
  }
  if (v.bystanders.size() > kListed) {
    r.page->Put("  ", {{"and " + Grouped(v.bystanders.size() - kListed) + " more"}});
  }
}

void PutPossible(const Report& r) {
  const model::Verdict& v = r.verdict;
  if (v.possible.empty()) return;
  r.page->Section("POSSIBLE, NOT PROVED");
  for (const model::CauseView& c : v.possible) {
    r.page->Put("- ", "  ", {{TitleOf(c.finding.title, c.finding.rule), Style::kBold}, {LineOf(r, c)}});
    PutEvidence(r, "  ", c.finding, 1);
  }
  if (v.possible_more != 0) r.page->Put("  ", {{"and " + Grouped(v.possible_more) + " more"}});
}

// Nodes with the same causes are one line, in the order of their first node.
void PutAffected(const Report& r) {
  const model::Verdict& v = r.verdict;
  if (v.affected_nodes.empty()) return;
  r.page->Section("AFFECTED NODES");
  std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> groups;  // causes -> nodes
  for (const auto& [node, causes] : v.affected_nodes) {
    auto at = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == causes; });
    if (at == groups.end()) at = groups.insert(at, {causes, {}});
    at->second.push_back(node);
  }
  for (const auto& [causes, nodes] : groups) {
    std::vector<std::string> names, advice;
    for (const std::string& rule : causes) {
      names.push_back(ShortName(rule));
      for (const model::CauseView& c : v.causes) {
        if (c.finding.rule != rule) continue;
        for (const std::string& a : c.advise) {
          if (std::find(advice.begin(), advice.end(), a) == advice.end()) advice.push_back(a);
        }
        break;
      }
    }
    Spans line = {{Places(nodes, 12), Style::kBold}, {"  " + Join(names, ", ")}};
    if (!advice.empty()) line.push_back({"  advice: " + Join(advice, ", "), Style::kBold});
    r.page->Put("  ", "    ", line);
  }
}

}  // namespace attr::report

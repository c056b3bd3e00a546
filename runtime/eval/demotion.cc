#include "runtime/eval/demotion.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

#include "runtime/eval/rule_groups.h"

namespace attr::eval {
namespace {

/// Every system column, so that joins may read any.
void AddRow(const Finding& finding, uint32_t index, uint32_t place_column, const uint32_t* place, uint8_t membership,
            FindingRows* rows) {
  Table& table = rows->table;
  const size_t row = table.rows++;
  for (Column& column : table.columns) {
    column.slots.push_back(0);
    column.present.resize(WordsFor(table.rows));
  }
  const auto put = [&](uint32_t column, int64_t value) {
    table.columns[column].slots[row] = value;
    Set(table.columns[column].present, row);
  };
  put(plan::kBeginLo, finding.begin.lo);
  put(plan::kBeginHi, finding.begin.hi);
  put(plan::kEndLo, finding.end.lo);
  put(plan::kEndHi, finding.end.hi);
  put(plan::kPrecision, std::max(finding.begin.precision, finding.end.precision));
  put(plan::kClock, finding.clock);
  put(plan::kTie, finding.tie);
  put(plan::kSkew, finding.skew);
  if (finding.begin.IsStamp()) put(plan::kBegin, finding.begin.lo);
  if (finding.end.IsStamp()) put(plan::kEnd, finding.end.lo);
  if (place != nullptr) put(place_column, *place);
  table.observation.push_back(index);
  rows->membership.push_back(membership);
}

std::vector<uint32_t> TargetsOf(const plan::Demotion& demotion, const std::vector<std::vector<uint32_t>>& of_rule) {
  std::vector<uint32_t> findings;
  for (uint32_t rule : demotion.targets) {
    findings.insert(findings.end(), of_rule[rule].begin(), of_rule[rule].end());
  }
  return findings;
}

}  // namespace

std::string_view LabelOf(plan::DemoteOn on) {
  return on == plan::DemoteOn::kRack ? "rack" : on == plan::DemoteOn::kNvlinkDomain ? "nvlink_domain" : "";
}

namespace {

/// Nodes to the text of one label, as ids of the dictionary's texts; texts get numbers of their own.
class LabelMap {
 public:
  LabelMap(const Context& context, std::string_view label) {
    if (context.set == nullptr || label.empty()) return;
    std::map<std::string, uint32_t> numbers;
    for (const model::InventoryNode& node : context.set->attempt.nodes) {
      const auto text = node.labels.find(std::string(label));
      const uint32_t id = context.dictionary.Find(context.set->NameOf(node.node));
      if (text == node.labels.end() || id == Interner::kNone) continue;
      labels_.emplace(id, numbers.emplace(text->second, static_cast<uint32_t>(numbers.size())).first->second);
    }
  }
  /// Distinct labels of the nodes; `complete`: each has one.
  std::vector<uint32_t> Of(const std::vector<uint32_t>& nodes, bool* complete) const {
    std::vector<uint32_t> out;
    *complete = true;
    for (const uint32_t node : nodes) {
      const auto label = labels_.find(node);
      if (label == labels_.end()) {
        *complete = false;
      } else if (std::find(out.begin(), out.end(), label->second) == out.end()) {
        out.push_back(label->second);
      }
    }
    return out;
  }

 private:
  std::unordered_map<uint32_t, uint32_t> labels_;
};

/// A row for each label. A node without one may share any: a row without a place that
/// only may. Beside a finding without any node it is undecided like all others: where
/// no node has a label, a place that nobody else has stands for that.
void AddLabelRows(const Finding& finding, uint32_t index, uint32_t column, const LabelMap& labels, uint8_t membership,
                  FindingRows* rows) {
  bool complete = true;
  std::vector<uint32_t> places = labels.Of(finding.place_open ? finding.open_places : finding.nodes, &complete);
  if (places.empty()) places.push_back(UINT32_MAX - index);
  for (const uint32_t place : places) AddRow(finding, index, column, &place, membership, rows);
  if (!complete) AddRow(finding, index, column, nullptr, kMayBit, rows);
}

}  // namespace

FindingRows ExplodeFindings(const Context& context, const std::vector<Finding>& findings,
                            const std::vector<uint32_t>& which, plan::DemoteOn on) {
  FindingRows rows;
  rows.table.columns.resize(plan::kSystemColumns);
  const bool by_label = !LabelOf(on).empty();
  const LabelMap labels(context, LabelOf(on));
  const uint32_t column = by_label ? plan::kObserver : on == plan::DemoteOn::kGpu ? plan::kGpu : plan::kNode;
  for (uint32_t index : which) {
    const Finding& finding = findings[index];
    if (!finding.event_bound) continue;
    // One of several places: whichever it is, sharing it stays undecided.
    const bool open = finding.place_open && on != plan::DemoteOn::kGpu;
    const std::vector<uint32_t>& places = open                         ? finding.open_places
                                          : on == plan::DemoteOn::kGpu ? finding.gpus
                                                                       : finding.nodes;
    const uint8_t membership = open ? kUndecided : uint8_t{kAllBits};
    if (on == plan::DemoteOn::kAny || places.empty()) {
      AddRow(finding, index, column, nullptr, kAllBits, &rows);
    } else if (by_label) {
      AddLabelRows(finding, index, column, labels, membership, &rows);
    } else {
      for (const uint32_t& place : places) AddRow(finding, index, column, &place, membership, &rows);
    }
  }
  rows.table.first_phantom = rows.table.rows;
  return rows;
}

DemotionJoin::DemotionJoin(const Context& context, const Engine& engine, size_t kernel, uint32_t demotion,
                           const std::vector<Finding>& findings, const std::vector<std::vector<uint32_t>>& of_rule)
    : demotion_(demotion),
      findings_(findings),
      after_(context.plan->demotions[demotion].after),
      sources_(ExplodeFindings(context, findings, of_rule[context.plan->demotions[demotion].source],
                               context.plan->demotions[demotion].on)),
      targets_(ExplodeFindings(context, findings, TargetsOf(context.plan->demotions[demotion], of_rule),
                               context.plan->demotions[demotion].on)),
      join_(context, context.plan->demotions[demotion].join, engine, kernel, {&sources_.table, &sources_.membership},
            {&targets_.table, &targets_.membership}) {}

/// Beyond every tolerance; what a range or an untied clock leaves open is no order.
bool DemotionJoin::CertainlyAfter(uint32_t from, uint32_t to) const {
  const Finding &a = findings_[from], &b = findings_[to];
  if (a.tie != b.tie) return false;
  const int64_t precision = std::max({a.begin.precision, a.end.precision, b.begin.precision, b.end.precision});
  const int64_t tolerance = precision + (a.clock == b.clock ? 0 : std::max(a.skew, b.skew));
  return b.begin.lo > a.begin.hi + tolerance;
}

void DemotionJoin::Run(std::vector<Edge>* edges) {
  std::vector<Member> found;
  const std::vector<uint32_t>& finding_of = sources_.table.observation;
  for (size_t row = 0; row < sources_.table.rows;) {
    const uint32_t from = finding_of[row];
    for (; row < sources_.table.rows && finding_of[row] == from; ++row) join_.Reach(static_cast<uint32_t>(row));
    join_.Harvest(&found);
    for (Member& member : found) member.row = targets_.table.observation[member.row];
    MergeMembers(&found);
    for (const Member& member : found) {
      if (member.row != from && (!after_ || CertainlyAfter(from, member.row)))
        edges->push_back({from, member.row, demotion_, member.bits});
    }
  }
}

void SortEdges(size_t findings, std::vector<Edge>* edges) {
  std::vector<Edge> sorted(edges->size());
  const auto pass = [&](uint32_t Edge::*field) {
    std::vector<size_t> next(findings + 1, 0);
    for (const Edge& edge : *edges) ++next[edge.*field + 1];
    for (size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
    for (const Edge& edge : *edges) sorted[next[edge.*field]++] = edge;
    edges->swap(sorted);
  };
  if (edges->empty()) return;
  pass(&Edge::from);  // stable: edges come demotion by demotion
  pass(&Edge::to);
}

}  // namespace attr::eval

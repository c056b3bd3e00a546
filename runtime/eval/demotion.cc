#include "runtime/eval/demotion.h"

#include <algorithm>

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

FindingRows ExplodeFindings(const std::vector<Finding>& findings, const std::vector<uint32_t>& which,
                            plan::DemoteOn on) {
  FindingRows rows;
  rows.table.columns.resize(plan::kSystemColumns);
  const uint32_t column = on == plan::DemoteOn::kGpu ? plan::kGpu : plan::kNode;
  for (uint32_t index : which) {
    const Finding& finding = findings[index];
    if (!finding.event_bound) continue;
    // One of several places: whichever it is, sharing it stays undecided.
    const bool open = finding.place_open && on == plan::DemoteOn::kNode;
    const std::vector<uint32_t>& places = open                         ? finding.open_places
                                          : on == plan::DemoteOn::kGpu ? finding.gpus
                                                                       : finding.nodes;
    const uint8_t membership = open ? kUndecided : uint8_t{kAllBits};
    if (on == plan::DemoteOn::kAny || places.empty()) {
      AddRow(finding, index, column, nullptr, kAllBits, &rows);
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
      sources_(ExplodeFindings(findings, of_rule[context.plan->demotions[demotion].source],
                               context.plan->demotions[demotion].on)),
      targets_(ExplodeFindings(findings, TargetsOf(context.plan->demotions[demotion], of_rule),
                               context.plan->demotions[demotion].on)),
      join_(context, context.plan->demotions[demotion].join, engine, kernel, {&sources_.table, &sources_.membership},
            {&targets_.table, &targets_.membership}) {}

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
      if (member.row != from) edges->push_back({from, member.row, demotion_, member.bits});
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

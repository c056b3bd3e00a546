#include "runtime/eval/silence.h"

#include <algorithm>

namespace attr::eval {
namespace {

int64_t TimeOf(const Table& table, uint32_t column, const Member& member) {
  return table.columns[column].slots[member.row];
}

bool Timed(const Table& table, const Member& member) {
  return TimeOf(table, plan::kBeginLo, member) > plan::kBeforeAll &&
         TimeOf(table, plan::kEndHi, member) < plan::kAfterAll;
}

bool OneTie(const Table& table, const std::vector<Member>& rows) {
  return std::all_of(rows.begin(), rows.end(), [&](const Member& member) {
    return TimeOf(table, plan::kTie, member) == TimeOf(table, plan::kTie, rows.front());
  });
}

}  // namespace

std::vector<Part> SplitBySilence(const Table& table, const std::vector<Member>& rows, int64_t gap) {
  std::vector<Member> timed, untimed, phantoms;
  for (const Member& member : rows) {
    (member.row >= table.first_phantom ? phantoms : Timed(table, member) ? timed : untimed).push_back(member);
  }
  std::stable_sort(timed.begin(), timed.end(), [&](const Member& a, const Member& b) {
    return TimeOf(table, plan::kBeginLo, a) < TimeOf(table, plan::kBeginLo, b);
  });
  const bool comparable = OneTie(table, timed);
  std::vector<Part> parts;
  int64_t ended = plan::kBeforeAll, surely_ended = plan::kBeforeAll;
  for (const Member& member : timed) {
    const bool silence = comparable && TimeOf(table, plan::kBeginLo, member) - ended > gap;
    if (parts.empty() || silence) {
      parts.emplace_back();
    } else if (!comparable || TimeOf(table, plan::kBeginHi, member) - surely_ended > gap) {
      parts.back().sure = false;
    }
    parts.back().rows.push_back(member);
    ended = std::max(ended, TimeOf(table, plan::kEndHi, member));
    surely_ended = std::max(surely_ended, TimeOf(table, plan::kEndLo, member));
  }
  if (!untimed.empty()) {
    // It may be any time's: then the others may have one more.
    for (Part& part : parts) part.sure = false;
    const bool alone = parts.empty() && untimed.size() == 1;
    parts.push_back({std::move(untimed), alone});
  }
  if (parts.empty()) parts.emplace_back();
  for (Part& part : parts) {
    part.rows.insert(part.rows.end(), phantoms.begin(), phantoms.end());
    std::sort(part.rows.begin(), part.rows.end(), [](const Member& a, const Member& b) { return a.row < b.row; });
  }
  return parts;
}

}  // namespace attr::eval

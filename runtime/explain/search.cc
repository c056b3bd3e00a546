#include "runtime/explain/search.h"

#include <algorithm>
#include <tuple>

namespace attr::explain {

namespace {

/// Is `a` nearer than `b`?
bool Nearer(const Nearest& a, const Nearest& b) {
  if (a.satisfied() != b.satisfied()) return a.satisfied();
  if (a.complete() != b.complete()) return a.complete();
  return std::tuple(b.level, a.fails, a.miss) < std::tuple(a.level, b.fails, b.miss);
}

}  // namespace

Nearest FindNearest(const eval::Context& context, const TracedRule& rule, uint64_t budget,
                    const std::vector<std::vector<uint32_t>>& only) {
  Nearest best;
  const uint32_t alternatives = rule.rule->AlternativeCount();
  uint64_t looked_at = 0;
  bool more = false;
  for (uint32_t a = 0; a < alternatives; ++a) {
    Nearest one = Search(context, rule, a, budget / alternatives).Run(only);
    looked_at += one.looked_at;
    more = more || one.more;
    if (a == 0 || Nearer(one, best)) best = std::move(one);
  }
  best.looked_at = looked_at;
  best.more = more;
  return best;
}

Search::Search(const eval::Context& context, const TracedRule& rule, uint32_t alternative, uint64_t budget)
    : context_(context), rule_(rule), budget_(budget), parts_(rule.sides.size()), rows_(rule.sides.size(), kNoRow) {
  const plan::BindingRange range = plan::BindingsOf(*rule.rule, alternative);
  for (uint32_t b = range.first; b < range.end; ++b) {
    const plan::BindKind kind = rule.rule->bindings[b].kind;
    if (kind == plan::BindKind::kPositive) positive_.push_back(b);
    if (plan::IsNegative(kind)) negative_.push_back(b);
    parts_[b] = PartsOf(*context.plan, *rule.rule, b);
  }
  out_.rows = rows_;
}

Nearest Search::Run(const std::vector<std::vector<uint32_t>>& only) {
  only_ = only;
  only_.resize(rule_.sides.size());
  Extend(0);
  return out_;
}

/// False: `f` asked to stop, or the budget is spent.
template <class F>
bool Search::EachRow(uint32_t binding, F&& f) {
  const auto visit = [&](uint32_t row) {
    if (out_.looked_at == budget_) {
      out_.more = true;
      return false;
    }
    ++out_.looked_at;
    rows_[binding] = row;
    return f();
  };
  bool going = true;
  if (!only_[binding].empty()) {
    for (size_t i = 0; i < only_[binding].size() && going; ++i) going = visit(only_[binding][i]);
  } else {
    const auto real = static_cast<uint32_t>(rule_.sides[binding].table->first_phantom);
    for (uint32_t row = 0; row < real && going; ++row) going = visit(row);
  }
  rows_[binding] = kNoRow;
  return going;
}

/// False ends the search.
bool Search::Extend(size_t level) {
  if (level == positive_.size()) return Finish();
  const uint32_t binding = positive_[level];
  if (!complete_ && level > 0 && level > out_.level) {  // got further, until a row is met
    out_.level = level;
    out_.fails = SIZE_MAX;
    out_.rows = rows_;
    out_.failed = binding;
  }
  if (!complete_ && level == 0) out_.failed = binding;
  return EachRow(binding, [&] {
    size_t fails = 0;
    int64_t miss = 0;
    for (const Part& part : parts_[binding]) {
      if (BitsOf(context_, rule_, part, rows_) != 0) continue;
      ++fails;
      miss += MissOf(rule_, part, rows_);
    }
    if (fails == 0) return Extend(level + 1);
    const bool nearer = level == out_.level && std::pair(fails, miss) < std::pair(out_.fails, out_.miss);
    if (nearer && !complete_) {
      out_.fails = fails;
      out_.miss = miss;
      out_.failed = binding;
      out_.rows = rows_;
    }
    return true;
  });
}

/// A tuple that no negative binding takes away ends the search.
bool Search::Finish() {
  const bool first = !complete_;
  complete_ = true;
  out_.failed = plan::kNone;
  const auto negative =
      std::find_if(negative_.begin(), negative_.end(), [this](uint32_t binding) { return Taken(binding); });
  if (negative == negative_.end()) {
    out_.rows = rows_;
    out_.taken_by = plan::kNone;
    return false;
  }
  if (first) {
    out_.taken_by = *negative;
    out_.rows = rows_;
  }
  rows_[*negative] = kNoRow;
  return out_.looked_at < budget_;
}

/// Leaves the row that does it in `rows_`.
bool Search::Taken(uint32_t binding) {
  uint32_t found = kNoRow;
  EachRow(binding, [&] {
    const bool sure = std::all_of(parts_[binding].begin(), parts_[binding].end(), [this](const Part& part) {
      return (BitsOf(context_, rule_, part, rows_) & eval::kMustBit) != 0;
    });
    if (sure) found = rows_[binding];
    return !sure;
  });
  rows_[binding] = found;
  return found != kNoRow;
}

}  // namespace attr::explain

// Episodes and recoveries: lines of one key, one after the other
// (docs/language/folding.md, semantics.md S16).
#include <algorithm>

#include "tests/oracle/event_scope.h"

namespace attr::oracle {

namespace {

/// Without a begin nobody can tell a silence before it.
bool IsTimed(const Span& s) { return s.begin_lo > kBeforeAll && s.begin_hi < kAfterAll; }

Value Stamp(int64_t lo, int64_t hi) { return lo == hi ? Number(Type::kTime, lo) : Missing(Type::kTime); }

class Folder {
 public:
  Folder(World& world, const Event& event) : world_(world), event_(event), decl_(*event.decl) {}

  std::vector<Row> Fold(const std::vector<Row>& lines) {
    if (!decl_.episode) {
      std::vector<Row> out;
      for (const Row& line : lines) out.push_back(Closed(line, line, kAfterAll));
      return out;
    }
    std::vector<std::vector<const Row*>> keys;
    for (const Row& line : lines) KeyOf(line, &keys).push_back(&line);
    std::vector<Row> out;
    for (auto& of : keys) {
      std::stable_sort(of.begin(), of.end(), [](const Row* a, const Row* b) {
        return a->span.begin_lo < b->span.begin_lo;  // rows of one list stand in canonical order
      });
      FoldKey(of, &out);
    }
    std::stable_sort(out.begin(), out.end(), [](const Row& a, const Row& b) { return a.observation < b.observation; });
    return out;
  }

 private:
  std::vector<const Row*>& KeyOf(const Row& line, std::vector<std::vector<const Row*>>* keys) const {
    for (auto& of : *keys) {
      const Row& other = *of.front();
      bool same = other.span.tie == line.span.tie && IsTimed(other.span) == IsTimed(line.span);
      if (decl_.episode->per.empty()) same = same && SameValue(other.node, line.node);
      for (const syntax::Name& key : decl_.episode->per) {
        same = same && SameValue(ColumnOf(other, key.text), ColumnOf(line, key.text));
      }
      if (same) return of;
    }
    keys->emplace_back();
    return keys->back();
  }

  void FoldKey(const std::vector<const Row*>& lines, std::vector<Row>* out) {
    const int64_t gap = world_.pack.Duration(event_.pack, decl_.episode->gap);
    for (size_t begin = 0; begin < lines.size();) {
      const Row* recovery = Recovery(*lines[begin], kAfterAll);
      size_t end = begin + 1;
      int64_t until = lines[begin]->span.end_hi;
      bool silent = false;
      for (; end < lines.size(); ++end) {
        const Span& next = lines[end]->span;
        silent = IsTimed(next) && next.begin_lo > until && next.begin_lo - until > gap;
        if (silent || (recovery != nullptr && IsBefore(*recovery, *lines[end]))) break;
        until = std::max(until, next.end_hi);
      }
      Row row = *lines[begin];
      size_t latest = begin;
      for (size_t i = begin; i < end; ++i) {
        if (lines[i]->span.end_hi >= lines[latest]->span.end_hi) latest = i;
      }
      const Row& last = *lines[latest];
      row.fields["first"] = Stamp(row.span.begin_lo, row.span.begin_hi);
      row.fields["last"] = Stamp(lines[end - 1]->span.end_lo, lines[end - 1]->span.end_hi);
      row.fields["count"] = Number(Type::kInt, static_cast<int64_t>(end - begin));
      row.span.end_lo = last.span.end_lo;
      row.span.end_hi = last.span.end_hi;
      row.span.precision = std::max(row.span.precision, last.span.precision);
      // What comes after a later episode began closes that one.
      out->push_back(Closed(row, *lines[begin], silent ? lines[end]->span.begin_lo : kAfterAll));
      begin = end;
    }
  }

  static bool InOneStream(const Span& a, const Span& b) {
    return !a.stream.empty() && a.stream == b.stream && a.position >= 0 && b.position >= 0;
  }
  /// Inside one stream position decides; elsewhere, at one stamp, the recovery is the later.
  static bool IsBefore(const Row& recovery, const Row& line) {
    if (InOneStream(recovery.span, line.span)) return recovery.span.position < line.span.position;
    return recovery.span.begin_lo < line.span.begin_lo;
  }

  /// The first that ends what began with this line.
  const Row* Recovery(const Row& first, int64_t before) const {
    if (!decl_.closed_by || !IsTimed(first.span)) return nullptr;
    const Row* out = nullptr;
    for (const Row& row : world_.rows[event_.closed_by]) {
      if (row.IsPhantom() || !IsTimed(row.span) || row.span.tie != first.span.tie) continue;
      bool same = row.observation != first.observation;
      for (const syntax::Name& name : decl_.closed_by->same) {
        const Value a = ColumnOf(first, name.text), b = ColumnOf(row, name.text);
        same = same && a.present && b.present && SameValue(a, b);
      }
      if (!same || IsBefore(row, first) || row.span.begin_lo >= before) continue;
      if (out == nullptr || row.span.begin_lo < out->span.begin_lo) out = &row;
    }
    return out;
  }

  Row Closed(Row row, const Row& first, int64_t before) const {
    const Row* recovery = Recovery(first, before);
    if (recovery == nullptr) return row;
    row.span.end_lo = recovery->span.end_lo;
    row.span.end_hi = recovery->span.end_hi;
    row.span.precision = std::max(row.span.precision, recovery->span.precision);
    return row;
  }

  World& world_;
  const Event& event_;
  const syntax::EventDecl& decl_;
};

}  // namespace

Value ColumnOf(const Row& row, const std::string& name) {
  if (name == "node") return row.node;
  if (name == "rank") return row.rank;
  if (name == "gpu") return row.gpu;
  const auto it = row.fields.find(name);
  return it == row.fields.end() ? Missing(Type::kText) : it->second;
}

std::vector<Row> FoldEvent(World& world, const Event& event, const std::vector<Row>& lines) {
  std::vector<Row> rows = event.decl->over ? FoldWindows(world, event, lines) : Folder(world, event).Fold(lines);
  if (event.decl->having == nullptr) return rows;
  std::vector<Row> out;
  for (Row& row : rows) {
    const Candidate candidate{&event, &world.set.observations[row.observation], nullptr, {}};
    const EventScope scope(world, candidate, row);
    if (Evaluator(world, event.pack, scope).Condition(*event.decl->having).must) out.push_back(std::move(row));
  }
  return out;
}

}  // namespace attr::oracle

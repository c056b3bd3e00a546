#include "tests/oracle/fuzz/minimize.h"

namespace attr::oracle {

namespace {

using Fails = std::function<bool(const Draft&)>;

/// Leaves out every element that the failure does not need; true when some went.
template <class List>
bool Shrink(Draft* draft, List get, const Fails& fails) {
  bool changed = false;
  for (size_t i = get(*draft).size(); i-- > 0;) {
    Draft smaller = *draft;
    auto& list = get(smaller);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
    if (!fails(smaller)) continue;
    *draft = std::move(smaller);
    changed = true;
  }
  return changed;
}

}  // namespace

Draft Minimize(Draft draft, const Fails& fails) {
  for (bool changed = true; changed;) {
    changed = false;
    changed |= Shrink(
        &draft, [](Draft & d) -> auto& { return d.observations; }, fails);
    changed |= Shrink(
        &draft, [](Draft & d) -> auto& { return d.pack; }, fails);
    if (!draft.library.empty()) {
      changed |= Shrink(
          &draft, [](Draft & d) -> auto& { return d.library; }, fails);
    }
    for (size_t p = 0; p < draft.library.size(); ++p) {
      changed |= Shrink(
          &draft, [p](Draft & d) -> auto& { return d.library[p].clauses; }, fails);
    }
    for (size_t p = 0; p < draft.pack.size(); ++p) {
      changed |= Shrink(
          &draft, [p](Draft & d) -> auto& { return d.pack[p].clauses; }, fails);
    }
    changed |= Shrink(
        &draft, [](Draft & d) -> auto& { return d.coverage; }, fails);
    changed |= Shrink(
        &draft, [](Draft & d) -> auto& { return d.other_attempts; }, fails);
    changed |= Shrink(
        &draft, [](Draft & d) -> auto& { return d.nodes; }, fails);
    changed |= Shrink(
        &draft, [](Draft & d) -> auto& { return d.attempt; }, fails);
    changed |= Shrink(
        &draft, [](Draft & d) -> auto& { return d.clocks; }, fails);
    changed |= Shrink(
        &draft, [](Draft & d) -> auto& { return d.header; }, fails);
  }
  return draft;
}

}  // namespace attr::oracle

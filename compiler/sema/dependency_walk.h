// Items in an order in which each stands behind what it needs: a depth-first walk
// without recursion, since a chain may be as long as a file allows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace attr::sema {

/// `Edge` says with `to` which item it leads to; whatever else it holds is its users'.
template <class Edge>
class DependencyWalk {
 public:
  struct Step {
    uint32_t item = 0;
    std::vector<Edge> edges;
    size_t next = 0;
    /// The edge that was followed last.
    const Edge& taken() const { return edges[next - 1]; }
  };

  /// Items 0 to `count` - 1. `edges_of(item)` is asked once for each. `on_cycle(first, end)` gets the
  /// steps of a cycle, at least one: the last one's edge leads back to the first.
  template <class EdgesOf, class OnCycle>
  std::vector<uint32_t> Run(uint32_t count, const EdgesOf& edges_of, const OnCycle& on_cycle) {
    state_.assign(count, State::kFresh);
    for (uint32_t item = 0; item < count; ++item) {
      if (state_[item] == State::kFresh) Walk(item, edges_of, on_cycle);
    }
    return std::move(order_);
  }

 private:
  enum class State : uint8_t { kFresh, kOpen, kDone };

  template <class EdgesOf>
  void Open(uint32_t item, const EdgesOf& edges_of) {
    state_[item] = State::kOpen;
    stack_.push_back({item, edges_of(item), 0});
  }

  template <class EdgesOf, class OnCycle>
  void Walk(uint32_t from, const EdgesOf& edges_of, const OnCycle& on_cycle) {
    Open(from, edges_of);
    while (!stack_.empty()) {
      Step& step = stack_.back();
      if (step.next == step.edges.size()) {
        state_[step.item] = State::kDone;
        order_.push_back(step.item);
        stack_.pop_back();
        continue;
      }
      const uint32_t to = step.edges[step.next++].to;
      if (state_[to] == State::kOpen) {
        const auto first = std::find_if(stack_.begin(), stack_.end(), [&](const Step& s) { return s.item == to; });
        on_cycle(&*first, stack_.data() + stack_.size());
      }
      if (state_[to] == State::kFresh) Open(to, edges_of);
    }
  }

  std::vector<State> state_;
  std::vector<Step> stack_;
  std::vector<uint32_t> order_;
};

}  // namespace attr::sema

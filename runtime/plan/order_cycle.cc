// Cycles of precedence: among the names that a level declares, and in the
// relation that they say between rules (semantics.md S7). Rules that a level
// cannot tell apart are looked at once.
#include <map>
#include <set>

#include "runtime/plan/graph.h"

namespace attr::plan {

std::vector<uint32_t> Order::Classes(Level level) const {
  std::set<std::vector<uint32_t>> seen;
  std::vector<uint32_t> classes;
  for (uint32_t rule = 0; rule < plan_->rules.size(); ++rule) {
    if (plan_->rules[rule].kind != RuleKind::kCause) continue;
    bool fresh = seen.insert(level == Level::kDomain ? plan_->rules[rule].domains : MembersOf(level, rule)).second;
    if (fresh) classes.push_back(rule);
  }
  return classes;
}

/// The lifted relation of one level, and a cycle in it.
class CycleFinder {
 public:
  CycleFinder(const Order& order, Level level) : order_(order), level_(level), names_(order.Names(level)) {}

  std::vector<uint32_t> Find() {
    if (names_.pairs == 0) return {};
    for (size_t name = 0; name < names_.size(); ++name) {
      if (names_.First(name, name) == kNone) continue;
      OrderChain chain;
      names_.Append(name, name, &chain);
      return chain;
    }
    classes_ = order_.Classes(level_);
    if (classes_.size() > kMaxOrderClasses) return {};
    if (level_ == Level::kDomain) AskDomainPairs();
    size_t n = classes_.size();
    above_.assign(n * n, false);
    for (size_t x = 0; x < n; ++x) {
      if (level_ != Level::kDomain) members_.push_back(order_.MembersOf(level_, classes_[x]));
    }
    for (size_t x = 0; x < n; ++x) {
      for (size_t y = 0; y < n; ++y) {
        if (x == y) continue;
        Order::Answer answer = Ask(x, y);
        if (answer.says == Order::Says::kConflict) return Contradiction(answer);
        above_[x * n + y] = answer.says == Order::Says::kAbove;
      }
    }
    return Search();
  }

 private:
  /// Every two domains once: rules with many alternatives would ask again and again.
  void AskDomainPairs() {
    std::set<uint32_t> used;
    for (uint32_t rule : classes_) {
      const std::vector<uint32_t>& domains = order_.plan_->rules[rule].domains;
      used.insert(domains.begin(), domains.end());
    }
    uint32_t number = 0;
    for (uint32_t domain : used) domain_number_[domain] = number++;
    for (uint32_t rule : classes_) {
      std::vector<uint32_t>& numbers = members_.emplace_back();
      for (uint32_t domain : order_.plan_->rules[rule].domains) numbers.push_back(domain_number_[domain]);
    }
    domain_says_.reserve(used.size() * used.size());
    for (uint32_t a : used) {
      for (uint32_t b : used) domain_says_.push_back(order_.AskDomains(a, b).says);
    }
  }

  Order::Answer Ask(size_t x, size_t y) const {
    if (level_ != Level::kDomain) return order_.AskNames(level_, members_[x], members_[y]);
    Order::Answer answer;
    bool first = true;
    for (uint32_t a : members_[x]) {
      for (uint32_t b : members_[y]) {
        Order::Says says = domain_says_[a * domain_number_.size() + b];
        if (says == Order::Says::kConflict) return order_.Ask(level_, classes_[x], classes_[y]);
        if (first) answer.says = says;
        if (says != answer.says) answer.says = Order::Says::kNothing;
        first = false;
      }
    }
    return answer;
  }

  std::vector<uint32_t> Contradiction(const Order::Answer& answer) const {
    OrderChain chain = order_.ChainOf(level_, answer.by);
    OrderChain against = order_.ChainOf(level_, answer.against);
    chain.insert(chain.end(), against.begin(), against.end());
    return chain;
  }

  std::vector<uint32_t> Search() const {
    size_t n = classes_.size();
    enum : uint8_t { kNew, kOpen, kDone };
    std::vector<uint8_t> state(n, kNew);
    std::vector<std::pair<size_t, size_t>> stack;  // (class, next class to look at)
    for (size_t root = 0; root < n; ++root) {
      if (state[root] != kNew) continue;
      state[root] = kOpen;
      stack.emplace_back(root, 0);
      while (!stack.empty()) {
        size_t at = stack.back().first;
        size_t& next = stack.back().second;
        while (next < n && !(above_[at * n + next] && state[next] != kDone)) ++next;
        if (next == n) {
          state[at] = kDone;
          stack.pop_back();
        } else if (state[next] == kOpen) {
          return Unroll(stack);
        } else {
          state[next] = kOpen;
          stack.emplace_back(next, 0);
        }
      }
    }
    return {};
  }

  std::vector<uint32_t> Unroll(const std::vector<std::pair<size_t, size_t>>& stack) const {
    size_t begin = stack.size() - 1;
    while (stack[begin].first != stack.back().second) --begin;
    std::vector<uint32_t> cycle;
    for (size_t i = begin; i < stack.size(); ++i) {
      OrderChain chain = order_.Chain(level_, classes_[stack[i].first], classes_[stack[i].second]);
      cycle.insert(cycle.end(), chain.begin(), chain.end());
    }
    return cycle;
  }

  const Order& order_;
  Level level_;
  const Order::Closure& names_;
  std::vector<uint32_t> classes_;
  std::vector<std::vector<uint32_t>> members_;  // of each class: names, or numbers of domains
  std::map<uint32_t, uint32_t> domain_number_;
  std::vector<Order::Says> domain_says_;
  std::vector<bool> above_;
};

std::vector<uint32_t> FindOrderCycle(const Plan& plan) {
  Order order(plan);
  for (Level level : {Level::kRule, Level::kTag, Level::kDomain}) {
    if (std::vector<uint32_t> cycle = CycleFinder(order, level).Find(); !cycle.empty()) return cycle;
  }
  return {};
}

}  // namespace attr::plan

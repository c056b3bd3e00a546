// Events in an order in which each stands behind what it is made of: the event that
// it extends, the members of a union, the event that closes it. A depth-first walk without recursion, since a
// chain may be as long as a file allows.
#include <algorithm>

#include "compiler/sema/context.h"
#include "fmt/format.h"

namespace attr::sema {

namespace {

struct Edge {
  uint32_t event = 0;
  Span span;
};

class EventOrder {
 public:
  explicit EventOrder(Context& context) : context_(context), events_(context.program.events), state_(events_.size()) {}

  void Run() {
    for (uint32_t i = 0; i < events_.size(); ++i) {
      if (state_[i] == State::kFresh) Walk(i);
    }
  }

 private:
  enum class State : uint8_t { kFresh, kOpen, kDone };
  struct Step {
    uint32_t event = 0;
    std::vector<Edge> made_of;
    size_t next = 0;
  };

  std::vector<Edge> MadeOf(uint32_t event) const {
    std::vector<Edge> edges;
    const auto add = [&](const syntax::QName& name) {
      const Item* item = PeekItem(context_, events_[event].pack, name.pack, name.name);
      if (item && item->kind == ItemKind::kEvent) edges.push_back({item->index, name.span});
    };
    if (events_[event].decl->extends) add(*events_[event].decl->extends);
    for (const syntax::QName& member : events_[event].decl->union_of) add(member);
    if (events_[event].decl->closed_by) add(events_[event].decl->closed_by->event);
    return edges;
  }

  void Walk(uint32_t from) {
    Open(from);
    while (!stack_.empty()) {
      Step& step = stack_.back();
      if (step.next == step.made_of.size()) {
        state_[step.event] = State::kDone;
        context_.program.event_order.push_back(step.event);
        stack_.pop_back();
        continue;
      }
      const Edge edge = step.made_of[step.next++];
      if (state_[edge.event] == State::kOpen) ReportCycle(edge.event);
      if (state_[edge.event] == State::kFresh) Open(edge.event);
    }
  }

  void Open(uint32_t event) {
    state_[event] = State::kOpen;
    stack_.push_back({event, MadeOf(event), 0});
  }

  /// The steps from `event` to the top of the stack, whose last edge leads back to it.
  void ReportCycle(uint32_t event) {
    const auto first = std::find_if(stack_.begin(), stack_.end(), [&](const Step& s) { return s.event == event; });
    const bool known = std::any_of(first, stack_.end(), [&](const Step& s) { return events_[s.event].poisoned; });
    diagnostics::Diagnostic diagnostic;
    diagnostic.code = Code::kExtendsCycle;
    diagnostic.primary = {events_[event].decl->name.span, ""};
    std::string path;
    for (auto step = first; step != stack_.end(); ++step) {
      path += events_[step->event].decl->name.text + " -> ";
      diagnostic.secondary.push_back({step->made_of[step->next - 1].span, "made of or closed by this"});
      context_.analyzed_events.insert(step->event);
      events_[step->event].poisoned = true;
    }
    diagnostic.message = "events are made of each other in a cycle: " + path + events_[event].decl->name.text;
    if (!known) context_.sink.Add(std::move(diagnostic));
  }

  Context& context_;
  std::vector<Event>& events_;
  std::vector<State> state_;
  std::vector<Step> stack_;
};

}  // namespace

void OrderEvents(Context& context) { EventOrder(context).Run(); }

}  // namespace attr::sema

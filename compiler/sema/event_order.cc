// Events in an order in which each stands behind what it is made of: the event that
// it extends, the members of a union, the event that closes it.
#include <algorithm>

#include "compiler/sema/context.h"
#include "compiler/sema/dependency_walk.h"
#include "fmt/format.h"

namespace attr::sema {

namespace {

struct Edge {
  uint32_t to = 0;
  Span span;
};

class EventOrder {
 public:
  explicit EventOrder(Context& context) : context_(context), events_(context.program.events) {}

  std::vector<uint32_t> Run() {
    return DependencyWalk<Edge>().Run(
        static_cast<uint32_t>(events_.size()), [this](uint32_t event) { return MadeOf(event); },
        [this](const Step* first, const Step* end) { ReportCycle(first, end); });
  }

 private:
  using Step = DependencyWalk<Edge>::Step;

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

  void ReportCycle(const Step* first, const Step* end) {
    const bool known = std::any_of(first, end, [&](const Step& s) { return events_[s.item].poisoned; });
    const syntax::Name& name = events_[first->item].decl->name;
    diagnostics::Diagnostic diagnostic;
    diagnostic.code = Code::kExtendsCycle;
    diagnostic.primary = {name.span, ""};
    std::string path;
    for (const Step* step = first; step != end; ++step) {
      path += events_[step->item].decl->name.text + " -> ";
      diagnostic.secondary.push_back({step->taken().span, "made of or closed by this"});
      context_.analyzed_events.insert(step->item);
      events_[step->item].poisoned = true;
    }
    diagnostic.message = "events are made of each other in a cycle: " + path + name.text;
    if (!known) context_.sink.Add(std::move(diagnostic));
  }

  Context& context_;
  std::vector<Event>& events_;
};

}  // namespace

void OrderEvents(Context& context) { context.program.event_order = EventOrder(context).Run(); }

}  // namespace attr::sema

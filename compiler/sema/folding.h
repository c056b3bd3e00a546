// How an event's lines are folded: `episode`, `closed by`, `over`, `having`.
#pragma once

#include "compiler/sema/event_scope.h"

namespace attr::sema {

/// The latest of what an expression reads (Field::stage).
uint8_t StageOf(const Event& event, const Typed& typed);

class Folding {
 public:
  Folding(Context& context, Event& event, EventScope& scope) : context_(context), event_(event), scope_(scope) {}

  /// Before the event's own fields: what folding adds is then visible to them.
  void Begin();
  /// A condition of the event: of its lines, or of its windows.
  void AddWhere(TypedPtr condition, Span span);
  /// When all else is there. Puts fields in the order of their stages.
  void Finish(Checker& checker);

 private:
  void AddFolded(plan::FieldFrom from, std::string_view name, plan::Type type, Span span);
  std::optional<uint32_t> ColumnOf(const Event& event, const syntax::Name& name, bool lines);
  void AddKeys(const std::vector<syntax::Name>& names);
  void CloseBy(const syntax::ClosedBy& closed);
  void AddSame(const syntax::Name& name, const Event& closing);
  void Order();

  Context& context_;
  Event& event_;
  EventScope& scope_;
  bool unknown_ = false;  // some condition could not be read
};

}  // namespace attr::sema

// `example` and `reject` lines, asked of the code that matches observations. Each
// event is asked in a plan of its own with its ancestors: on the whole plan the
// time grew with the square of the events (4,000 events: 46 s, 30 November).
#include <bit>

#include "compiler/lower/lowering.h"
#include "compiler/sema/cells.h"
#include "fmt/format.h"
#include "runtime/match/match.h"

namespace attr::lower {

namespace {

using diagnostics::Code;

class ExampleCheck {
 public:
  ExampleCheck(const sema::Event& event, const plan::Plan& plan, uint32_t index, diagnostics::Sink& sink)
      : event_(event), plan_(plan), index_(index), sink_(sink) {}

  void Run() {
    for (const syntax::Example& example : event_.decl->examples) CheckExample(example);
    for (const syntax::Text& reject : event_.decl->rejects) {
      const auto matches = match::MatchText(plan_, index_, reject.value);
      if (!matches.ok()) return Refused(reject.span, matches.error());
      if (matches->empty()) continue;
      sink_.Add(Code::kRejectMatches, reject.span,
                fmt::format("event `{}` matches a line that it is to reject", event_.decl->name.text));
    }
  }

 private:
  void Refused(diagnostics::Span span, const Error& error) {
    sink_.Add(Code::kPlanRefused, span, fmt::format("the line cannot be matched: {}", error.message));
  }

  void CheckExample(const syntax::Example& example) {
    const auto matches = match::MatchText(plan_, index_, example.text.value);
    if (!matches.ok()) return Refused(example.text.span, matches.error());
    if (matches->empty()) {
      sink_.Add(Code::kExampleMismatch, example.text.span,
                fmt::format("the example does not match event `{}`", event_.decl->name.text));
      return;
    }
    for (const auto& [name, literal] : example.fields) CheckField(matches->front(), name, literal);
  }

  void CheckField(const match::ExampleMatch& match, const syntax::Name& name, const syntax::Literal& literal) {
    const sema::Field& field = event_.fields[event_.FindField(name.text) - plan::kSystemColumns];
    for (const auto& [key, value] : match.fields) {
      if (key != name.text) continue;
      if (SameValue(field, value, literal)) return;
      sink_.Add(Code::kExampleValue, literal.span, fmt::format("field `{}` of the example is `{}`", name.text, value));
      return;
    }
    sink_.Add(Code::kExampleValue, literal.span, fmt::format("field `{}` of the example is missing", name.text));
  }

  /// `value` is the slot's own text, so a bare number counts in the slot's unit.
  static bool SameValue(const sema::Field& field, const std::string& value, const syntax::Literal& literal) {
    const sema::Const expected = sema::LiteralOf(literal);
    if (plan::IsId(field.type)) return value == expected.text;
    const std::optional<sema::Cell> cell = sema::ParseCell(field.type, 1, value);
    if (!cell) return false;
    if (field.type == plan::Type::kFloat && expected.type == plan::Type::kInt) {
      return std::bit_cast<double>(cell->slot) == static_cast<double>(expected.imm);
    }
    return cell->slot == expected.imm;
  }

  const sema::Event& event_;
  const plan::Plan& plan_;
  uint32_t index_;
  diagnostics::Sink& sink_;
};

}  // namespace

void CheckExamples(const sema::Program& program, const diagnostics::SourceMap& sources, diagnostics::Sink& sink) {
  for (uint32_t i = 0; i < program.events.size(); ++i) {
    const sema::Event& event = program.events[i];
    if (!event.decl || (event.decl->examples.empty() && event.decl->rejects.empty())) continue;
    Lowering alone{program, sources, sink, {}, {}};
    LowerEvent(alone, i);
    ExampleCheck(event, alone.builder.plan, alone.event_index[i], sink).Run();
  }
}

}  // namespace attr::lower

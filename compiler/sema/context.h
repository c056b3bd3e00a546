// What the passes of sema share: the program being built, the sources and the
// sink, and name look-up with its diagnostics. Internal to sema/.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/sema/program.h"

namespace attr::sema {

using diagnostics::Code;
using diagnostics::Sink;
using diagnostics::SourceMap;

struct Context {
  Program& program;
  const SourceMap& sources;
  Sink& sink;
  std::set<uint32_t> analyzed_events;
  bool syntax_errors = false;   // some declarations were left out
  uint32_t rule = plan::kNone;  // whose clauses are being read: its constants may be overridden

  void Error(Code code, Span span, std::string message, std::string label = {}, std::string help = {}) {
    sink.Add(code, span, std::move(message), std::move(label), std::move(help));
  }
  /// The one answer to what is parsed but not evaluated.
  void NotYet(Span span, const std::string& what);
  /// Of a constant, as the rule at hand reads it.
  const Const& ValueOf(uint32_t constant);
  std::string PackName(uint32_t pack) const { return program.packs[pack].input->name; }
  std::string Qualified(uint32_t pack, const std::string& name) const { return PackName(pack) + "::" + name; }
};

std::string Quote(std::string_view text);
/// "did you mean `x`?" or empty.
std::string DidYouMean(std::string_view name, const std::vector<std::string_view>& candidates);

// names.cc
/// Fills items, with duplicate declarations reported. Creates the entries of
/// consts, tables, events and rules.
void CollectItems(Context& context);
/// The item, or null after a diagnostic. `wanted`: "event", "rule".
const Item* FindItem(Context& context, uint32_t pack, const syntax::QName& name, std::string_view wanted);
const Item* FindItemOf(Context& context, uint32_t pack, const syntax::QName& name, ItemKind kind);
/// Does some file declare the name although no tree has it, because of a syntax
/// error inside? Then the name is not unknown, and its users stay silent.
bool LeftOut(const Context& context, std::string_view name);
/// Silent: a constant or table of that name, or null.
const Item* PeekItem(const Context& context, uint32_t pack, std::string_view qualifier, std::string_view name);

// domains.cc
void CollectDomains(Context& context);
void CollectSources(Context& context);
/// kNone after a diagnostic.
uint32_t FindDomain(Context& context, uint32_t pack, std::string_view path, Span span);
bool IsDomain(const Context& context, std::string_view path);
bool CheckSource(Context& context, std::string_view name, Span span);
/// True when some rule of these kinds carries the tag; else, when one is near, a warning (root pack only).
bool CheckTag(Context& context, uint32_t pack, const syntax::Name& tag, bool symptoms);
/// The same for rules of any kind.
bool CheckFindingTag(Context& context, uint32_t pack, const syntax::Name& tag);

// constants.cc
void AnalyzeConsts(Context& context);
/// Resolves the constant's name; nullopt after a diagnostic. Bounds: 0 .. `limit`.
std::optional<int64_t> ResolveDuration(Context& context, uint32_t pack, const syntax::DurationRef& ref);
inline constexpr int64_t kMaxWindow = 366 * 86'400 * plan::kSecond;

// types.cc
struct ResolvedType {
  plan::Type type = plan::Type::kText;
  bool optional = false;
  int64_t unit = 1;
};
std::optional<ResolvedType> ResolveType(Context& context, const syntax::TypeRef& type);
/// "a duration", "an int": for messages.
std::string Article(plan::Type type);

// tables.cc
void AnalyzeTables(Context& context);

// events.cc
void AnalyzeEvents(Context& context);
/// event_order.cc: fills Program::event_order; cycles are reported and poisoned.
void OrderEvents(Context& context);
void AnalyzeEvent(Context& context, uint32_t event);

// rules.cc
void AnalyzeRules(Context& context);
/// rule_order.cc: each rule behind those whose findings it binds; cycles are reported,
/// and their rules marked.
std::vector<uint32_t> OrderRules(Context& context);
/// outcome_terms.cc: empty when the expression, written out, is too large.
std::vector<std::vector<StallTerm>> OutcomeTerms(const syntax::Expr& expr, bool negated);
bool CarriesTag(const syntax::RuleDecl& rule, std::string_view tag);

// site_changes.cc
/// Resolves `disable` and `override`: marks what they name.
void CollectSiteChanges(Context& context);
/// After all clauses were read: what is disabled leaves the program, with the demotions
/// and pairs that name it; an error where something else binds it.
void ApplySiteChanges(Context& context);

// demotions.cc, order.cc, unused.cc
void AnalyzeDemotions(Context& context);
void AnalyzeOrder(Context& context);
void AnalyzeAmbiguity(Context& context, uint32_t pack);
void ReportUnused(Context& context);

}  // namespace attr::sema

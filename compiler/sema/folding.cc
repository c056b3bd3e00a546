// See folding.h.
#include "compiler/sema/folding.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "fmt/format.h"

namespace attr::sema {

namespace {

using plan::FieldFrom;
using plan::FoldKind;
using plan::Type;

std::optional<uint32_t> PlaceColumn(std::string_view name) {
  if (name == "node") return plan::kNode;
  if (name == "rank") return plan::kRank;
  if (name == "gpu") return plan::kGpu;
  if (name == "observer") return plan::kObserver;
  return std::nullopt;
}

bool IsPlaceOf(Type type) { return type == Type::kNode || type == Type::kRank || type == Type::kGpu; }

void Renumber(Typed& typed, const std::vector<uint32_t>& columns) {
  if (typed.kind == TypedKind::kColumn && typed.column >= plan::kSystemColumns) typed.column = columns[typed.column];
  for (const TypedPtr& arg : typed.args) Renumber(*arg, columns);
}

}  // namespace

uint8_t StageOf(const Event& event, const Typed& typed) {
  uint8_t stage = 0;
  if (typed.kind == TypedKind::kColumn && typed.column >= plan::kSystemColumns) {
    stage = event.fields[typed.column - plan::kSystemColumns].stage;
  }
  for (const TypedPtr& arg : typed.args) stage = std::max(stage, StageOf(event, *arg));
  return stage;
}

void Folding::Begin() {
  const syntax::EventDecl& decl = *event_.decl;
  Fold& fold = event_.fold;
  if (decl.over && (decl.episode || decl.closed_by)) {
    context_.Error(Code::kBadFold, decl.over->span,
                   "`over` makes runs of windows: no `episode` or `closed by` beside it");
    return;
  }
  if (decl.over) {
    fold.kind = FoldKind::kWindows;
    scope_.windows = true;
    if (decl.over->duration) {
      fold.span = ResolveDuration(context_, event_.pack, *decl.over->duration).value_or(0);
    } else if (*decl.over->records < 2 || *decl.over->records > plan::kMaxWindowSamples) {
      context_.Error(Code::kOutOfRange, decl.over->span, "a window has 2 to 10,000 records");
    } else {
      fold.records = static_cast<uint32_t>(*decl.over->records);
    }
  } else if (decl.episode) {
    fold.kind = FoldKind::kEpisode;
    fold.span = ResolveDuration(context_, event_.pack, decl.episode->gap).value_or(0);
  } else if (decl.closed_by) {
    fold.kind = FoldKind::kLines;
    return;
  } else {
    return;
  }
  const Span span = decl.over ? decl.over->span : decl.episode->span;
  AddFolded(FieldFrom::kFirst, "first", Type::kTime, span);
  AddFolded(FieldFrom::kLast, "last", Type::kTime, span);
  AddFolded(FieldFrom::kCount, "count", Type::kInt, span);
}

void Folding::AddFolded(FieldFrom from, std::string_view name, Type type, Span span) {
  if (event_.FindField(name) != plan::kNone) {
    context_.Error(Code::kReservedField, span,
                   fmt::format("folded events have a field `{}`, and so have their lines", name));
    return;
  }
  Field field;
  field.name = name;
  field.type = type;
  field.optional = from != FieldFrom::kCount;
  field.from = from;
  field.stage = 2;
  field.span = span;
  event_.fields.push_back(std::move(field));
}

void Folding::AddWhere(TypedPtr condition, Span span) {
  if (condition->poison()) {
    unknown_ = true;
    return;
  }
  const uint8_t stage = StageOf(event_, *condition);
  if (stage == 2) {
    context_.Error(Code::kBadFold, span, "`where` is asked before lines are folded", "", "write `having`");
    return;
  }
  (stage == 0 ? event_.where : event_.fold.where).push_back(std::move(condition));
}

/// `lines`: what a line has; of the closing event all that it has.
std::optional<uint32_t> Folding::ColumnOf(const Event& event, const syntax::Name& name, bool lines) {
  const uint32_t field = event.FindField(name.text);
  if (field != plan::kNone) {
    if (!lines || event.fields[field - plan::kSystemColumns].stage == 0) return field;
    context_.Error(Code::kBadFold, name.span, fmt::format("`{}` is there only when lines are folded", name.text));
    return std::nullopt;
  }
  if (const auto place = PlaceColumn(name.text)) return place;
  if (event.poisoned) return std::nullopt;
  std::vector<std::string_view> names{"node", "rank", "gpu", "observer"};
  for (const Field& candidate : event.fields) {
    if (!candidate.hidden) names.push_back(candidate.name);
  }
  context_.Error(Code::kUnknownField, name.span,
                 fmt::format("event `{}` has no field `{}`", event.decl->name.text, name.text), "",
                 DidYouMean(name.text, names));
  return std::nullopt;
}

/// `per` as in rules: without it, per node.
void Folding::AddKeys(const std::vector<syntax::Name>& names) {
  if (names.empty()) event_.fold.keys.push_back(plan::kNode);
  for (const syntax::Name& name : names) {
    if (const auto column = ColumnOf(event_, name, true)) event_.fold.keys.push_back(*column);
  }
}

void Folding::CloseBy(const syntax::ClosedBy& closed) {
  const Item* item = FindItemOf(context_, event_.pack, closed.event, ItemKind::kEvent);
  if (!item) {
    event_.poisoned = true;
    return;
  }
  AnalyzeEvent(context_, item->index);
  event_.fold.closed_by = item->index;
  for (const syntax::Name& name : closed.same) AddSame(name, context_.program.events[item->index]);
}

void Folding::AddSame(const syntax::Name& name, const Event& closing) {
  const auto left = ColumnOf(event_, name, true);
  const auto right = ColumnOf(closing, name, false);
  if (!left || !right) return;
  const auto type = [](const Event& event, uint32_t column) {
    return column < plan::kSystemColumns ? plan::SystemColumnType(column)
                                         : event.fields[column - plan::kSystemColumns].type;
  };
  const Type mine = type(event_, *left), theirs = type(closing, *right);
  if (mine != theirs) {
    context_.Error(Code::kUnlikeTypes, name.span,
                   fmt::format("`{}` is {} here and {} in `{}`", name.text, Article(mine), Article(theirs),
                               closing.decl->name.text));
    return;
  }
  event_.fold.same.push_back({*left, *right, IsPlaceOf(mine)});
}

void Folding::Finish(Checker& checker) {
  const syntax::EventDecl& decl = *event_.decl;
  if (decl.having) {
    event_.fold.having = checker.Condition(*decl.having);
    if (event_.fold.kind == FoldKind::kUnfolded) {
      context_.Error(Code::kBadFold, decl.having->span, "`having` filters what is folded, and nothing is here", "",
                     "write `where`");
    }
  }
  if (decl.episode) AddKeys(decl.episode->per);
  if (decl.over) AddKeys(decl.over->per);
  if (decl.closed_by) CloseBy(*decl.closed_by);
  if (event_.fold.kind == FoldKind::kWindows && event_.fold.where.empty() && !unknown_ && !event_.poisoned) {
    context_.Error(Code::kBadFold, decl.over->span, "no `where` tells which windows are meant", "",
                   "write `where` with an aggregate of the window, as `where increase(value) >= 100`");
  }
  Order();
}

/// Fields were numbered as they were met; the plan has them by stage.
void Folding::Order() {
  std::vector<Field>& fields = event_.fields;
  std::vector<uint32_t> order(fields.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return fields[a].stage < fields[b].stage; });
  if (std::is_sorted(order.begin(), order.end())) return;
  std::vector<uint32_t> columns(plan::kSystemColumns + fields.size());
  std::iota(columns.begin(), columns.end(), 0);
  std::vector<Field> sorted;
  for (uint32_t i = 0; i < order.size(); ++i) {
    columns[plan::kSystemColumns + order[i]] = plan::kSystemColumns + i;
    sorted.push_back(std::move(fields[order[i]]));
  }
  fields = std::move(sorted);
  for (Field& field : fields) {
    if (field.value) Renumber(*field.value, columns);
  }
  for (const TypedPtr& where : event_.where) Renumber(*where, columns);
  for (const TypedPtr& where : event_.fold.where) Renumber(*where, columns);
  if (event_.since) Renumber(*event_.since, columns);
  if (event_.fold.having) Renumber(*event_.fold.having, columns);
  for (TextClause& text : event_.texts) {
    if (text.field != plan::kNone) text.field = columns[text.field];
  }
  for (uint32_t& key : event_.fold.keys) key = columns[key];
  for (SameField& same : event_.fold.same) same.left = columns[same.left];
}

}  // namespace attr::sema

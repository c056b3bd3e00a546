// See templates.h. Placeholders become indices, never format strings.
#include "compiler/sema/templates.h"

#include <array>

#include "compiler/syntax/parse.h"
#include "fmt/format.h"

namespace attr::sema {

namespace {

struct Word {
  std::string_view name;
  plan::SegmentKind kind;
};
constexpr std::array<Word, 6> kWords = {{{"count", plan::SegmentKind::kCount},
                                         {"first", plan::SegmentKind::kFirst},
                                         {"last", plan::SegmentKind::kLast},
                                         {"nodes", plan::SegmentKind::kNodes},
                                         {"gpus", plan::SegmentKind::kGpus},
                                         {"ranks", plan::SegmentKind::kRanks}}};

class Template {
 public:
  Template(Context& context, const Rule& rule, RuleScope& scope, const syntax::Text& text)
      : context_(context), rule_(rule), scope_(scope), text_(text) {}

  std::vector<Segment> Analyze() {
    const std::string& value = text_.value;
    for (size_t i = 0; i < value.size(); ++i) {
      const char c = value[i];
      if ((c == '{' || c == '}') && i + 1 < value.size() && value[i + 1] == c) {
        literal_ += c;
        ++i;
      } else if (c == '}') {
        context_.Error(Code::kBadPlaceholder, At(i, i + 1), "`}` without `{`");
      } else if (c == '{') {
        const size_t close = value.find('}', i);
        if (close == std::string::npos) {
          context_.Error(Code::kBadPlaceholder, At(i, i + 1), "the placeholder is not closed");
          return {};
        }
        Flush();
        Placeholder(value.substr(i + 1, close - i - 1), At(i + 1, close));
        i = close;
      } else {
        literal_ += c;
      }
    }
    Flush();
    return std::move(segments_);
  }

 private:
  /// Exact when the literal has no escapes; else the whole literal.
  Span At(size_t begin, size_t end) const {
    if (text_.span.end - text_.span.begin != text_.value.size() + 2) return text_.span;
    Span span = text_.span;
    span.end = span.begin + 1 + static_cast<uint32_t>(end);
    span.begin += 1 + static_cast<uint32_t>(begin);
    return span;
  }

  void Flush() {
    if (literal_.empty()) return;
    Segment segment;
    segment.text = std::move(literal_);
    literal_.clear();
    segments_.push_back(std::move(segment));
  }

  void Placeholder(const std::string& text, Span span) {
    if (text.find_first_not_of(" \t") == std::string::npos) {
      context_.Error(Code::kBadPlaceholder, span, "the placeholder is empty");
      return;
    }
    const syntax::ExprPtr expr = syntax::ParseExpression(text, span, context_.sink);
    if (!expr) return;
    Segment segment;
    if (Named(*expr, &segment) || Counted(*expr, &segment)) {
      segments_.push_back(std::move(segment));
      return;
    }
    const auto* reference = std::get_if<syntax::RefExpr>(&expr->node);
    if (reference && !scope_.Knows(*reference)) return Unbound(reference->parts[0].text, span);
    segment.kind = plan::SegmentKind::kColumn;
    bool whole = true;
    for (uint32_t a = 0; a < rule_.alternatives && whole; ++a) {
      scope_.alternative = a;
      whole = Column(*expr, span, &segment);
    }
    scope_.alternative = 0;
    if (whole) segments_.push_back(std::move(segment));
  }

  /// What the placeholder reads in the scope's alternative; false after a diagnostic.
  bool Column(const syntax::Expr& expr, Span span, Segment* segment) {
    TypedPtr value = Checker(context_, rule_.pack, scope_).Value(expr);
    if (value->poison()) return false;
    const uint32_t mask = BindingsOf(*value);
    if (mask == 0 || (mask & (mask - 1)) != 0) segment->kind = plan::SegmentKind::kExpr;
    if (!segment->value) {
      segment->value = std::move(value);
      return true;
    }
    if (value->type != segment->value->type) {
      context_.Error(Code::kAlternativesDiffer, span,
                     fmt::format("this is {} in one alternative and {} in another", Article(segment->value->type),
                                 Article(value->type)));
      return false;
    }
    segment->more.push_back(std::move(value));
    return true;
  }

  /// `{count}`, `{nodes}`, or a key of `per` or an export by its name.
  bool Named(const syntax::Expr& expr, Segment* segment) {
    const auto* reference = std::get_if<syntax::RefExpr>(&expr.node);
    if (!reference || reference->parts.size() != 1 || !reference->pack.empty()) return false;
    const std::string& name = reference->parts[0].text;
    for (const Key& key : rule_.keys) {
      if (key.name != name || key.value->poison()) continue;
      segment->kind = plan::SegmentKind::kColumn;
      segment->value = Clone(*key.value);
      for (const TypedPtr& more : key.more) segment->more.push_back(Clone(*more));
      return true;
    }
    for (uint32_t e = 0; e < rule_.exports.size(); ++e) {
      if (rule_.exports[e].name != name) continue;
      segment->kind = plan::SegmentKind::kExport;
      segment->exported = e;
      return true;
    }
    for (const Word& word : kWords) {
      if (word.name != name) continue;
      segment->kind = word.kind;
      for (scope_.alternative = 0; scope_.alternative < rule_.alternatives; ++scope_.alternative) {
        segment->bindings.push_back(scope_.First());
      }
      scope_.alternative = 0;
      return true;
    }
    return false;
  }

  bool Counted(const syntax::Expr& expr, Segment* segment) {
    const auto* call = std::get_if<syntax::CallExpr>(&expr.node);
    if (!call || call->callee.text != "count" || call->arguments.size() != 1) return false;
    const auto* reference = std::get_if<syntax::RefExpr>(&call->arguments[0]->node);
    if (!reference || reference->parts.size() != 1) return false;
    segment->kind = plan::SegmentKind::kCount;
    for (scope_.alternative = 0; scope_.alternative < rule_.alternatives; ++scope_.alternative) {
      const auto binding = scope_.FindBinding(reference->parts[0].text);
      if (!binding && scope_.RefusedAsPartial(reference->parts[0].text, reference->parts[0].span)) {
        segment->bindings.push_back(0);
      }
      if (!binding) break;
      scope_.Readable(*binding, reference->parts[0].span);
      segment->bindings.push_back(*binding);
    }
    scope_.alternative = 0;
    return !segment->bindings.empty();
  }

  void Unbound(const std::string& name, Span span) {
    std::vector<std::string_view> names = scope_.Names();
    for (const Key& key : rule_.keys) names.push_back(key.name);
    for (const Export& exported : rule_.exports) names.push_back(exported.name);
    for (const Word& word : kWords) names.push_back(word.name);
    std::string help = scope_.HelpFor(name);
    if (help.empty()) help = DidYouMean(name, names);
    context_.Error(Code::kUnboundPlaceholder, span, fmt::format("placeholder `{{{}}}` is not bound", name), "",
                   std::move(help));
  }

  Context& context_;
  const Rule& rule_;
  RuleScope& scope_;
  const syntax::Text& text_;
  std::string literal_;
  std::vector<Segment> segments_;
};

}  // namespace

std::vector<Segment> AnalyzeTemplate(Context& context, const Rule& rule, RuleScope& scope, const syntax::Text& text) {
  return Template(context, rule, scope, text).Analyze();
}

}  // namespace attr::sema

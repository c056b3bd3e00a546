// See lower.h: meta data, vocabulary, and the order of the parts.
#include "compiler/lower/lower.h"

#include <algorithm>

#include "compiler/lower/lowering.h"
#include "fmt/format.h"

namespace attr::lower {

namespace {

constexpr uint32_t kMaxDepth = 64;

/// `1`, `1.2` and `1.2.0` are versions; the pack holds the long form.
std::string LongVersion(const std::string& version) {
  std::string result = version;
  for (auto dots = std::count(version.begin(), version.end(), '.'); dots < 2; ++dots) result += ".0";
  return result;
}

void LowerMeta(Lowering& lowering) {
  Builder& builder = lowering.builder;
  plan::Meta& meta = builder.plan.meta;
  const auto& packs = lowering.program.packs;
  const sema::PackInput& root = *packs[0].input;
  meta.name = builder.Str(root.name);
  meta.version = builder.Str(LongVersion(root.version));
  for (size_t i = 1; i < packs.size(); ++i) {
    const sema::PackInput& input = *packs[i].input;
    meta.imports.push_back(
        {builder.Str(input.name), builder.Str(LongVersion(input.version)), builder.Str(input.sha256)});
  }
  for (const syntax::Skew& skew : root.decl->skews) meta.skews.push_back({builder.Str(skew.clock), skew.nanos});
  if (root.decl->grace) meta.grace = *root.decl->grace;
}

void LowerVocabulary(Lowering& lowering) {
  Builder& builder = lowering.builder;
  for (const std::string& source : lowering.program.sources) builder.plan.sources.push_back(builder.Str(source));
  for (const sema::Domain& domain : lowering.program.domains) {
    builder.plan.domains.push_back({builder.Str(domain.path), builder.Str(domain.title), domain.parent});
  }
}

}  // namespace

plan::SourceLocation Lowering::Location(diagnostics::Span span) {
  const diagnostics::SourceFile& file = sources.file(span.file);
  return {builder.Str(file.path()), file.Locate(span.begin).line};
}

plan::ExprId Lowering::Checked(plan::ExprId expr, diagnostics::Span span) {
  if (expr != plan::kNone && builder.Depth(expr) > kMaxDepth) {
    sink.Add(diagnostics::Code::kNestingTooDeep, span,
             fmt::format("expression nests {} deep; at most {} are allowed", builder.Depth(expr), kMaxDepth));
  }
  return expr;
}

plan::Plan Lower(const sema::Program& program, const diagnostics::SourceMap& sources, diagnostics::Sink& sink) {
  Lowering lowering{program, sources, sink, {}, {}};
  LowerMeta(lowering);
  LowerVocabulary(lowering);
  LowerTables(lowering);
  LowerEvents(lowering);
  LowerRules(lowering);
  LowerDemotions(lowering);
  LowerOrder(lowering);
  return std::move(lowering.builder.plan);
}

}  // namespace attr::lower

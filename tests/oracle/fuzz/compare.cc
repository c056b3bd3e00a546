#include "tests/oracle/fuzz/compare.h"

#include <fmt/format.h>

#include <stdexcept>

#include "compiler/diagnostics/render.h"
#include "runtime/attribute.h"
#include "runtime/history.h"
#include "runtime/ingest/observation_reader.h"
#include "runtime/report/report.h"
#include "tests/oracle/fuzz/history.h"

namespace attr::oracle {

namespace {

compiler::PackSource SourceOf(const std::string& name, const PackText& text) {
  compiler::PackSource source;
  source.name = name;
  for (const auto& [path, rules] : text.rules) source.rules.push_back({path, rules});
  for (const auto& [path, table] : text.tables) source.tables[path] = {path, table};
  return source;
}

std::vector<ingest::Input> InputsOf(const std::vector<std::string>& observations) {
  std::vector<ingest::Input> inputs;
  for (const std::string& one : observations) inputs.push_back({"set" + std::to_string(inputs.size()), one});
  return inputs;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

/// Above nine, the product's `evidence_total` adds up what its bindings count, since
/// evaluation keeps no more rows; the oracle counts records.
bool EqualButTotals(const std::string& product, const std::string& oracle) {
  const std::vector<std::string> x = Lines(product), y = Lines(oracle);
  if (x.size() != y.size()) return false;
  static const RE2 total("\\s*\"evidence_total\": (\\d+),");
  for (size_t i = 0; i < x.size(); ++i) {
    uint64_t a = 0, b = 0;
    const bool totals = RE2::FullMatch(x[i], total, &a) && RE2::FullMatch(y[i], total, &b);
    if (x[i] != y[i] && !(totals && a > 9)) return false;
  }
  return true;
}

}  // namespace

Subject::Subject(const Case& of) {
  compiler::Importer importer;
  importer.load = [&](const std::string& name) -> std::optional<compiler::PackSource> {
    auto it = of.imports.find(name);
    if (it == of.imports.end()) return std::nullopt;
    return SourceOf(name, it->second);
  };
  compilation_ = std::make_unique<compiler::Compilation>(compiler::Compile(SourceOf("root", of.pack), importer));
  if (!compilation_->plan) {
    // What is refused poisons what names it: other errors beside A0900 say nothing.
    state_.kind = Comparison::Kind::kRejected;
    for (const diagnostics::Diagnostic& d : compilation_->sink.Sorted()) {
      const bool not_yet = d.code == diagnostics::Code::kNotEvaluatedYet;
      if (!not_yet && !state_.why.empty()) continue;
      state_.why = d.message;
      if (!not_yet) continue;
      state_.kind = Comparison::Kind::kNotYet;
      break;
    }
    return;
  }
  try {
    pack_ = ReadPack(of.pack, of.imports);
  } catch (const std::exception& e) {
    state_.kind = Comparison::Kind::kUnread;
    state_.why = e.what();
  }
}

namespace {

/// The verdicts of all attempts, one after the other.
std::string VerdictText(const plan::Plan& plan, const std::vector<std::string>& inputs,
                        const AttributeOptions& options) {
  ingest::AttemptReader reader(InputsOf(inputs));
  std::string out;
  for (;;) {
    auto set = reader.Next();
    if (!set) return "error: " + set.error().ToString();
    if (!*set) return out;
    auto verdict = Attribute(plan, **set, options);
    if (!verdict) return "error: " + verdict.error().ToString();
    out += report::ToJson(*verdict);
    reader.Add(HistoryOf(*verdict));
  }
}

/// The oracle's; `different` says where certainty does not stand the test of all combinations.
std::string OracleText(const Pack& pack, const std::string& observations, Comparison* out) {
  ingest::AttemptReader reader(InputsOf({observations}));
  std::string json;
  for (;;) {
    auto set = reader.Next();
    if (!set) throw std::runtime_error(set.error().ToString());
    if (!*set) return json;
    const Outcome outcome = Evaluate(pack, **set, {}, "");
    json += report::ToJson(outcome.verdict);
    out->by_all = out->by_all || outcome.settled_by_all.has_value();
    if (outcome.verdict.settled && outcome.settled_by_all == false) {
      out->kind = Comparison::Kind::kDifferent;
      out->why = "settled on the bounds, but not when all combinations are tried";
    }
    reader.Add(HistoryRecord(outcome.verdict));
  }
}

}  // namespace

std::string Subject::Product(const std::string& observations, bool native, unsigned threads) const {
  AttributeOptions options;
  options.engine = native ? EngineChoice::kNative : EngineChoice::kInterpreter;
  options.threads = threads;
  return VerdictText(*compilation_->plan, {observations}, options);
}

std::string Subject::ProductOfSplit(const std::vector<std::string>& inputs) const {
  AttributeOptions options;
  options.engine = EngineChoice::kInterpreter;
  return VerdictText(*compilation_->plan, inputs, options);
}

Comparison Subject::Compare(const std::string& observations, const CompareOptions& options) const {
  if (state_.kind != Comparison::Kind::kEqual) return state_;
  Comparison out;
  out.interpreted = Product(observations, false);
  if (out.interpreted.rfind("error: ", 0) == 0) {
    out.kind = Comparison::Kind::kRejected;
    out.why = out.interpreted;
    return out;
  }
  try {
    out.oracle = OracleText(*pack_, observations, &out);
  } catch (const std::exception& e) {
    out.kind = Comparison::Kind::kUnread;
    out.why = e.what();
    return out;
  }
  if (options.native) out.native = Product(observations, true);
  if (!EqualButTotals(out.interpreted, out.oracle)) {
    out.kind = Comparison::Kind::kDifferent;
    out.why = FirstDifference("product", out.interpreted, "oracle", out.oracle);
  } else if (options.native && out.native != out.interpreted) {
    out.kind = Comparison::Kind::kDifferent;
    out.why = FirstDifference("native", out.native, "interpreter", out.interpreted);
  }
  return out;
}

Comparison Compare(const Case& of, const CompareOptions& options) {
  return Subject(of).Compare(of.observations, options);
}

std::string FirstDifference(const std::string& a_name, const std::string& a, const std::string& b_name,
                            const std::string& b) {
  const std::vector<std::string> x = Lines(a), y = Lines(b);
  size_t at = 0;
  while (at < x.size() && at < y.size() && x[at] == y[at]) ++at;
  std::string out;
  for (size_t i = at < 3 ? 0 : at - 3; i < at; ++i) out += "    " + x[i] + "\n";
  auto add = [&](const std::string& name, const std::vector<std::string>& lines) {
    for (size_t i = at; i < std::min(lines.size(), at + 8); ++i)
      out += fmt::format("{} {}: {}\n", name, i + 1, lines[i]);
  };
  add(a_name, x);
  add(b_name, y);
  return out;
}

}  // namespace attr::oracle

// Small packs as strings, for the tests of the compiler.
#pragma once

#include <doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compile.h"

namespace attr::compiler {

inline const char* const kHead = R"(
pack site.demo 1.0.0 { requires language 1 }
domain hardware "Hardware"
domain hardware.gpu "GPU"
domain fabric "Fabric"
domain fabric.nvlink "NVLink"
event xid from kernel | syslog {
  text /Xid \((?P<pci>[0-9a-f:.]+)\): (?P<code>\d+)(?:, link (?P<link>\d+))?/
  field gpu: gpu = pci, code: int, link: int?
}
event step from application {
  text /step (?P<n>\d+) took (?P<took>\d+) ms, loss (?P<loss>\S+) by (?P<who>\w+)/
  field n: int, took: duration(ms), loss: float?, who: text
  since time - took
}
)";

/// Files by name; the first is the root's `pack.attr`.
struct TestPacks {
  PackSource root;
  std::vector<PackSource> imports;
};

inline Compilation CompilePacks(const TestPacks& packs) {
  Importer importer;
  for (const PackSource& pack : packs.imports) importer.names.push_back(pack.name);
  importer.load = [&packs](const std::string& name) -> std::optional<PackSource> {
    for (const PackSource& pack : packs.imports) {
      if (pack.name == name) return pack;
    }
    return std::nullopt;
  };
  return Compile(packs.root, importer);
}

inline Compilation CompileText(const std::string& text, const std::string& table = {}) {
  TestPacks packs;
  packs.root.name = "demo";
  packs.root.rules.push_back({"pack.attr", text});
  if (!table.empty()) packs.root.tables["codes.csv"] = {"codes.csv", table};
  return CompilePacks(packs);
}

inline std::vector<std::string> Codes(const Compilation& compilation) {
  std::vector<std::string> codes;
  for (const auto& diagnostic : compilation.sink.Sorted()) codes.push_back(diagnostics::CodeText(diagnostic.code));
  return codes;
}

inline std::string Messages(const Compilation& compilation) {
  std::string text;
  for (const auto& diagnostic : compilation.sink.Sorted()) {
    text += diagnostics::CodeText(diagnostic.code) + " " + diagnostic.message + " (" + diagnostic.help + ")\n";
  }
  return text;
}

/// The plan of `kHead` and `text`; fails the test when there is none.
inline plan::Plan PlanOf(const std::string& text, const std::string& table = {}) {
  Compilation compilation = CompileText(kHead + text, table);
  INFO(Messages(compilation));
  REQUIRE(compilation.plan.has_value());
  return std::move(*compilation.plan);
}

inline const plan::Rule& RuleOf(const plan::Plan& plan, const std::string& name) {
  for (const plan::Rule& rule : plan.rules) {
    if (plan.Str(rule.name) == "site.demo::" + name) return rule;
  }
  FAIL("no rule " << name);
  return plan.rules[0];
}
inline const plan::Event& EventOf(const plan::Plan& plan, const std::string& name) {
  for (const plan::Event& event : plan.events) {
    if (plan.Str(event.name) == "site.demo::" + name) return event;
  }
  FAIL("no event " << name);
  return plan.events[0];
}

/// An expression as text, columns as `0.code`: what the assertions read.
inline std::string Show(const plan::Plan& plan, plan::ExprId id, const plan::Event* left, const plan::Event* right) {
  if (id == plan::kNone) return "-";
  const plan::Expr& expr = plan.exprs[id];
  const auto column = [&](uint32_t binding, uint32_t index) -> std::string {
    const plan::Event& event = binding == 0 ? *left : *right;
    if (index < plan::kSystemColumns) return std::string(plan::SystemColumnName(index));
    if (index < event.DerivedColumn(0)) {
      return std::string(plan.Str(event.fields[index - plan::kSystemColumns].name));
    }
    return "d" + std::to_string(index - event.DerivedColumn(0));
  };
  switch (expr.op) {
    case plan::Op::kColumn:
      return std::to_string(expr.a) + "." + column(expr.a, expr.b);
    case plan::Op::kInt:
      return std::to_string(expr.imm);
    case plan::Op::kFloat:
      return "float";
    case plan::Op::kConstant:
      return "'" + std::string(plan.Str(plan.constants[expr.a].text)) + "'";
    case plan::Op::kCountCmp:
      return "count(" + std::to_string(expr.a) + ")" + std::to_string(expr.b) + ":" + std::to_string(expr.imm);
    case plan::Op::kTrue:
    case plan::Op::kFalse:
      return std::string(plan::Name(expr.op));
    default:
      break;
  }
  std::string text(plan::Name(expr.op));
  text += "(" + Show(plan, expr.a, left, right);
  if (expr.b != plan::kNone) text += ", " + Show(plan, expr.b, left, right);
  if (expr.index != plan::kNone) text += ", #" + std::to_string(expr.index);
  return text + ")";
}

/// The scan condition of the rule's binding.
inline std::string ShowWhere(const plan::Plan& plan, const std::string& rule, size_t binding = 0) {
  const plan::Binding& bound = RuleOf(plan, rule).bindings[binding];
  return Show(plan, bound.where, &plan.events[bound.event], nullptr);
}
inline std::string ShowResidual(const plan::Plan& plan, const std::string& rule) {
  const plan::Rule& r = RuleOf(plan, rule);
  return Show(plan, r.joins[0].residual, &plan.events[r.bindings[0].event], &plan.events[r.bindings[1].event]);
}
/// Plans one cause `r` with this `when` and further clauses and shows its first scan.
inline std::string WhereOf(const std::string& when, const std::string& table = {}) {
  std::string text = "cause r \"R\" { domain hardware when " + when + " }\n";
  if (!table.empty()) {
    text += "table codes from \"codes.csv\" key code { code: int, level: text?, limit: int?, place: node? }\n";
  }
  return ShowWhere(PlanOf(text, table), "r");
}

}  // namespace attr::compiler

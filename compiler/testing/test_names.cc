#include "compiler/testing/test_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "runtime/plan/plan.h"

namespace attr::testing {

namespace {

using diagnostics::Code;
using syntax::Expectation;
using syntax::Name;
using syntax::QName;
using syntax::TestDecl;

std::string Suggest(std::string_view name, const std::vector<std::string_view>& known) {
  std::string_view near = diagnostics::NearestName(name, known);
  return near.empty() ? std::string() : fmt::format("did you mean `{}`?", near);
}

std::vector<std::string_view> Views(const std::set<std::string>& names) { return {names.begin(), names.end()}; }

class NameChecker {
 public:
  NameChecker(const TestScope& scope, diagnostics::Sink& sink) : scope_(scope), sink_(sink) {}

  void Source(const Name& name) {
    if (scope_.sources.count(name.text) != 0 || scope_.left_out(name.text)) return;
    sink_.Add(Code::kTestUnknownName, name.span, fmt::format("unknown source `{}`", name.text), "no pack declares it",
              Suggest(name.text, Views(scope_.sources)));
  }
  void Domain(const Name& name) {
    if (scope_.domains.count(name.text) != 0 || scope_.left_out(name.text)) return;
    sink_.Add(Code::kTestUnknownName, name.span, fmt::format("unknown domain `{}`", name.text), "",
              Suggest(name.text, Views(scope_.domains)));
  }
  void Rule(const QName& name) {
    std::vector<std::string_view> locals;
    for (const std::string& rule : scope_.rules) {
      if (NamesRule(name, rule)) return;
      locals.push_back(std::string_view(rule).substr(rule.rfind(':') + 1));
    }
    if (scope_.left_out(name.name)) return;
    std::string full = name.pack.empty() ? name.name : name.pack + "::" + name.name;
    sink_.Add(Code::kTestUnknownName, name.span, fmt::format("unknown rule `{}`", full), "",
              Suggest(name.name, locals));
  }
  void State(const Name& name) {
    std::vector<std::string_view> states;
    for (uint8_t i = 0; i < plan::kTerminalStateCount; ++i) states.push_back(plan::Name(plan::TerminalState(i)));
    if (std::find(states.begin(), states.end(), name.text) != states.end()) return;
    sink_.Add(Code::kTestUnknownName, name.span, fmt::format("unknown terminal state `{}`", name.text), "",
              Suggest(name.text, states));
  }
  void AttemptKey(const Name& key) {
    static const std::vector<std::string_view> kKeys = {"end", "exit_code", "id", "job", "nodes", "start", "state"};
    if (std::find(kKeys.begin(), kKeys.end(), key.text) != kKeys.end()) return;
    sink_.Add(Code::kTestUnknownName, key.span, fmt::format("an attempt has no `{}`", key.text), "",
              Suggest(key.text, kKeys));
  }
  void AttemptTime(const AttemptItem& item) {
    if (item.label || (item.key.text != "start" && item.key.text != "end")) return;
    const bool time = item.values.size() == 1 && std::holds_alternative<TestMoment>(item.values.front());
    if (time) return;
    sink_.Add(Code::kTestUnknownName, item.span, fmt::format("`{}` of an attempt is one time", item.key.text), "",
              "write it as `12:41:00`; is a word missing, as in `state FAILED`?");
  }
  void CoverStatus(const Name& status) {
    static const std::vector<std::string_view> kStatuses = {"absent", "empty", "error", "ok", "partial"};
    if (std::find(kStatuses.begin(), kStatuses.end(), status.text) != kStatuses.end()) return;
    sink_.Add(Code::kTestUnknownName, status.span, fmt::format("unknown coverage status `{}`", status.text), "",
              "one of ok, empty, partial, error, absent");
  }

 private:
  const TestScope& scope_;
  diagnostics::Sink& sink_;
};

void CheckExpectation(const Expectation& expectation, NameChecker& names) {
  for (const QName& rule : expectation.rules) names.Rule(rule);
  if (expectation.by) names.Rule(*expectation.by);
  for (const Name& source : expectation.needs) names.Source(source);
  for (const Name& path : expectation.paths) {
    if (expectation.kind == Expectation::Kind::kState) {
      names.State(path);
    } else {
      names.Domain(path);
    }
  }
}

}  // namespace

namespace {

/// Nodes that the test speaks of although its attempt lists others.
class NodeChecker {
 public:
  NodeChecker(const TestDecl& test, diagnostics::Sink& sink) : sink_(sink) {
    for (const auto& item : test.attempt) {
      if (item.label || item.key.text != "nodes") continue;
      for (const auto& value : item.values) {
        if (const auto* name = std::get_if<Name>(&value)) nodes_.insert(name->text);
        if (const auto* text = std::get_if<syntax::Text>(&value)) nodes_.insert(text->value);
      }
    }
  }

  /// An attempt without nodes holds every node.
  void Check(const syntax::Text& node) {
    if (nodes_.empty() || nodes_.count(node.value) != 0) return;
    sink_.Add(Code::kTestUnknownNode, node.span, fmt::format("the attempt has no node `{}`", node.value), "",
              Suggest(node.value, Views(nodes_)));
  }
  void Check(const std::vector<syntax::Text>& nodes) {
    for (const syntax::Text& node : nodes) Check(node);
  }

 private:
  diagnostics::Sink& sink_;
  std::set<std::string> nodes_;
};

}  // namespace

bool NamesRule(const QName& name, std::string_view qualified) {
  if (!name.pack.empty()) return qualified == name.pack + "::" + name.name;
  size_t colon = qualified.rfind("::");
  return qualified.substr(colon == std::string_view::npos ? 0 : colon + 2) == name.name;
}

void CheckTestNames(const TestDecl& test, const TestScope& scope, diagnostics::Sink& sink) {
  NameChecker names(scope, sink);
  if (test.expectations.empty()) {
    sink.Add(Code::kTestExpectsNothing, test.name.span, "test without `expect`", "it could never fail",
             "say what the verdict must be: `expect attributed fabric.nvlink`");
  }
  for (const auto& item : test.attempt) {
    if (!item.label) names.AttemptKey(item.key);
    names.AttemptTime(item);
  }
  for (const auto& cover : test.covers) {
    for (const Name& source : cover.sources) names.Source(source);
    if (cover.status) names.CoverStatus(*cover.status);
  }
  if (test.dropping) {
    for (const Name& source : test.dropping->sources) names.Source(source);
  }
  for (const auto& line : test.observations) names.Source(line.source);
  for (const auto& expectation : test.expectations) CheckExpectation(expectation, names);
  NodeChecker nodes(test, sink);
  for (const auto& item : test.attempt) nodes.Check(item.on);
  for (const auto& cover : test.covers) nodes.Check(cover.on);
  for (const auto& line : test.observations) {
    if (line.node) nodes.Check(*line.node);
  }
  for (const auto& expectation : test.expectations) nodes.Check(expectation.on);
}

}  // namespace attr::testing

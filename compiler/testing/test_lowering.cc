// A test's attempt, coverage and lines as one observation-set document. Checks
// of names stand in test_names.cc.
#include "compiler/testing/test_lowering.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/testing/test_names.h"
#include "runtime/base/json_text.h"

namespace attr::testing {

namespace {

using syntax::AttemptItem;
using syntax::CoverClause;
using syntax::Literal;
using syntax::Name;
using syntax::TestDecl;
using syntax::TestMoment;
using syntax::TestObservation;
using syntax::Text;

std::string MomentText(const TestMoment& moment) {
  if (!moment.time_of_day) return moment.text;
  size_t colons = static_cast<size_t>(std::count(moment.text.begin(), moment.text.end(), ':'));
  std::string time = moment.text.find(':') == 1 ? "0" + moment.text : moment.text;
  if (colons == 1) time += ":00";
  return fmt::format("{}T{}Z", kTestDate, time);
}

struct LiteralJson {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const syntax::SizeValue& value) const { return std::to_string(value.bytes); }
  std::string operator()(const syntax::DurationValue& value) const { return std::to_string(value.nanos); }
  std::string operator()(const syntax::DateTimeValue& value) const { return JsonString(value.text); }
  std::string operator()(const std::string& value) const { return JsonString(value); }
};
std::string ToJson(const Literal& literal) { return std::visit(LiteralJson{}, literal.value); }

struct AttemptValueText {
  std::string operator()(const Name& name) const { return name.text; }
  std::string operator()(const Text& text) const { return text.value; }
  std::string operator()(const TestMoment& moment) const { return MomentText(moment); }
  std::string operator()(int64_t number) const { return std::to_string(number); }
};

template <class List, class F>
std::string JsonList(const List& list, F&& item) {
  std::string out = "[";
  for (const auto& element : list) {
    if (out.size() > 1) out += ",";
    out += item(element);
  }
  return out + "]";
}

std::string NodeNames(const std::vector<Text>& nodes) {
  return JsonList(nodes, [](const Text& node) { return JsonString(node.value); });
}

/// `rack = "r7" on n1, n2`: the labels of one node, as a JSON object.
std::string LabelsOf(const std::string& node, const std::vector<AttemptItem>& items) {
  std::string out;
  for (const AttemptItem& item : items) {
    bool here =
        item.label && std::any_of(item.on.begin(), item.on.end(), [&](const Text& n) { return n.value == node; });
    if (!here || item.values.empty()) continue;
    if (!out.empty()) out += ",";
    out += JsonString(item.key.text) + ":" + JsonString(std::visit(AttemptValueText{}, item.values.front()));
  }
  return "{" + out + "}";
}

std::string AttemptJson(const std::vector<AttemptItem>& items) {
  std::string out;
  auto add = [&](std::string_view key, const std::string& value) {
    if (!out.empty()) out += ",";
    out += JsonString(key) + ":" + value;
  };
  for (const AttemptItem& item : items) {
    if (item.label || item.values.empty()) continue;
    if (item.key.text == "nodes") {
      add("nodes", JsonList(item.values, [&](const auto& value) {
            std::string node = std::visit(AttemptValueText{}, value);
            return fmt::format("{{\"name\":{},\"labels\":{}}}", JsonString(node), LabelsOf(node, items));
          }));
    } else if (item.key.text == "exit_code") {
      add("exit_code", std::visit(AttemptValueText{}, item.values.front()));
    } else {
      add(item.key.text, JsonString(std::visit(AttemptValueText{}, item.values.front())));
    }
  }
  return "{" + out + "}";
}

std::string CoverageJson(const std::vector<CoverClause>& covers) {
  std::string out;
  for (const CoverClause& cover : covers) {
    for (const Name& source : cover.sources) {
      if (!out.empty()) out += ",";
      out += fmt::format("{{\"source\":{},\"status\":{}", JsonString(source.text),
                         JsonString(cover.status ? cover.status->text : "ok"));
      if (!cover.on.empty()) out += ",\"nodes\":" + NodeNames(cover.on);
      if (cover.from) out += ",\"from\":" + JsonString(MomentText(*cover.from));
      if (cover.to) out += ",\"to\":" + JsonString(MomentText(*cover.to));
      out += "}";
    }
  }
  return "[" + out + "]";
}

/// A line without a time lies between its source's neighbours in written order.
std::string RangeBetweenNeighbours(const std::vector<TestObservation>& lines, size_t index) {
  const std::string& source = lines[index].source.text;
  std::string before = "null";
  std::string after = "null";
  for (size_t i = index; i-- > 0 && before == "null";) {
    if (lines[i].source.text == source && lines[i].time) before = JsonString(MomentText(*lines[i].time));
  }
  for (size_t i = index + 1; i < lines.size() && after == "null"; ++i) {
    if (lines[i].source.text == source && lines[i].time) after = JsonString(MomentText(*lines[i].time));
  }
  if (before == "null" && after == "null") return {};
  return fmt::format(",\"time_range\":[{},{}]", before, after);
}

std::string ObservationJson(const std::vector<TestObservation>& lines, size_t index) {
  const TestObservation& line = lines[index];
  std::string out = "{\"source\":" + JsonString(line.source.text);
  if (line.node) out += ",\"node\":" + JsonString(line.node->value);
  out += line.time ? ",\"time\":" + JsonString(MomentText(*line.time)) : RangeBetweenNeighbours(lines, index);
  for (const auto& [name, value] : line.attributes) out += "," + JsonString(name.text) + ":" + ToJson(value);
  if (line.text) out += ",\"text\":" + JsonString(line.text->value);
  std::string attributes;
  for (const auto& [name, value] : line.record) {
    if (name.text == "name") {
      out += ",\"name\":" + ToJson(value);
      continue;
    }
    attributes += (attributes.empty() ? "" : ",") + JsonString(name.text) + ":" + ToJson(value);
  }
  if (!attributes.empty()) out += ",\"attrs\":{" + attributes + "}";
  return out + "}";
}

std::string Document(const TestDecl& test) {
  std::string out = "{\"schema\":\"attribution/observations/v1\",\n \"attempt\":" + AttemptJson(test.attempt) +
                    ",\n \"coverage\":" + CoverageJson(test.covers) + ",\n \"observations\":[";
  for (size_t i = 0; i < test.observations.size(); ++i) {
    out += (i == 0 ? "\n  " : ",\n  ") + ObservationJson(test.observations, i);
  }
  return out + "\n]}\n";
}

}  // namespace

TestCase LowerTest(const TestDecl& test, const TestScope& scope, const diagnostics::SourceMap& sources,
                   diagnostics::Sink& sink) {
  CheckTestNames(test, scope, sink);
  TestCase out;
  out.name = test.name.value;
  const diagnostics::SourceFile& file = sources.file(test.name.span.file);
  out.file = file.path();
  out.line = file.Locate(test.name.span.begin).line;
  out.decl = &test;
  if (test.from) {
    out.from = test.from->value;
  } else {
    out.observations = Document(test);
  }
  if (test.dropping) {
    std::vector<std::string> nodes;
    for (const Text& node : test.dropping->on) nodes.push_back(node.value);
    for (const Name& source : test.dropping->sources) out.dropping.emplace_back(source.text, nodes);
  }
  return out;
}

}  // namespace attr::testing

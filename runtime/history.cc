#include "runtime/history.h"

#include <algorithm>

#include "runtime/base/json_text.h"
#include "runtime/model/time_text.h"

namespace attr {

namespace {

void AddText(std::string_view key, std::string_view value, std::string* out) {
  if (value.empty()) return;
  *out += ',' + JsonString(key) + ':' + JsonString(value);
}

/// "n1,n2": what a field of a set type reads.
std::string Listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ",") + name;
  return out;
}

/// Rules of the causes, each once, in the verdict's order.
std::vector<std::string> RulesOf(const std::vector<model::CauseView>& causes) {
  std::vector<std::string> out;
  for (const model::CauseView& cause : causes) {
    if (std::find(out.begin(), out.end(), cause.finding.rule) == out.end()) out.push_back(cause.finding.rule);
  }
  return out;
}

std::string Attributes(const model::Verdict& v) {
  std::vector<std::string> nodes;
  for (const auto& [node, causes] : v.affected_nodes) nodes.push_back(node);
  std::string out = "\"status\":" + JsonString(model::Name(v.status));
  AddText("domain", v.domain, &out);
  AddText("certainty", v.settled ? "settled" : "provisional", &out);
  AddText("state", v.terminal_state, &out);
  AddText("causes", Listed(RulesOf(v.causes)), &out);
  AddText("nodes", Listed(nodes), &out);
  return out;
}

}  // namespace

ingest::Input HistoryOf(const model::Verdict& v) {
  std::string text = "attempt " + v.attempt + ": " + std::string(model::Name(v.status));
  if (!v.domain.empty()) text += " " + v.domain;
  std::string row = "{\"source\":\"history\",\"name\":\"verdict\"";
  AddText("text", text, &row);
  AddText("attempt", v.attempt, &row);
  AddText("job", v.job, &row);
  if (v.end.IsStamp()) AddText("time", model::FormatRfc3339(v.end.lo, v.end.precision), &row);
  row += ",\"attrs\":{" + Attributes(v) + "}}\n";
  const std::string header = "{\"schema\":\"attribution/observations/v1\"}\n";
  return {"verdict of attempt " + v.attempt, Bytes(header + row)};
}

}  // namespace attr

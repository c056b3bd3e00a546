#include "tests/oracle/fuzz/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "runtime/model/time_text.h"

namespace attr::oracle {

namespace {

std::string Joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ",")); }

}  // namespace

/// Names of the generated sets need no escape.
ingest::Input HistoryRecord(const model::Verdict& v) {
  const std::string status(model::Name(v.status));
  std::string json = "{\"schema\":\"attribution/observations/v1\"}\n{\"source\":\"history\",\"name\":\"verdict\"";
  if (!v.attempt.empty()) json += ",\"attempt\":\"" + v.attempt + "\"";
  if (!v.job.empty()) json += ",\"job\":\"" + v.job + "\"";
  if (v.end.IsStamp()) json += ",\"time\":\"" + model::FormatRfc3339(v.end.lo, v.end.precision) + "\"";
  json += fmt::format(",\"text\":\"attempt {}: {}{}\"", v.attempt, status, v.domain.empty() ? "" : " " + v.domain);
  json += fmt::format(",\"attrs\":{{\"status\":\"{}\",\"certainty\":\"{}\",\"state\":\"{}\"", status,
                      v.settled ? "settled" : "provisional", v.terminal_state);
  if (!v.domain.empty()) json += ",\"domain\":\"" + v.domain + "\"";
  std::set<std::string> rules;
  std::vector<std::string> causes, nodes;
  for (const model::CauseView& cause : v.causes) {
    if (rules.insert(cause.finding.rule).second) causes.push_back(cause.finding.rule);
  }
  for (const auto& [node, by] : v.affected_nodes) nodes.push_back(node);
  if (!causes.empty()) json += ",\"causes\":\"" + Joined(causes) + "\"";
  if (!nodes.empty()) json += ",\"nodes\":\"" + Joined(nodes) + "\"";
  return {"history", json + "}}\n"};
}

}  // namespace attr::oracle

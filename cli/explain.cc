// attrc explain: why this verdict, why not that rule, what would change it.
#include "runtime/explain/explain.h"

#include <unistd.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/find_rule.h"
#include "cli/inputs.h"
#include "cli/pack_argument.h"

namespace attr::cli {

int Explain(const ExplainOptions& options) {
  auto pack = LoadPackArgument(options.pack);
  if (!pack) return Fail(pack.error());
  std::vector<uint32_t> rules;
  for (const std::string& name : options.rules) {
    auto rule = FindRule(pack->plan, name);
    if (!rule) return Fail(rule.error());
    if (std::find(rules.begin(), rules.end(), *rule) == rules.end()) rules.push_back(*rule);
  }
  AttributeOptions attribute;
  attribute.threads = options.threads;
  attribute.pack_sha256 = pack->sha256;
  const bool json = options.format == "json";
  explain::TextOptions text;
  text.colour = UseColour(options.colour, STDOUT_FILENO);
  text.width = options.width != 0 ? options.width : TerminalWidth(STDOUT_FILENO);
  const auto answer = [&](const model::ObservationSet& set) -> Result<AttemptAnswer> {
    auto explanation = explain::Explain(pack->plan, set, rules, attribute);
    if (!explanation) return explanation.error();
    return AttemptAnswer{json ? explain::ToJson(*explanation) : explain::ToText(*explanation, text),
                         std::move(explanation->verdict)};
  };
  return AnswerAttempts(options.paths, options.attempt, json, answer);
}

}  // namespace attr::cli

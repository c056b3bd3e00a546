// The observation sets that a command's paths name, attempt by attempt.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/model/observation_set.h"
#include "runtime/model/verdict.h"

namespace attr::cli {

/// What a command makes of one attempt: its output, and the verdict that the attempts
/// after it are told of.
struct AttemptAnswer {
  std::string output;
  model::Verdict verdict;
};
using AnswerAttempt = std::function<Result<AttemptAnswer>(const model::ObservationSet&)>;

/// Answers every attempt of the inputs in order and writes what belongs to `attempt` (empty:
/// all), JSON of several as a list; nothing when any of them fails. Several paths are one
/// set; `-` is standard input, at most once. The reader's warnings go to standard error.
int AnswerAttempts(const std::vector<std::string>& paths, const std::string& attempt, bool json,
                   const AnswerAttempt& answer);

}  // namespace attr::cli

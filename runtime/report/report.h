// A verdict as JSON (schema attribution/verdict/v1, fixed key order) and as text
// for a person. What a log or a pack says is escaped for where it is printed.
#pragma once

#include <string>

#include "runtime/model/verdict.h"

namespace attr::report {

std::string ToJson(const model::Verdict& verdict);

struct TextOptions {
  bool colour = false;
  unsigned width = 80;  // columns; never below 40
};
std::string ToText(const model::Verdict& verdict, const TextOptions& options);

}  // namespace attr::report

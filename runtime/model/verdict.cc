// The words of the verdict's closed sets, as the documents spell them.
#include "runtime/model/verdict.h"

namespace attr::model {

std::string_view Name(VerdictStatus status) {
  switch (status) {
    case VerdictStatus::kAttributed:
      return "attributed";
    case VerdictStatus::kAmbiguous:
      return "ambiguous";
    case VerdictStatus::kUnattributed:
      return "unattributed";
    case VerdictStatus::kNoFailure:
      return "no_failure";
  }
  return "unattributed";
}

std::string_view Name(Truth truth) {
  switch (truth) {
    case Truth::kConfirmed:
      return "confirmed";
    case Truth::kPresumed:
      return "presumed";
    case Truth::kPossible:
      return "possible";
    case Truth::kUnevaluable:
      return "unevaluable";
  }
  return "unevaluable";
}

}  // namespace attr::model

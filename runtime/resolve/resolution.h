// One resolution, kept: the verdict is built from it, and explain/ reads it.
#pragma once

#include "runtime/attribute.h"
#include "runtime/match/match.h"
#include "runtime/resolve/flow.h"

namespace attr::resolve {

struct Resolution {
  /// `context` and `evaluation` outlive it. It points into itself: never moved.
  Resolution(const eval::Context& context, const eval::Evaluation& evaluation);
  Resolution(const Resolution&) = delete;
  Resolution& operator=(const Resolution&) = delete;

  Problem problem;
  Assignment bounds;
  Flow flow;
  Terminal terminal;
  Summary summary;  // on the nominal reading
};

model::Verdict BuildVerdict(const Resolution& resolution, const match::MatchResult& matched,
                            const AttributeOptions& options);

}  // namespace attr::resolve

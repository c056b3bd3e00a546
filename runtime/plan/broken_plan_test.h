// Breaks one thing in the sample plan and asks the verifier what it says.
#pragma once

#include <doctest.h>

#include <functional>

#include "runtime/plan/sample_plan_test.h"
#include "runtime/plan/verify.h"

namespace attr::plan {

using Edit = std::function<void(SampleBuilder&)>;

/// The message that an edited sample gives; empty when it is accepted.
inline std::string Broken(const Edit& edit) {
  SampleBuilder builder;
  builder.plan = SamplePlan();
  edit(builder);
  Status status = Verify(builder.plan);
  if (!status) CHECK(status.error().kind == ErrorKind::kInput);
  return status ? "" : status.error().message;
}

struct Case {
  const char* message;  // how it begins
  Edit edit;
};

inline void CheckAll(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    std::string message = Broken(c.edit);
    INFO("expected: ", std::string(c.message), "\n got: ", message);
    CHECK((!message.empty() && message.rfind(c.message, 0) == 0));
  }
}

using B = SampleBuilder;

/// Appends a node; an unused node is verified like any other.
inline Edit Node(Expr e) {
  return [e](B& b) { b.Add(e); };
}

}  // namespace attr::plan

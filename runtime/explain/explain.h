// `attrc explain`: the interpreter once more over one set, and what it saw on the
// way. The same plan, tables and kernels as an evaluation, so that it explains what
// was decided; bounded by counts of its own (docs/explain.md).
#pragma once

#include "runtime/attribute.h"
#include "runtime/explain/explanation.h"

namespace attr::explain {

/// `rules`: indices into Plan::rules that were asked for, each once.
Result<Explanation> Explain(const plan::Plan& plan, const model::ObservationSet& set,
                            const std::vector<uint32_t>& rules, const AttributeOptions& options);

/// docs/schema/explain.schema.json.
std::string ToJson(const Explanation& explanation);
struct TextOptions {
  bool colour = false;
  unsigned width = 80;
};
std::string ToText(const Explanation& explanation, const TextOptions& options);

}  // namespace attr::explain

// Names of nodes and GPUs through the attempt's inventory, without touching the
// observation set: it may be shared.
#pragma once

#include <mutex>
#include <string_view>

#include "runtime/model/observation_set.h"

namespace attr::match {

class Places {
 public:
  explicit Places(const model::ObservationSet& set) : set_(set) {}
  /// The canonical name; valid as long as this object. Safe from several threads.
  std::string_view Node(std::string_view name);
  /// `node`: names id of the node it stands on, or kNoId.
  std::string_view Gpu(uint32_t node, std::string_view name);

 private:
  model::ObservationSet& Resolver();

  const model::ObservationSet& set_;
  std::mutex mutex_;
  bool ready_ = false;
  model::ObservationSet resolver_;  // names and aliases only; interns what is asked
};

}  // namespace attr::match

#include "runtime/match/places.h"

namespace attr::match {

model::ObservationSet& Places::Resolver() {
  if (ready_) return resolver_;
  ready_ = true;
  for (uint32_t id = 0; id < set_.names.size(); ++id) resolver_.names.Intern(set_.names.Text(id));
  resolver_.aliases = set_.aliases;
  return resolver_;
}

std::string_view Places::Node(std::string_view name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (set_.aliases.empty()) return name;
  model::ObservationSet& resolver = Resolver();
  return resolver.names.Text(resolver.ResolveNode(name));
}

std::string_view Places::Gpu(uint32_t node, std::string_view name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (set_.aliases.empty()) return name;
  model::ObservationSet& resolver = Resolver();
  return resolver.names.Text(resolver.ResolveGpu(node, name));
}

}  // namespace attr::match

// What the scans gave: per binding, the truth bits of every row of its event.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "runtime/eval/kernel.h"
#include "runtime/eval/tables.h"

namespace attr::eval {

/// A table as one side of a rule: rows with membership 0 take no part.
struct Side {
  const Table* table = nullptr;
  const std::vector<uint8_t>* membership = nullptr;
  bool real(size_t row) const { return row < table->first_phantom; }
};

/// Runs every scan group once; on findings when they are bound. Real rows: all bits where the condition must hold,
/// may only where it is unknown. Phantoms: may only (semantics.md S4).
class Memberships {
 public:
  Memberships(const Context& context, const Engine& engine, const KernelList& kernels);
  /// Once, when the event's table has its findings.
  void Bind(uint32_t event);
  Side Of(const plan::Binding& binding) const;

 private:
  void Unconditional(uint32_t event);

  const Context& context_;
  const Engine& engine_;
  const KernelList& kernels_;
  std::vector<uint8_t> unconditional_;  // by event: some rule binds it without a condition
  std::map<std::pair<uint32_t, plan::ExprId>, std::vector<uint8_t>> bits_;  // by event and root; kNone: no condition
};

}  // namespace attr::eval

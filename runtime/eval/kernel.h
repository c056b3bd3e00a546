// What an engine provides: condition kernels over columns. The interpreter
// (interpreter.h) and the native code (jit/) implement the same two shapes, and
// everything around them (candidates, grouping, resolution) is shared, so that
// they can differ only in a kernel. C types only: this is also the ABI of the
// generated code (changing it changes kKernelAbi, which is in the cache key).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/plan/plan.h"

namespace attr::eval {

inline constexpr uint32_t kKernelAbi = 1;

/// All conditions on one event type. Bits past `rows` in the last word are
/// whatever the kernel leaves; the caller masks them.
struct ScanArgs {
  const int64_t* const* columns;   // by plan column; null when unused
  const uint64_t* const* present;  // null: all present
  const int64_t* constants;        // dictionary ids of Plan::constants
  size_t rows;
  uint64_t* const* must;  // one plane per predicate, WordsFor(rows) words
  uint64_t* const* may;   // presumed equals must in a scan
};
using ScanFn = void (*)(const ScanArgs*);

/// One left row against the right rows [begin, end): the whole join condition.
/// Right columns are gathered so that candidates are contiguous. For each
/// candidate, ORs its three bits (eval::TruthBits), masked by the memberships of
/// both rows, into right_bits[j]. Returns the OR over all candidates.
struct JoinArgs {
  const int64_t* const* left_columns;
  const uint64_t* const* left_present;
  const int64_t* const* right_columns;
  const uint64_t* const* right_present;
  const int64_t* constants;
  const uint8_t* left_membership;  // TruthBits per left row: what its scan gave
  const uint8_t* right_membership;
  const uint32_t* left_identity;  // observation ids, for different_observations
  const uint32_t* right_identity;
  uint8_t* right_bits;
  size_t left_row;
  size_t begin, end;
};
using JoinFn = uint32_t (*)(const JoinArgs*);

/// A predicate to be fused with the others of its event: plan expression `root`.
struct ScanGroup {
  uint32_t event = 0;
  std::vector<plan::ExprId> roots;
};

/// Everything that a plan needs kernels for, in a fixed order: one scan group per
/// event that some rule reads with a condition, one join per rule with two
/// bindings and per demotion. `KernelsOf` derives it from the plan alone.
struct KernelList {
  std::vector<ScanGroup> scans;          // ascending event; roots ascending, distinct
  std::vector<const plan::Join*> joins;  // rules in order, then demotions in order
  std::vector<std::string> join_names;   // rule names, for symbols and --stats
};
KernelList KernelsOf(const plan::Plan& plan);

/// Kernels by index into KernelList. Implementations own what the calls need;
/// both calls are safe from several threads at once.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string_view name() const = 0;  // "interpreter" or "native"
  virtual void Scan(size_t scan, const ScanArgs& args) const = 0;
  virtual uint32_t Join(size_t join, const JoinArgs& args) const = 0;
};

/// The batch interpreter: column batches of 1,024 rows, bitmaps per node.
std::unique_ptr<Engine> MakeInterpreter(const plan::Plan& plan, const KernelList& kernels);

}  // namespace attr::eval

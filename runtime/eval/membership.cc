#include "runtime/eval/membership.h"

#include <algorithm>

#include "runtime/eval/expression.h"

namespace attr::eval {
namespace {

std::vector<uint8_t> BitsOfPlanes(const Table& table, const Bitmap& must, const Bitmap& may) {
  std::vector<uint8_t> bits(table.rows);
  for (size_t row = 0; row < table.rows; ++row) {
    const bool sure = row < table.first_phantom && Test(must, row);
    bits[row] = sure ? kAllBits : Test(may, row) ? kMayBit : 0;
    if (!table.bits.empty()) bits[row] &= table.bits[row];
  }
  return bits;
}

void RunScan(const Context& context, const Engine& engine, size_t scan, const ScanGroup& group,
             std::vector<Bitmap>& must, std::vector<Bitmap>& may) {
  const Table& table = context.events[group.event];
  const ColumnPointers columns(table);
  must.assign(group.roots.size(), Bitmap(WordsFor(table.rows)));
  may = must;
  std::vector<uint64_t*> must_planes, may_planes;
  for (size_t r = 0; r < group.roots.size(); ++r) {
    must_planes.push_back(must[r].data());
    may_planes.push_back(may[r].data());
  }
  const ScanArgs args{columns.slots.data(), columns.present.data(), context.constants.data(),
                      table.rows,           must_planes.data(),     may_planes.data()};
  engine.Scan(scan, args);
}

}  // namespace

Memberships::Memberships(const Context& context, const Engine& engine, const KernelList& kernels)
    : context_(context), engine_(engine), kernels_(kernels), unconditional_(context.plan->events.size()) {
  for (const plan::Rule& rule : context.plan->rules) {
    for (const plan::Binding& binding : rule.bindings) {
      if (binding.where == plan::kNone) unconditional_[binding.event] = 1;
    }
  }
  for (uint32_t event = 0; event < context.plan->events.size(); ++event) {
    if (context.plan->events[event].origin != plan::EventOrigin::kFindings) Bind(event);
  }
}

void Memberships::Bind(uint32_t event) {
  const Table& table = context_.events[event];
  if (unconditional_[event] != 0) Unconditional(event);
  const auto at = std::lower_bound(kernels_.scans.begin(), kernels_.scans.end(), event,
                                   [](const ScanGroup& group, uint32_t e) { return group.event < e; });
  if (at == kernels_.scans.end() || at->event != event) return;
  std::vector<Bitmap> must(at->roots.size()), may(at->roots.size());
  const auto scan = static_cast<size_t>(at - kernels_.scans.begin());
  if (table.rows != 0) RunScan(context_, engine_, scan, *at, must, may);
  for (size_t r = 0; r < at->roots.size(); ++r) {
    bits_[{event, at->roots[r]}] = BitsOfPlanes(table, must[r], may[r]);
  }
}

/// Rows of what is bound without a condition.
void Memberships::Unconditional(uint32_t event) {
  const Table& table = context_.events[event];
  std::vector<uint8_t>& bits = bits_[{event, plan::kNone}];
  if (!table.bits.empty()) {
    bits = table.bits;
    return;
  }
  bits.assign(table.rows, kMayBit);
  std::fill_n(bits.begin(), table.first_phantom, static_cast<uint8_t>(kAllBits));
}

Side Memberships::Of(const plan::Binding& binding) const {
  return {&context_.events[binding.event], &bits_.at({binding.event, binding.where})};
}

}  // namespace attr::eval

#include "runtime/eval/membership.h"

#include "runtime/eval/expression.h"

namespace attr::eval {
namespace {

std::vector<uint8_t> BitsOfPlanes(const Table& table, const Bitmap& must, const Bitmap& may) {
  std::vector<uint8_t> bits(table.rows);
  for (size_t row = 0; row < table.rows; ++row) {
    const bool sure = row < table.first_phantom && Test(must, row);
    bits[row] = sure ? kAllBits : Test(may, row) ? kMayBit : 0;
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

Memberships::Memberships(const Context& context, const Engine& engine, const KernelList& kernels) : context_(context) {
  for (size_t scan = 0; scan < kernels.scans.size(); ++scan) {
    const ScanGroup& group = kernels.scans[scan];
    const Table& table = context.events[group.event];
    std::vector<Bitmap> must(group.roots.size()), may(group.roots.size());
    if (table.rows != 0) RunScan(context, engine, scan, group, must, may);
    for (size_t r = 0; r < group.roots.size(); ++r) {
      bits_[{group.event, group.roots[r]}] = BitsOfPlanes(table, must[r], may[r]);
    }
  }
  for (const plan::Rule& rule : context.plan->rules) {
    for (const plan::Binding& binding : rule.bindings) {
      if (binding.where != plan::kNone) continue;
      std::vector<uint8_t>& bits = bits_[{binding.event, plan::kNone}];
      const Table& table = context.events[binding.event];
      if (!bits.empty() || table.rows == 0) continue;
      bits.assign(table.rows, kMayBit);
      std::fill_n(bits.begin(), table.first_phantom, static_cast<uint8_t>(kAllBits));
    }
  }
}

Side Memberships::Of(const plan::Binding& binding) const {
  return {&context_.events[binding.event], &bits_.at({binding.event, binding.where})};
}

}  // namespace attr::eval

#include <stdexcept>

#include "tests/oracle/findings.h"

namespace attr::oracle {

namespace {

Value MomentValue(const Row* row, bool begin) {
  if (row == nullptr) return Missing(Type::kTime);
  const int64_t lo = begin ? row->span.begin_lo : row->span.end_lo;
  const int64_t hi = begin ? row->span.begin_hi : row->span.end_hi;
  return lo == hi ? Number(Type::kTime, lo) : Missing(Type::kTime);
}

std::optional<Value> SystemValue(const std::string& name, const Row* row) {
  static const Row kBlank;
  const Row& r = row == nullptr ? kBlank : *row;
  if (name == "node") return r.node;
  if (name == "rank") return r.rank;
  if (name == "gpu") return r.gpu;
  if (name == "observer") return r.observer;
  if (name == "begin") return MomentValue(row, true);
  if (name == "end") return MomentValue(row, false);
  return std::nullopt;
}

}  // namespace

bool RuleScope::Knows(const syntax::RefExpr& ref) const {
  if (!ref.pack.empty()) return false;
  const std::string& first = ref.parts[0].text;
  for (const Bound& bound : bound_) {
    if (bound.name == first) return true;
  }
  return bare_places_ && ref.parts.size() == 1 && (first == "node" || first == "rank" || first == "gpu");
}

Operand RuleScope::Read(const syntax::RefExpr& ref, std::optional<Type>) const {
  const std::string& first = ref.parts[0].text;
  for (size_t i = 0; i < bound_.size(); ++i) {
    const Bound& bound = bound_[i];
    if (bound.name != first) continue;
    const uint32_t mask = 1U << i;
    const std::string& name = ref.parts.at(1).text;
    if (auto value = SystemValue(name, bound.row)) return {*value, mask};
    const Field* field = bound.event == kNone ? nullptr : pack_.events[bound.event].Find(name);
    if (field == nullptr && bound.row != nullptr && bound.row->fields.count(name) != 0) {
      return {bound.row->fields.at(name), mask};
    }
    if (field == nullptr) throw std::runtime_error("no field " + name);
    return {bound.row == nullptr ? Missing(field->type) : bound.row->fields.at(name), mask};
  }
  return {*SystemValue(first, bound_.at(0).row), 1};
}

const Row* RuleScope::RowNamed(const std::string& binding) const {
  for (const Bound& bound : bound_) {
    if (bound.name == binding) return bound.row;
  }
  return nullptr;
}

std::optional<Operand> RuleScope::PlaceOf(const std::string& binding, Type type) const {
  for (size_t i = 0; i < bound_.size(); ++i) {
    if (bound_[i].name != binding) continue;
    const char* name = type == Type::kNode ? "node" : type == Type::kGpu ? "gpu" : "rank";
    return Operand{*SystemValue(name, bound_[i].row), 1U << i};
  }
  return std::nullopt;
}

}  // namespace attr::oracle

// The plan under construction: interned strings and constants, hash-consed
// expressions, derived columns shared by all rules of an event.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "runtime/plan/plan.h"

namespace attr::lower {

class Builder {
 public:
  plan::Plan plan;

  plan::StrId Str(std::string_view text);
  uint32_t Constant(plan::Type type, std::string_view text);
  uint32_t Range(int64_t lo, int64_t hi);
  uint32_t Set(plan::Set set);  // sorted and made unique here

  /// Equal nodes are one node.
  plan::ExprId Add(plan::Expr expr);
  plan::ExprId Column(uint32_t binding, uint32_t column, plan::Type type);
  plan::ExprId Unary(plan::Op op, plan::ExprId a, plan::Type type = plan::Type::kBool);
  plan::ExprId Binary(plan::Op op, plan::ExprId a, plan::ExprId b, plan::Type type = plan::Type::kBool);
  /// Balanced, so that a flat chain of 4,000 operands is 12 deep. Empty: kTrue (kAnd) or kFalse (kOr).
  plan::ExprId Join(plan::Op op, const std::vector<plan::ExprId>& operands);
  uint32_t Depth(plan::ExprId expr) const { return depth_[expr]; }

  /// The column of this derived value in the event, new or shared.
  uint32_t Derive(uint32_t event, plan::Derived derived);
  /// A rule, a template or a derived column reads it.
  void MarkUsed(uint32_t event, uint32_t column);

 private:
  using ExprKey = std::tuple<plan::Op, plan::Type, uint32_t, uint32_t, uint32_t, int64_t>;
  using DerivedKey = std::tuple<uint32_t, plan::DerivedKind, plan::Type, uint32_t, uint32_t, std::vector<plan::ExprId>,
                                uint32_t, plan::StrId>;
  plan::ExprId JoinRange(plan::Op op, const std::vector<plan::ExprId>& operands, size_t begin, size_t end);

  std::map<std::string, plan::StrId, std::less<>> strings_{{std::string(), 0}};
  std::map<std::pair<plan::Type, plan::StrId>, uint32_t> constants_;
  std::map<std::pair<int64_t, int64_t>, uint32_t> ranges_;
  std::map<std::pair<bool, std::vector<int64_t>>, uint32_t> sets_;
  std::map<ExprKey, plan::ExprId> exprs_;
  std::map<DerivedKey, uint32_t> derived_;
  std::vector<uint32_t> depth_;
};

}  // namespace attr::lower

// Literals as slots, constants, and durations by number or by name.
#include <bit>
#include <set>

#include "compiler/sema/context.h"
#include "fmt/format.h"
#include "runtime/model/time_text.h"

namespace attr::sema {

Const LiteralOf(const syntax::Literal& literal) {
  Const value;
  std::visit(
      [&value](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>) {
          value.type = plan::Type::kBool;
          value.imm = v ? 1 : 0;
        } else if constexpr (std::is_same_v<T, int64_t>) {
          value.imm = v;
        } else if constexpr (std::is_same_v<T, double>) {
          value.type = plan::Type::kFloat;
          value.imm = std::bit_cast<int64_t>(v);
        } else if constexpr (std::is_same_v<T, syntax::SizeValue>) {
          value.type = plan::Type::kSize;
          value.imm = v.bytes;
        } else if constexpr (std::is_same_v<T, syntax::DurationValue>) {
          value.type = plan::Type::kDuration;
          value.imm = v.nanos;
        } else if constexpr (std::is_same_v<T, syntax::DateTimeValue>) {
          value.type = plan::Type::kTime;
          value.imm = v.nanos;
        } else {
          value.type = plan::Type::kText;
          value.text = v;
        }
      },
      literal.value);
  return value;
}

void AnalyzeConsts(Context& context) {
  // Values were taken with the names; a clock's tolerance and the grace have bounds of their own.
  for (const Pack& pack : context.program.packs) {
    const syntax::PackDecl& decl = *pack.input->decl;
    std::set<std::string> clocks;
    for (const syntax::Skew& skew : decl.skews) {
      if (!clocks.insert(skew.clock).second) {
        context.Error(Code::kDuplicateName, skew.span, "the skew of this clock is stated twice");
      }
      if (skew.nanos < 0 || skew.nanos > 3600 * plan::kSecond) {
        context.Error(Code::kOutOfRange, skew.span, "a clock's skew is at most 1h");
      }
    }
    if (decl.grace && (*decl.grace < 0 || *decl.grace > 7 * 86'400 * plan::kSecond)) {
      context.Error(Code::kOutOfRange, decl.name.span, "`grace` is at most 7d");
    }
  }
}

std::optional<int64_t> ResolveDuration(Context& context, uint32_t pack, const syntax::DurationRef& ref) {
  int64_t nanos = 0;
  if (ref.nanos) {
    nanos = *ref.nanos;
  } else {
    const Item* item = FindItemOf(context, pack, syntax::QName{"", ref.constant, ref.span}, ItemKind::kConst);
    if (!item) return std::nullopt;
    const Const& constant = context.ValueOf(item->index);
    if (constant.type != plan::Type::kDuration) {
      context.Error(Code::kUnlikeTypes, ref.span,
                    fmt::format("`{}` is {}, a duration is needed", ref.constant, Article(constant.type)));
      return std::nullopt;
    }
    nanos = constant.imm;
  }
  if (nanos < 0 || nanos > kMaxWindow) {
    context.Error(Code::kOutOfRange, ref.span,
                  fmt::format("`{}` is not between 0s and 366d", model::FormatDuration(nanos)));
    return std::nullopt;
  }
  return nanos;
}

}  // namespace attr::sema

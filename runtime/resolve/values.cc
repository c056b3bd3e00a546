#include "runtime/resolve/values.h"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "runtime/base/fold_names.h"
#include "runtime/model/time_text.h"

namespace attr::resolve {

namespace {

std::string SizeText(int64_t bytes) {
  static constexpr std::array<const char*, 4> kUnits = {"KiB", "MiB", "GiB", "TiB"};
  const char* unit = "B";
  for (const char* larger : kUnits) {
    if (bytes == 0 || bytes % 1024 != 0) break;
    bytes /= 1024;
    unit = larger;
  }
  return fmt::format("{}{}", bytes, unit);
}

}  // namespace

std::string SlotText(const eval::Context& context, plan::Type type, int64_t slot, int64_t precision) {
  switch (type) {
    case plan::Type::kBool:
      return slot != 0 ? "true" : "false";
    case plan::Type::kFloat:
      return FloatText(slot);
    case plan::Type::kTime:
      if (slot <= plan::kBeforeAll || slot >= plan::kAfterAll) return "?";
      return model::FormatRfc3339(slot, precision);
    case plan::Type::kDuration:
      return model::FormatDuration(slot);
    case plan::Type::kSize:
      return SizeText(slot);
    case plan::Type::kText:
    case plan::Type::kNode:
    case plan::Type::kGpu:
    case plan::Type::kDomain:
    case plan::Type::kTextSet:
    case plan::Type::kIntSet:
    case plan::Type::kNodeSet:
    case plan::Type::kRankSet: {
      bool known = slot >= 0 && slot < static_cast<int64_t>(context.dictionary.size());
      return known ? std::string(context.dictionary.Text(static_cast<uint32_t>(slot))) : "?";
    }
    case plan::Type::kInt:
    case plan::Type::kRank:
      break;
  }
  return fmt::format("{}", slot);
}

std::string FloatText(double value) { return fmt::format("{}", value); }
std::string FloatText(int64_t bits) { return FloatText(std::bit_cast<double>(bits)); }

std::string ValueText(const eval::Context& context, const eval::Value& value) {
  return value.present ? SlotText(context, value.type, value.slot, 1) : "?";
}

std::vector<std::string> KeyTexts(const eval::Context& context, const eval::Finding& finding) {
  std::vector<std::string> out;
  out.reserve(finding.keys.size());
  for (const eval::Value& key : finding.keys) out.push_back(ValueText(context, key));
  return out;
}

std::vector<std::string> NameTexts(const eval::Context& context, const std::vector<uint32_t>& ids) {
  std::vector<std::string> out;
  out.reserve(ids.size());
  for (uint32_t id : ids) out.emplace_back(context.dictionary.Text(id));
  SortNames(&out);
  return out;
}

std::string Shortened(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  static constexpr std::string_view kMore = "…";
  size_t end = bytes > kMore.size() ? bytes - kMore.size() : 0;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + std::string(kMore);
}

}  // namespace attr::resolve

// Names of an observation set: nodes, GPUs and ranks through the attempt's
// inventory. Keys of `aliases`: a name or alias as it is; ".short" for the first
// label of an FQDN; "<node id>/<gpu>" for a GPU.
#include "runtime/model/observation_set.h"

#include <algorithm>

#include "runtime/base/sha256.h"
#include "runtime/model/canonical.h"

namespace attr::model {

namespace {

/// The first label of a host name; empty for what has no dot or is an address.
std::string_view ShortName(std::string_view name) {
  size_t dot = name.find('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  bool address = name.find_first_not_of("0123456789.:") == std::string_view::npos;
  return address ? std::string_view() : name.substr(0, dot);
}

bool IsHex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

/// "PCI:0000:1B:00", "00000000:1b:00.0" -> "0000:1b:00.0"; other names in lower case.
std::string GpuKey(std::string_view name) {
  std::string text;
  for (char c : name) text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (text.rfind("pci:", 0) == 0) text.erase(0, 4);
  size_t colon = text.find(':');
  size_t second = colon == std::string::npos ? colon : text.find(':', colon + 1);
  if (second == std::string::npos || colon == 0 || colon > 8) return text;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!IsHex(text[i]) && text[i] != ':' && text[i] != '.') return text;
  }
  while (colon > 4 && text[0] == '0') {
    text.erase(0, 1);
    --colon;
  }
  if (text.find('.') == std::string::npos) text += ".0";
  return text;
}

std::string GpuAliasKey(uint32_t node, std::string_view gpu) { return std::to_string(node) + '/' + GpuKey(gpu); }

class InventoryIndex {
 public:
  explicit InventoryIndex(ObservationSet* set) : set_(set) {}

  std::optional<std::string> Build() {
    for (const InventoryNode& node : set_->attempt.nodes) {
      AddName(std::string(set_->NameOf(node.node)), node.node);
      for (const std::string& alias : node.aliases) AddName(alias, node.node);
      for (int32_t rank : node.ranks) AddRank(rank, node.node);
      for (const auto& [gpu, aliases] : node.gpus) {
        AddGpu(std::string(set_->NameOf(gpu)), node.node, gpu);
        for (const std::string& alias : aliases) AddGpu(alias, node.node, gpu);
      }
    }
    for (const InventoryNode& node : set_->attempt.nodes) {
      AddShort(set_->NameOf(node.node), node.node);
      for (const std::string& alias : node.aliases) AddShort(alias, node.node);
    }
    return error_;
  }

 private:
  void Clash(const std::string& what, uint32_t one, uint32_t other) {
    std::string_view a = set_->NameOf(one);
    std::string_view b = set_->NameOf(other);
    if (NaturalLess(b, a)) std::swap(a, b);
    if (!error_) error_ = what + " belongs to both " + std::string(a) + " and " + std::string(b);
  }
  void AddName(const std::string& name, uint32_t node) {
    auto [it, added] = set_->aliases.emplace(name, node);
    if (!added && it->second != node) Clash("the name " + name, it->second, node);
  }
  void AddShort(std::string_view name, uint32_t node) {
    std::string_view first = ShortName(name);
    if (first.empty()) return;
    auto [it, added] = set_->aliases.emplace('.' + std::string(first), node);
    if (!added && it->second != node) it->second = kNoId;  // ambiguous: nobody's
  }
  void AddRank(int32_t rank, uint32_t node) {
    auto [it, added] = set_->rank_nodes.emplace(rank, node);
    if (!added && it->second != node) Clash("rank " + std::to_string(rank), it->second, node);
  }
  void AddGpu(const std::string& name, uint32_t node, uint32_t gpu) {
    auto [it, added] = set_->aliases.emplace(GpuAliasKey(node, name), gpu);
    if (!added && it->second != gpu) Clash("the GPU name " + name, it->second, gpu);
  }

  ObservationSet* set_;
  std::optional<std::string> error_;
};

}  // namespace

std::string_view Name(CoverageStatus status) {
  switch (status) {
    case CoverageStatus::kOk:
      return "ok";
    case CoverageStatus::kEmpty:
      return "empty";
    case CoverageStatus::kPartial:
      return "partial";
    case CoverageStatus::kError:
      return "error";
    case CoverageStatus::kAbsent:
      return "absent";
  }
  return "absent";
}

std::optional<std::string> IndexInventory(ObservationSet* set) { return InventoryIndex(set).Build(); }

uint32_t ObservationSet::ResolveNode(std::string_view name) {
  auto it = aliases.find(std::string(name));
  if (it != aliases.end()) return it->second;
  // A short name finds its FQDN and an FQDN its short name; two different FQDNs are two nodes.
  std::string_view first = ShortName(name);
  it = aliases.find(first.empty() ? '.' + std::string(name) : std::string(first));
  if (it != aliases.end() && it->second != kNoId) return it->second;
  return names.Intern(name);
}

uint32_t ObservationSet::ResolveGpu(uint32_t node, std::string_view name) {
  if (node != kNoId) {
    auto it = aliases.find(GpuAliasKey(node, name));
    if (it != aliases.end()) return it->second;
  }
  return names.Intern(name);
}

uint32_t ObservationSet::NodeOfRank(int32_t rank) const {
  auto it = rank_nodes.find(rank);
  return it == rank_nodes.end() ? kNoId : it->second;
}

std::string ObservationSet::IdOf(size_t observation) const {
  const Observation& row = observations[observation];
  if (!row.id.empty()) return std::string(row.id);
  std::string bytes;
  AppendCanonical(*this, row, &bytes);
  std::string id = ToHex(Sha256Of(bytes)).substr(0, 12);
  // Equal observations stand side by side in the canonical order and are interchangeable.
  size_t first = observation;
  while (first > 0 && SameContent(*this, observations[first - 1], row)) --first;
  if (first != observation) id += '-' + std::to_string(observation - first + 1);
  return id;
}

}  // namespace attr::model

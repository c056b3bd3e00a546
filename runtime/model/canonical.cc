#include "runtime/model/canonical.h"

#include <bit>
#include <cstring>

#include "runtime/base/sha256.h"
#include "runtime/model/canonical_order.h"

namespace attr::model {

namespace {

constexpr size_t kChunkBytes = 32 * 1024;  // stays in the first cache between writing and hashing
constexpr std::string_view kFormat = "attribution/observations/v1 canonical 1\n";

char* PutNumber(uint64_t value, char* at) {
  while (value >= 0x80) {
    *at++ = static_cast<char>(value | 0x80);
    value >>= 7;
  }
  *at++ = static_cast<char>(value);
  return at;
}
char* PutFixed(uint64_t value, char* at) {
  if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
  std::memcpy(at, &value, sizeof value);
  return at + sizeof value;
}
char* PutText(std::string_view text, char* at) {
  at = PutNumber(text.size(), at);
  if (text.empty()) return at;
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

/// Canonical bytes, gathered in big chunks: into a hash when there is one, else kept.
class Writer {
 public:
  explicit Writer(Sha256* hash) : chunk_(hash == nullptr ? 0 : kChunkBytes, '\0'), hash_(hash) {}

  /// Where up to `size` bytes may be written; End says how far they were.
  char* Begin(size_t size) {
    if (chunk_.size() - used_ < size) Spill(size);
    return chunk_.data() + used_;
  }
  void End(const char* at) { used_ = static_cast<size_t>(at - chunk_.data()); }

  void Byte(uint8_t value) {
    char* at = Begin(1);
    *at = static_cast<char>(value);
    End(at + 1);
  }
  void Number(uint64_t value) { End(PutNumber(value, Begin(10))); }
  void Fixed(uint64_t value) { End(PutFixed(value, Begin(8))); }
  void Text(std::string_view text) { End(PutText(text, Begin(text.size() + 10))); }
  void Moment(const model::Moment& moment) {
    Fixed(static_cast<uint64_t>(moment.lo));
    Fixed(static_cast<uint64_t>(moment.hi));
    Number(static_cast<uint64_t>(moment.precision));
  }
  /// An id's text with "none" apart from "".
  void Name(const ObservationSet& set, uint32_t id) {
    if (id == kNoId) return Byte(0);
    std::string_view text = set.names.Text(id);
    Number(text.size() + 1);
    Bytes(text);
  }
  void Bytes(std::string_view bytes) {
    char* at = Begin(bytes.size());
    if (!bytes.empty()) std::memcpy(at, bytes.data(), bytes.size());
    End(at + bytes.size());
  }
  /// What was written since the last spill.
  std::string_view Rest() const { return {chunk_.data(), used_}; }

 private:
  void Spill(size_t size) {
    if (hash_ != nullptr) {
      hash_->Update(Rest());
      used_ = 0;
    }
    if (chunk_.size() - used_ < size) chunk_.resize(used_ + size + chunk_.size());
  }

  std::string chunk_;
  size_t used_ = 0;
  Sha256* hash_;
};

void PutInventory(const ObservationSet& set, const InventoryNode& node, Writer* out) {
  out->Name(set, node.node);
  out->Number(node.aliases.size());
  for (const std::string& alias : node.aliases) out->Text(alias);
  out->Number(node.ranks.size());
  for (int32_t rank : node.ranks) out->Number(static_cast<uint32_t>(rank));
  out->Number(node.gpus.size());
  for (const auto& [gpu, aliases] : node.gpus) {
    out->Name(set, gpu);
    out->Number(aliases.size());
    for (const std::string& alias : aliases) out->Text(alias);
  }
  out->Number(node.labels.size());
  for (const auto& [key, value] : node.labels) {
    out->Text(key);
    out->Text(value);
  }
}

void PutHeader(const ObservationSet& set, Writer* out) {
  out->Bytes(kFormat);
  const Attempt& attempt = set.attempt;
  out->Text(attempt.id);
  out->Text(attempt.job);
  out->Number(attempt.state ? 1 : 0);
  if (attempt.state) out->Text(*attempt.state);
  out->Number(attempt.exit_code ? 1 : 0);
  if (attempt.exit_code) out->Fixed(static_cast<uint64_t>(*attempt.exit_code));
  out->Moment(attempt.start);
  out->Moment(attempt.end);
  out->Number(attempt.nodes.size());
  for (const InventoryNode& node : attempt.nodes) PutInventory(set, node, out);
  out->Number(set.skew ? 1 : 0);
  if (set.skew) out->Fixed(static_cast<uint64_t>(*set.skew));
  out->Number(set.clocks.size());
  for (const Clock& clock : set.clocks) {
    out->Text(clock.name);
    out->Byte(clock.tied ? 1 : 0);
  }
  out->Number(set.coverage.size());
  for (const Coverage& row : set.coverage) {
    out->Name(set, row.source);
    out->Text(row.metric);
    out->Byte(static_cast<uint8_t>(row.status));
    out->Name(set, row.node);
    out->Fixed(static_cast<uint64_t>(row.rank));
    out->Name(set, row.stream);
    out->Fixed(static_cast<uint64_t>(row.from));
    out->Fixed(static_cast<uint64_t>(row.to));
    out->Fixed(static_cast<uint64_t>(row.presumed_to));
    out->Text(row.reason);
  }
  out->Number(set.observations.size());
}

uint64_t BitsOf(double value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Names as AppendCanonical writes them, one at a time.
class PlainNames {
 public:
  explicit PlainNames(const ObservationSet& set) : set_(set) {}
  size_t Bound(uint32_t id) const { return id == kNoId ? 1 : set_.names.Text(id).size() + 10; }
  char* Put(uint32_t id, char* at) const {
    if (id == kNoId) {
      *at = 0;
      return at + 1;
    }
    std::string_view text = set_.names.Text(id);
    at = PutNumber(text.size() + 1, at);
    std::memcpy(at, text.data(), text.size());
    return at + text.size();
  }

 private:
  const ObservationSet& set_;
};

/// The same bytes, made once for each name: a million rows have seven names each.
class EncodedNames {
 public:
  explicit EncodedNames(const ObservationSet& set) {
    PlainNames plain(set);
    for (uint32_t id = 0; id < set.names.size(); ++id) {
      begin_.push_back(bytes_.size());
      bytes_.resize(bytes_.size() + plain.Bound(id));
      char* end = plain.Put(id, bytes_.data() + begin_.back());
      bytes_.resize(static_cast<size_t>(end - bytes_.data()));
    }
    begin_.push_back(bytes_.size());
    bytes_.append(kSmall, '\0');
  }
  size_t Bound(uint32_t id) const { return id == kNoId ? 1 : begin_[id + 1] - begin_[id] + kSmall; }
  char* Put(uint32_t id, char* at) const {
    if (id == kNoId) {
      *at = 0;
      return at + 1;
    }
    size_t size = begin_[id + 1] - begin_[id];
    const char* from = bytes_.data() + begin_[id];
    if (size <= kSmall) {
      std::memcpy(at, from, kSmall);  // of fixed size: two moves, no call
    } else {
      std::memcpy(at, from, size);
    }
    return at + size;
  }

 private:
  static constexpr size_t kSmall = 32;
  std::vector<size_t> begin_;
  std::string bytes_;
};

void PutAttributes(const ObservationSet& set, const Observation& row, Writer* out) {
  out->Number(row.attributes_end - row.attributes_begin);
  for (uint32_t i = row.attributes_begin; i < row.attributes_end; ++i) {
    const Attribute& attribute = set.attributes[i];
    out->Text(attribute.key);
    out->Byte(static_cast<uint8_t>(attribute.kind));
    if (attribute.kind == Attribute::Kind::kText) {
      out->Text(attribute.text);
    } else {
      out->Fixed(static_cast<uint64_t>(attribute.number));
    }
  }
}

/// Room is asked for once a row, the rest is moves: this loop writes as much as the input holds.
template <class Names>
void PutRow(const ObservationSet& set, const Observation& row, const Names& names, Writer* out) {
  const std::string_view texts[] = {row.id, row.text, row.name, row.severity, row.unit};
  const uint32_t ids[] = {row.source, row.node, row.observer, row.gpu, row.stream, row.attempt, row.job};
  const std::string_view clock = set.clocks[row.clock].name;
  size_t bound = 160 + clock.size();  // seven numbers of ten bytes at most, five lengths, flags, value
  for (std::string_view text : texts) bound += text.size();
  for (uint32_t id : ids) bound += names.Bound(id);
  char* at = out->Begin(bound);
  for (std::string_view text : texts) at = PutText(text, at);
  for (uint32_t id : ids) at = names.Put(id, at);
  at = PutText(clock, at);
  at = PutNumber(static_cast<uint64_t>(row.rank) + 1, at);
  at = PutNumber(static_cast<uint64_t>(row.position) + 1, at);
  at = PutFixed(static_cast<uint64_t>(row.time.lo), at);
  at = PutFixed(static_cast<uint64_t>(row.time.hi), at);
  at = PutNumber(static_cast<uint64_t>(row.time.precision), at);
  *at++ = static_cast<char>((row.has_value ? 1 : 0) | (row.input_time_unreadable ? 2 : 0));
  if (row.has_value) at = PutFixed(BitsOf(row.value), at);
  out->End(at);
  PutAttributes(set, row, out);
}

}  // namespace

void AppendCanonical(const ObservationSet& set, const Observation& row, std::string* out) {
  Writer writer(nullptr);
  PutRow(set, row, PlainNames(set), &writer);
  out->append(writer.Rest());
}

void Canonicalize(ObservationSet* set) {
  SortClocks(set);
  NameOrder names(*set);
  SortCoverage(set, names);
  SortObservations(set, names);
  Sha256 hash;
  Writer writer(&hash);
  PutHeader(*set, &writer);
  EncodedNames encoded(*set);
  for (const Observation& row : set->observations) PutRow(*set, row, encoded, &writer);
  hash.Update(writer.Rest());
  set->sha256 = ToHex(hash.Finish());
}

}  // namespace attr::model

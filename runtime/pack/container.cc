#include "runtime/pack/container.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>

#include "runtime/base/sha256.h"
#include "runtime/pack/pack.h"

namespace attr::pack {

namespace {

template <class T>
void PutAt(std::string* bytes, size_t at, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) (*bytes)[at + i] = static_cast<char>(value >> (8 * i));
}

template <class T>
T GetAt(std::string_view bytes, size_t at) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) value |= static_cast<T>(static_cast<uint8_t>(bytes[at + i])) << (8 * i);
  return value;
}

uint32_t Crc(std::string_view bytes, uint32_t crc = 0) {
  return static_cast<uint32_t>(crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

/// The SHA-256 and the checksum of the header count as zero in both.
std::string BlankedHead(std::string_view bytes) {
  std::string head(bytes.substr(0, kTableAt));
  std::fill(head.begin() + kShaAt, head.begin() + kHeaderCrcAt + 4, '\0');
  return head;
}

uint32_t HeaderCrc(std::string_view bytes, size_t header_size) {
  return Crc(bytes.substr(kTableAt, header_size - kTableAt), Crc(BlankedHead(bytes)));
}

std::string_view AsText(const Sha256::Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

Sha256::Digest FileSha(std::string_view bytes) {
  Sha256 sha;
  sha.Update(BlankedHead(bytes));
  sha.Update(bytes.substr(kTableAt));
  return sha.Finish();
}

void SealChecksums(std::string* bytes, size_t header_size) {
  std::string_view view = *bytes;
  Sha256::Digest sha = FileSha(view);
  uint32_t crc = HeaderCrc(view, header_size);
  bytes->replace(kShaAt, sha.size(), AsText(sha));
  PutAt<uint32_t>(bytes, kHeaderCrcAt, crc);
}

/// Magic and versions: what can be told of a file from its first bytes.
Status CheckKind(std::string_view bytes, const std::string& file) {
  if (bytes.size() < sizeof(kMagic) || std::memcmp(bytes.data(), kMagic, sizeof(kMagic)) != 0) {
    Error error = Damaged(file, "this is not a compiled pack");
    error.help = "`attrc compile` makes packs; sources are given to `attrc check`";
    return error;
  }
  if (bytes.size() < kTableAt) return Damaged(file, "header: the file ends inside it");
  uint32_t format = GetAt<uint32_t>(bytes, kFormatAt);
  if (format > kFormatVersion) {
    Error error = Damaged(file, "made by a newer attrc (format " + std::to_string(format) + ", this one reads " +
                                    std::to_string(kFormatVersion) + ")");
    error.help = "use that attrc, or compile the pack again with this one";
    return error;
  }
  if (format != kFormatVersion) return Damaged(file, "header: format version 0 does not exist");
  return Ok();
}

Status CheckHeader(std::string_view bytes, const std::string& file) {
  uint64_t header = GetAt<uint32_t>(bytes, kHeaderSizeAt);
  uint64_t count = GetAt<uint32_t>(bytes, kCountAt);
  uint64_t names = uint64_t{GetAt<uint32_t>(bytes, kNameSizeAt)} + GetAt<uint32_t>(bytes, kVersionSizeAt);
  if (count > kMaxSections) {
    return Damaged(file, "header: " + std::to_string(count) + " sections, at most 64 are allowed");
  }
  if (header != kTableAt + count * kTableEntry + names || header > bytes.size()) {
    return Damaged(file, "header: its size does not fit the sections and names it announces");
  }
  if (GetAt<uint64_t>(bytes, kFileSizeAt) != bytes.size()) {
    return Damaged(file, "header: the file has " + std::to_string(bytes.size()) + " bytes, it announces " +
                             std::to_string(GetAt<uint64_t>(bytes, kFileSizeAt)));
  }
  if (GetAt<uint32_t>(bytes, kHeaderCrcAt) != HeaderCrc(bytes, header)) {
    return Damaged(file, "header: the checksum is wrong");
  }
  if (GetAt<uint32_t>(bytes, kReservedAt) != 0) return Damaged(file, "header: a reserved field is not zero");
  return Ok();
}

Result<std::vector<Section>> ReadTable(std::string_view bytes, const std::string& file) {
  std::vector<Section> sections;
  uint64_t end = GetAt<uint32_t>(bytes, kHeaderSizeAt);
  uint32_t count = GetAt<uint32_t>(bytes, kCountAt);
  for (uint32_t i = 0; i < count; ++i) {
    size_t at = kTableAt + i * kTableEntry;
    Section section;
    section.id = GetAt<uint32_t>(bytes, at);
    section.flags = GetAt<uint32_t>(bytes, at + 4);
    uint64_t offset = GetAt<uint64_t>(bytes, at + 8), size = GetAt<uint64_t>(bytes, at + 16);
    std::string where = "section table[" + std::to_string(i) + "]: ";
    if (offset != end || size > bytes.size() - end) {
      return Damaged(file, where + "sections must follow each other and lie inside the file");
    }
    if (!sections.empty() && sections.back().id >= section.id) {
      return Damaged(file, where + "section numbers must ascend");
    }
    if ((section.flags & ~kRequired) != 0 || GetAt<uint32_t>(bytes, at + 28) != 0) {
      return Damaged(file, where + "a reserved field is not zero");
    }
    section.offset = offset;
    section.bytes = bytes.substr(offset, size);
    if (GetAt<uint32_t>(bytes, at + 24) != Crc(section.bytes)) {
      return Damaged(file, where + "the checksum of section " + std::to_string(section.id) + " is wrong");
    }
    end += size;
    sections.push_back(section);
  }
  if (end != bytes.size()) return Damaged(file, "section table: the file goes on behind its last section");
  return sections;
}

}  // namespace

Error Damaged(const std::string& file_name, std::string message) {
  Error error;
  error.message = std::move(message);
  error.file = file_name;
  error.help = "the file is damaged or was not made by attrc; compile the pack again from its sources";
  return error;
}

std::string Seal(const Container& container) {
  std::string bytes(kTableAt + container.sections.size() * kTableEntry, '\0');
  std::memcpy(bytes.data(), kMagic, sizeof(kMagic));
  size_t header = bytes.size() + container.name.size() + container.version.size();
  PutAt<uint32_t>(&bytes, kFormatAt, kFormatVersion);
  PutAt<uint32_t>(&bytes, kHeaderSizeAt, static_cast<uint32_t>(header));
  PutAt<uint64_t>(&bytes, kSchemaAt, container.schema);
  PutAt<uint32_t>(&bytes, kLanguageAt, container.language);
  PutAt<uint32_t>(&bytes, kCountAt, static_cast<uint32_t>(container.sections.size()));
  PutAt<uint32_t>(&bytes, kNameSizeAt, static_cast<uint32_t>(container.name.size()));
  PutAt<uint32_t>(&bytes, kVersionSizeAt, static_cast<uint32_t>(container.version.size()));
  uint64_t offset = header;
  for (size_t i = 0; i < container.sections.size(); ++i) {
    const Section& section = container.sections[i];
    size_t at = kTableAt + i * kTableEntry;
    PutAt<uint32_t>(&bytes, at, section.id);
    PutAt<uint32_t>(&bytes, at + 4, section.flags);
    PutAt<uint64_t>(&bytes, at + 8, offset);
    PutAt<uint64_t>(&bytes, at + 16, section.bytes.size());
    PutAt<uint32_t>(&bytes, at + 24, Crc(section.bytes));
    offset += section.bytes.size();
  }
  bytes.reserve(offset);
  bytes.append(container.name).append(container.version);
  for (const Section& section : container.sections) bytes.append(section.bytes);
  PutAt<uint64_t>(&bytes, kFileSizeAt, bytes.size());
  SealChecksums(&bytes, header);
  return bytes;
}

Result<Container> Open(std::string_view bytes, const std::string& file_name) {
  if (bytes.size() > kMaxFileBytes) {
    return Damaged(file_name, "a pack of " + std::to_string(bytes.size()) + " bytes, at most 256 MiB are read");
  }
  if (Status kind = CheckKind(bytes, file_name); !kind) return kind.error();
  if (Status header = CheckHeader(bytes, file_name); !header) return header.error();
  Result<std::vector<Section>> sections = ReadTable(bytes, file_name);
  if (!sections) return sections.error();
  if (bytes.substr(kShaAt, 32) != AsText(FileSha(bytes))) {
    return Damaged(file_name, "header: the SHA-256 is not that of the file");
  }
  Container container;
  container.schema = GetAt<uint64_t>(bytes, kSchemaAt);
  container.language = GetAt<uint32_t>(bytes, kLanguageAt);
  size_t names = kTableAt + sections->size() * kTableEntry;
  container.name = bytes.substr(names, GetAt<uint32_t>(bytes, kNameSizeAt));
  container.version = bytes.substr(names + container.name.size(), GetAt<uint32_t>(bytes, kVersionSizeAt));
  container.sections = std::move(*sections);
  return container;
}

std::string WithFixedChecksums(std::string bytes) {
  if (bytes.size() < kTableAt) return bytes;
  uint64_t header = std::clamp<uint64_t>(GetAt<uint32_t>(bytes, kHeaderSizeAt), kTableAt, bytes.size());
  for (uint32_t i = 0; i < std::min(GetAt<uint32_t>(bytes, kCountAt), kMaxSections); ++i) {
    size_t at = kTableAt + i * kTableEntry;
    if (at + kTableEntry > bytes.size()) break;
    uint64_t offset = GetAt<uint64_t>(bytes, at + 8), size = GetAt<uint64_t>(bytes, at + 16);
    if (offset > bytes.size() || size > bytes.size() - offset) continue;
    uint32_t crc = Crc(std::string_view(bytes).substr(offset, size));
    PutAt<uint32_t>(&bytes, at + 24, crc);
  }
  SealChecksums(&bytes, header);
  return bytes;
}

}  // namespace attr::pack

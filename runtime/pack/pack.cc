// A plan as sections, and back. The container is container.cc, the bytes inside
// a section codec.h, their meaning plan::Verify and VerifyRegexes.
#include "runtime/pack/pack.h"

#include <optional>

#include "runtime/base/sha256.h"
#include "runtime/pack/codec.h"
#include "runtime/pack/container.h"
#include "runtime/pack/schema.h"
#include "runtime/pack/verify_regex.h"
#include "runtime/plan/verify.h"

namespace attr::pack {

namespace {

constexpr uint64_t kMaxMemory = 1ULL << 30;

/// Fills one part from its section; elements of a part are numbered in errors.
template <class T>
void ReadPart(const char* name, Reader* reader, T* part, std::string* where) {
  *where = name;
  if constexpr (plan::IsVector<T>::value) {
    using Element = typename T::value_type;
    size_t count = reader->Count(sizeof(Element), Reader::LeastBytes<Element>());
    part->clear();
    part->reserve(count);
    for (size_t i = 0; i < count && reader->ok(); ++i) {
      *where = std::string(name) + '[' + std::to_string(i) + ']';
      part->emplace_back();
      reader->Get(&part->back());
    }
  } else {
    reader->Get(part);
  }
  if (reader->ok() && reader->left() != 0) {
    *where = name;
    reader->Fail("the section goes on behind its last element");
  }
}

Status CheckVersions(const Container& container, const std::string& file_name) {
  if (container.language > 1) {
    Error error = Damaged(
        file_name, "made for language version " + std::to_string(container.language) + ", this attrc knows version 1");
    error.help = "use a newer attrc";
    return error;
  }
  if (container.schema != SchemaHash()) {
    Error error = Damaged(file_name, "header: made by another build of attrc (its schema is " +
                                         HexOf(container.schema) + ", this one's " + HexOf(SchemaHash()) + ")");
    error.help = "compile the pack again with this attrc";
    return error;
  }
  return Ok();
}

/// Known sections in order, unknown optional ones dropped.
Result<std::vector<Section>> KnownSections(const Container& container, uint32_t known, const std::string& file_name) {
  std::vector<Section> sections;
  for (const Section& section : container.sections) {
    bool required = (section.flags & kRequired) != 0;
    if (section.id >= 1 && section.id <= known) {
      if (!required) {
        return Damaged(file_name, "section " + std::to_string(section.id) + ": marked optional, but it is not");
      }
      sections.push_back(section);
    } else if (required) {
      Error error = Damaged(file_name, "section " + std::to_string(section.id) + ": required, but not known here");
      error.help = "the pack uses something that a newer attrc understands; use that one";
      return error;
    }
  }
  for (uint32_t id = 1; id <= known; ++id) {
    if (id > sections.size() || sections[id - 1].id != id) {
      return Damaged(file_name, "section " + std::to_string(id) + ": missing");
    }
  }
  return sections;
}

Result<plan::Plan> ReadPlan(const std::vector<Section>& sections, const std::string& file_name) {
  plan::Plan plan;
  uint64_t memory = kMaxMemory;
  size_t i = 0;
  std::optional<Error> error;
  plan::ForEachPart(plan, [&](const char* name, auto& part) {
    const Section& section = sections[i++];
    if (error) return;
    Reader reader(section.bytes, &memory);
    std::string where;
    ReadPart(name, &reader, &part, &where);
    if (reader.ok()) return;
    error = Damaged(file_name, where + ": " + reader.error());
    error->byte = section.offset + reader.position();
  });
  if (error) return *error;
  return plan;
}

}  // namespace

std::string Encode(const plan::Plan& plan) {
  std::vector<std::string> parts;
  plan::ForEachPart(plan, [&](const char*, const auto& part) { Writer(&parts.emplace_back()).Put(part); });
  Container container;
  container.schema = SchemaHash();
  container.language = plan.meta.language;
  container.name = plan.Str(plan.meta.name);
  container.version = plan.Str(plan.meta.version);
  for (uint32_t i = 0; i < parts.size(); ++i) container.sections.push_back({i + 1, kRequired, parts[i], 0});
  return Seal(container);
}

Result<Pack> Decode(std::string_view bytes, const std::string& file_name) {
  Result<Container> container = Open(bytes, file_name);
  if (!container) return container.error();
  if (Status versions = CheckVersions(*container, file_name); !versions) return versions.error();
  Result<std::vector<Section>> sections = KnownSections(*container, kSectionCount, file_name);
  if (!sections) return sections.error();
  Result<plan::Plan> plan = ReadPlan(*sections, file_name);
  if (!plan) return plan.error();
  Status verified = plan::Verify(*plan);
  if (verified) verified = VerifyRegexes(*plan);
  if (!verified) {
    Error error = verified.error();
    error.file = file_name;
    return error;
  }
  if (plan->Str(plan->meta.name) != container->name || plan->Str(plan->meta.version) != container->version ||
      plan->meta.language != container->language) {
    return Damaged(file_name, "header: name, version and language are not those of the pack inside");
  }
  return Pack{std::move(*plan), ToHex(Sha256Of(bytes))};
}

}  // namespace attr::pack

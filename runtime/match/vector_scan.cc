// The Vectorscan half of literal_scan.h. Records are copied behind each other, a
// line end between them (no literal holds one), so that one call sees many.
#include <hs/hs.h>

#include <cstring>

#include "runtime/match/literal_scan.h"

namespace attr::match {

namespace {

constexpr size_t kChunk = 128 * 1024;  // copied bytes that still lie in the second-level cache

struct DatabaseFree {
  void operator()(hs_database_t* database) const { hs_free_database(database); }
};
struct ScratchFree {
  void operator()(hs_scratch_t* scratch) const { hs_free_scratch(scratch); }
};
using Database = std::unique_ptr<hs_database_t, DatabaseFree>;
using HsScratch = std::unique_ptr<hs_scratch_t, ScratchFree>;

class VectorScanner : public LiteralScanner {
 public:
  VectorScanner(Database database, HsScratch scratch, size_t literals)
      : database_(std::move(database)), scratch_(std::move(scratch)), literals_(literals) {}

  std::unique_ptr<Scratch> MakeScratch() const override {
    auto own = std::make_unique<Own>();
    hs_scratch_t* clone = nullptr;
    if (hs_clone_scratch(scratch_.get(), &clone) != HS_SUCCESS) throw std::bad_alloc();
    own->scratch.reset(clone);
    own->seen.assign(literals_, UINT32_MAX);
    return own;
  }

  void Scan(std::span<const std::string_view> records, Scratch& scratch, std::vector<Hit>& hits) const override {
    Own& own = static_cast<Own&>(scratch);
    own.seen.assign(literals_, UINT32_MAX);
    own.hits = &hits;
    for (size_t r = 0; r < records.size();) {
      own.bytes.clear();
      own.ends.clear();
      own.first = static_cast<uint32_t>(r);
      own.cursor = 0;
      do {
        own.bytes.append(records[r]);
        own.ends.push_back(own.bytes.size());
        own.bytes.push_back('\n');
        ++r;
      } while (r < records.size() && own.bytes.size() + records[r].size() < kChunk);
      hs_scan(database_.get(), own.bytes.data(), static_cast<unsigned>(own.bytes.size()), 0, own.scratch.get(), OnMatch,
              &own);
    }
  }

 private:
  struct Own : Scratch {
    HsScratch scratch;
    std::string bytes;
    std::vector<size_t> ends;
    std::vector<uint32_t> seen;
    std::vector<Hit>* hits = nullptr;
    uint32_t first = 0;
    size_t cursor = 0;
  };

  static int OnMatch(unsigned id, unsigned long long, unsigned long long to, unsigned, void* context) {
    Own& own = *static_cast<Own*>(context);
    while (own.ends[own.cursor] < to) ++own.cursor;  // matches come in order of their ends
    const uint32_t record = own.first + static_cast<uint32_t>(own.cursor);
    if (own.seen[id] == record) return 0;
    own.seen[id] = record;
    own.hits->push_back({record, id});
    return 0;
  }

  Database database_;
  HsScratch scratch_;
  size_t literals_;
};

}  // namespace

std::unique_ptr<LiteralScanner> MakeVectorScanner(const std::vector<Literal>& literals) {
  if (literals.empty() || hs_valid_platform() != HS_SUCCESS) return nullptr;
  std::vector<const char*> texts;
  std::vector<unsigned> flags;
  std::vector<unsigned> ids;
  std::vector<size_t> lengths;
  for (const Literal& literal : literals) {
    ids.push_back(static_cast<unsigned>(ids.size()));
    texts.push_back(literal.text.data());
    lengths.push_back(literal.text.size());
    flags.push_back(literal.caseless ? HS_FLAG_CASELESS : 0U);
  }
  hs_database_t* database = nullptr;
  hs_compile_error_t* error = nullptr;
  if (hs_compile_lit_multi(texts.data(), flags.data(), ids.data(), lengths.data(), static_cast<unsigned>(texts.size()),
                           HS_MODE_BLOCK, nullptr, &database, &error) != HS_SUCCESS) {
    hs_free_compile_error(error);
    return nullptr;
  }
  Database owned(database);
  hs_scratch_t* scratch = nullptr;
  if (hs_alloc_scratch(database, &scratch) != HS_SUCCESS) return nullptr;
  return std::make_unique<VectorScanner>(std::move(owned), HsScratch(scratch), literals.size());
}

}  // namespace attr::match

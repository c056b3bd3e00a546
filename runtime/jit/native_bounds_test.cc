// Generated code at the edge of memory: every array ends where a page begins that
// nobody may touch, for all sizes around the block of eight.
#include <doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <memory>

#include "runtime/jit/native_engine.h"
#include "runtime/jit/test_support.h"

namespace attr::jit {
namespace {

using namespace testing;

/// `count` values whose last byte is the last of its page; zero at first.
template <class T>
class AtPageEnd {
 public:
  explicit AtPageEnd(size_t count) {
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    bytes_ = (count * sizeof(T) + page - 1) / page * page + page;
    base_ = static_cast<char*>(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(base_ != MAP_FAILED);
    REQUIRE(mprotect(base_ + bytes_ - page, page, PROT_NONE) == 0);
    data_ = reinterpret_cast<T*>(base_ + bytes_ - page) - count;
  }
  ~AtPageEnd() { munmap(base_, bytes_); }
  AtPageEnd(const AtPageEnd&) = delete;
  AtPageEnd& operator=(const AtPageEnd&) = delete;
  T* data() { return data_; }

 private:
  char* base_ = nullptr;
  size_t bytes_ = 0;
  T* data_ = nullptr;
};

/// A table whose columns and presence words end at pages.
struct EdgeTable {
  std::vector<std::unique_ptr<AtPageEnd<int64_t>>> slots;
  std::vector<std::unique_ptr<AtPageEnd<uint64_t>>> words;
  std::vector<const int64_t*> columns;
  std::vector<const uint64_t*> present;

  explicit EdgeTable(const eval::Table& table) {
    for (const eval::Column& column : table.columns) {
      slots.push_back(std::make_unique<AtPageEnd<int64_t>>(column.slots.size()));
      words.push_back(std::make_unique<AtPageEnd<uint64_t>>(column.present.size()));
      std::copy(column.slots.begin(), column.slots.end(), slots.back()->data());
      std::copy(column.present.begin(), column.present.end(), words.back()->data());
      columns.push_back(slots.back()->data());
      present.push_back(words.back()->data());
    }
  }
};

TEST_CASE("scans stay inside their columns, presence words and planes") {
  Random random{31};
  PlanBuilder p;
  p.Event("e");
  Generator generate(p, random, 1);
  std::vector<plan::ExprId> roots;
  for (uint64_t kind = 0; kind < Generator::kLeaves; ++kind) roots.push_back(generate.Leaf(kind));
  eval::KernelList kernels;
  kernels.scans.push_back({0, roots});
  const auto engine = MakeNative(p.plan, kernels, {}, nullptr);
  REQUIRE(engine.ok());
  const std::vector<int64_t> constants = Constants();
  for (size_t rows = 1; rows <= 130; rows += rows < 20 ? 1 : 11) {
    const eval::Table table = RandomTable(random, rows);
    EdgeTable edge(table);
    std::vector<std::unique_ptr<AtPageEnd<uint64_t>>> planes;
    std::vector<uint64_t*> must, may;
    for (size_t i = 0; i < roots.size(); ++i) {
      for (std::vector<uint64_t*>* list : {&must, &may}) {
        planes.push_back(std::make_unique<AtPageEnd<uint64_t>>(eval::WordsFor(rows)));
        list->push_back(planes.back()->data());
      }
    }
    (*engine)->Scan(0, {edge.columns.data(), edge.present.data(), constants.data(), rows, must.data(), may.data()});
    const ScanOutput out = RunScan(**engine, 0, roots.size(), table, constants);
    const uint64_t mask = rows % 64 == 0 ? ~uint64_t{0} : (uint64_t{1} << (rows % 64)) - 1;
    for (size_t i = 0; i < roots.size(); ++i) {
      CHECK((must[i][(rows - 1) / 64] & mask) == out.must[i].back());
      CHECK((may[i][(rows - 1) / 64] & mask) == out.may[i].back());
    }
  }
}

TEST_CASE("joins stay inside both tables for every range of candidates") {
  Random random{32};
  PlanBuilder p;
  Kernels kernels;
  for (size_t i = 0; i < plan::kRelationKindCount; ++i) {
    plan::Join join = RandomJoin(p, random, i);
    join.keys = {{plan::kNode, plan::kNode, true}};
    join.relations = {{static_cast<plan::RelationKind>(i), 5 * plan::kSecond, 0}};
    join.different_observations = true;
    kernels.AddJoin(join);
  }
  const auto engine = MakeNative(p.plan, kernels.List(), {}, nullptr);
  REQUIRE(engine.ok());
  const std::vector<int64_t> constants = Constants();
  for (const size_t rows : {1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 72}) {
    const eval::Table table = RandomTable(random, rows);
    EdgeTable edge(table);
    AtPageEnd<uint8_t> membership(rows), bits(rows);
    AtPageEnd<uint32_t> identity(rows);
    std::memset(membership.data(), eval::kAllBits, rows);
    std::copy(table.observation.begin(), table.observation.end(), identity.data());
    size_t wrong = 0;
    for (size_t begin = 0; begin < rows; begin += 1 + rows / 20) {
      for (size_t end = begin; end <= rows; end += end + 9 < rows ? 1 + rows / 20 : 1) {
        const size_t j = (begin + end) % kernels.joins.size(), left = rows - 1;
        std::memset(bits.data(), 0, rows);
        (*engine)->Join(
            j, {edge.columns.data(), edge.present.data(), edge.columns.data(), edge.present.data(), constants.data(),
                membership.data(), membership.data(), identity.data(), identity.data(), bits.data(), left, begin, end});
        for (size_t r = 0; r < rows; ++r) {
          const bool asked = r >= begin && r < end;
          const uint8_t expected =
              asked ? PairBits(p.plan, kernels.joins[j], table, table, left, r, constants) : uint8_t{0};
          wrong += bits.data()[r] != expected;
        }
      }
    }
    CHECK(wrong == 0);
  }
}

}  // namespace
}  // namespace attr::jit

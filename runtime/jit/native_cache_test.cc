// The engine with the cache: what is hit, what is compiled again, and that foreign
// or broken code is never run.
#include <doctest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "runtime/jit/linker.h"
#include "runtime/jit/native_engine.h"
#include "runtime/jit/object_cache.h"
#include "runtime/jit/test_support.h"

namespace attr::jit {
namespace {

using namespace testing;
namespace fs = std::filesystem;

struct Fixture {
  PlanBuilder p;
  plan::ExprId root;
  eval::KernelList kernels;
  plan::Join join;
  std::string folder;

  Fixture() {
    std::string pattern = (fs::temp_directory_path() / "attr_jit_XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    folder = pattern;
    p.Event("std.test::event");
    root = p.Node(Op::kLtI, p.Column(0, kInts), p.Int(3));
    kernels.scans.push_back({0, {root}});
    join.residual = p.Node(Op::kNeI, p.Column(0, kInts), p.Column(1, kInts));
    kernels.joins.push_back(&join);
    kernels.join_names.push_back("std.test::rule");
  }
  ~Fixture() { fs::remove_all(folder); }

  NativeOptions Options(const std::string& pack = "11") const { return {folder, pack}; }
  NativeInfo Make(const NativeOptions& options) {
    NativeInfo info;
    const auto engine = MakeNative(p.plan, kernels, options, &info);
    REQUIRE(engine.ok());
    Random random{41};
    const eval::Table table = RandomTable(random, 100);
    const ScanOutput out = RunScan(**engine, 0, 1, table, {});
    size_t wrong = 0;
    for (size_t row = 0; row < table.rows; ++row) {
      const eval::Scalar scalar{p.plan, {&table, &table}, {row, row}, nullptr};
      wrong += eval::Test(out.must[0], row) != ((scalar.Bits(root) & eval::kMustBit) != 0);
    }
    CHECK(wrong == 0);
    return info;
  }
  std::string Entry() const {
    for (const auto& file : fs::directory_iterator(folder)) return file.path().string();
    return "";
  }
};

TEST_CASE("code is stored once and found again by the pack's hash") {
  Fixture f;
  CHECK_FALSE(CacheHolds(f.p.plan, f.Options()));
  const NativeInfo first = f.Make(f.Options());
  CHECK(first.cache == "stored");
  CHECK(first.compiled == 2);
  CHECK(first.from_cache == 0);
  CHECK(first.compile_nanos > 0);
  CHECK(CacheHolds(f.p.plan, f.Options()));
  CHECK_FALSE(CacheHolds(f.p.plan, f.Options("22")));
  const NativeInfo second = f.Make(f.Options());
  CHECK(second.cache == "hit");
  CHECK(second.compiled == 0);
  CHECK(second.from_cache == 2);
  CHECK(f.Make(f.Options("22")).cache == "stored");
}

TEST_CASE("without a folder or a pack hash code stays in memory") {
  Fixture f;
  CHECK(f.Make({"", "11"}).cache == "off: no cache folder");
  CHECK(f.Make({f.folder, ""}).cache == "off: the plan comes from no pack file");
  CHECK_FALSE(CacheHolds(f.p.plan, {f.folder, ""}));
  CHECK(f.Entry() == "");
}

TEST_CASE("a damaged entry is compiled again and replaced") {
  Fixture f;
  f.Make(f.Options());
  const std::string entry = f.Entry();
  const auto size = fs::file_size(entry);
  for (const uintmax_t at :
       {uintmax_t{0}, uintmax_t{9}, uintmax_t{41}, uintmax_t{50}, uintmax_t{80}, size / 2, size - 1}) {
    CAPTURE(at);
    std::fstream file(entry, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const char byte = static_cast<char>(file.get() ^ 1);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
    file.close();
    CHECK(f.Make(f.Options()).cache == "stored");
    CHECK(f.Make(f.Options()).cache == "hit");
  }
  fs::resize_file(entry, size - 1);
  CHECK(f.Make(f.Options()).cache == "stored");
}

TEST_CASE("an entry with a right checksum whose content is no code for these kernels is compiled again") {
  Fixture f;
  f.Make(f.Options());
  const std::string name = fs::path(f.Entry()).filename().string();
  Sha256::Digest key{};
  for (size_t i = 0; i < key.size(); ++i) key[i] = static_cast<uint8_t>(std::stoi(name.substr(2 * i, 2), nullptr, 16));
  const ObjectCache cache = ObjectCache::Open(f.folder, false);
  REQUIRE(cache.Store(key, "no object file").empty());
  CHECK(f.Make(f.Options()).cache == "stored");
  CHECK(f.Make(f.Options()).cache == "hit");
}

TEST_CASE("a folder that others can write is left alone") {
  Fixture f;
  REQUIRE(chmod(f.folder.c_str(), 0777) == 0);
  CHECK(f.Make(f.Options()).cache == "off: cache folder is writable by others");
  CHECK_FALSE(CacheHolds(f.p.plan, f.Options()));
  CHECK(f.Entry() == "");
}

TEST_CASE("engines made at once from several threads all work") {
  Fixture f;
  std::vector<std::thread> threads;
  std::vector<int> good(4);
  for (int& ok : good) {
    threads.emplace_back([&] {
      NativeInfo info;
      ok = MakeNative(f.p.plan, f.kernels, f.Options(), &info).ok() && (info.cache == "hit" || info.cache == "stored");
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int ok : good) CHECK(ok != 0);
  CHECK(f.Make(f.Options()).cache == "hit");
}

TEST_CASE("bytes that are no object, and symbols that are not there, are errors") {
  CHECK_FALSE(LinkedCode::Link("", {"f"}).ok());
  CHECK_FALSE(LinkedCode::Link("garbage that is no ELF", {"f"}).ok());
  CHECK_FALSE(LinkedCode::Link(std::string("\x7f"
                                           "ELF\2\1\1",
                                           7) +
                                   std::string(200, '\0'),
                               {"f"})
                  .ok());
}

}  // namespace
}  // namespace attr::jit

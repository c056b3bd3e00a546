// The object cache as a file format and as a folder that somebody may have
// prepared: damage, foreign permissions, links, writers at the same time.
#include "runtime/jit/object_cache.h"

#include <doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

namespace attr::jit {
namespace {

namespace fs = std::filesystem;

/// A folder of its own that goes away with the test.
struct Folder {
  std::string path;
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "attr_cache_XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    fs::permissions(path, fs::perms::owner_all, ignored);
    fs::remove_all(path, ignored);
  }
  std::string Sub(const std::string& name) const { return path + "/" + name; }
};

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void WriteFile(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}
size_t Files(const std::string& folder) {
  return static_cast<size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST_CASE("what was stored is loaded again and nothing else") {
  const Folder folder;
  const std::string where = folder.Sub("a/b/c");
  const ObjectCache cache = ObjectCache::Open(where, true);
  REQUIRE(cache.on());
  const auto key = Sha256Of("key");
  CHECK_FALSE(cache.Load(key).has_value());
  CHECK_FALSE(cache.Holds(key));
  CHECK(cache.Store(key, std::string("code\0more", 9)) == "");
  CHECK(cache.Load(key) == std::string("code\0more", 9));
  CHECK(cache.Holds(key));
  CHECK_FALSE(cache.Load(Sha256Of("other")).has_value());
  CHECK(Files(where) == 1);
  struct stat status {};
  REQUIRE(stat(where.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0700);
  REQUIRE(stat((where + "/" + ObjectCache::FileName(key)).c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("a damaged byte anywhere, a cut or an appended byte is no entry") {
  const Folder folder;
  const ObjectCache cache = ObjectCache::Open(folder.path, false);
  REQUIRE(cache.on());
  const auto key = Sha256Of("key");
  REQUIRE(cache.Store(key, "0123456789").empty());
  const std::string file = folder.Sub(ObjectCache::FileName(key));
  const std::string good = ReadFile(file);
  for (size_t i = 0; i < good.size(); ++i) {
    CAPTURE(i);
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    WriteFile(file, bad);
    CHECK_FALSE(cache.Load(key).has_value());
    WriteFile(file, good.substr(0, i));
    CHECK_FALSE(cache.Load(key).has_value());
    CHECK_FALSE(cache.Holds(key));
  }
  WriteFile(file, good + "x");
  CHECK_FALSE(cache.Load(key).has_value());
  CHECK_FALSE(cache.Holds(key));
  CHECK(cache.Store(key, "0123456789") == "");
  CHECK(cache.Load(key) == "0123456789");
}

TEST_CASE("an entry of another key under this key's name is no entry") {
  const Folder folder;
  const ObjectCache cache = ObjectCache::Open(folder.path, false);
  REQUIRE(cache.Store(Sha256Of("one"), "code").empty());
  const auto two = Sha256Of("two");
  fs::rename(folder.Sub(ObjectCache::FileName(Sha256Of("one"))), folder.Sub(ObjectCache::FileName(two)));
  CHECK_FALSE(cache.Load(two).has_value());
  CHECK_FALSE(cache.Holds(two));
}

TEST_CASE("a folder that others can write is refused") {
  const Folder folder;
  for (const mode_t mode : {0777, 0770, 0702}) {
    REQUIRE(chmod(folder.path.c_str(), mode) == 0);
    const ObjectCache cache = ObjectCache::Open(folder.path, true);
    CHECK_FALSE(cache.on());
    CHECK(cache.why_off() == "cache folder is writable by others");
    CHECK_FALSE(cache.Load(Sha256Of("key")).has_value());
    CHECK(cache.Store(Sha256Of("key"), "code") == cache.why_off());
  }
  CHECK(Files(folder.path) == 0);
}

TEST_CASE("a folder of another user is refused") {
  if (geteuid() == 0) {
    const Folder folder;
    REQUIRE(chown(folder.path.c_str(), 12345, 12345) == 0);
    CHECK(ObjectCache::Open(folder.path, true).why_off() == "cache folder belongs to another user");
  } else {
    CHECK(ObjectCache::Open("/usr", true).why_off() == "cache folder belongs to another user");
  }
}

TEST_CASE("a symbolic link is refused as folder, with and without a slash, and as entry") {
  const Folder folder;
  fs::create_directory(folder.Sub("real"));
  fs::permissions(folder.Sub("real"), fs::perms::owner_all);
  fs::create_directory_symlink(folder.Sub("real"), folder.Sub("link"));
  CHECK(ObjectCache::Open(folder.Sub("link"), true).why_off() == "cache folder is a symbolic link");
  CHECK(ObjectCache::Open(folder.Sub("link") + "/", true).why_off() == "cache folder is a symbolic link");
  const ObjectCache cache = ObjectCache::Open(folder.Sub("real"), true);
  const auto key = Sha256Of("key");
  REQUIRE(cache.Store(key, "code").empty());
  const std::string entry = folder.Sub("real/" + ObjectCache::FileName(key));
  fs::rename(entry, folder.Sub("elsewhere"));
  fs::create_symlink(folder.Sub("elsewhere"), entry);
  CHECK_FALSE(cache.Load(key).has_value());
  CHECK(cache.Store(key, "fresh") == "");  // replaces the link, not what it points to
  CHECK(cache.Load(key) == "fresh");
  CHECK(ReadFile(folder.Sub("elsewhere")).ends_with("code"));
}

TEST_CASE("an entry that others can write, or that is no file, is no entry") {
  const Folder folder;
  const ObjectCache cache = ObjectCache::Open(folder.path, false);
  const auto key = Sha256Of("key");
  REQUIRE(cache.Store(key, "code").empty());
  const std::string entry = folder.Sub(ObjectCache::FileName(key));
  REQUIRE(chmod(entry.c_str(), 0666) == 0);
  CHECK_FALSE(cache.Load(key).has_value());
  fs::remove(entry);
  REQUIRE(mkfifo(entry.c_str(), 0600) == 0);
  CHECK_FALSE(cache.Load(key).has_value());
}

TEST_CASE("a folder that cannot be made, opened or written says why") {
  const Folder folder;
  WriteFile(folder.Sub("file"), "x");
  CHECK_FALSE(ObjectCache::Open(folder.Sub("file"), true).on());
  CHECK_FALSE(ObjectCache::Open(folder.Sub("file/below"), true).on());
  CHECK_FALSE(ObjectCache::Open(folder.Sub("absent"), false).on());
  CHECK_FALSE(fs::exists(folder.Sub("absent")));
  CHECK(ObjectCache::Open("", true).why_off() == "no cache folder");
  if (geteuid() != 0) {  // root writes everywhere
    const ObjectCache cache = ObjectCache::Open(folder.path, false);
    REQUIRE(chmod(folder.path.c_str(), 0500) == 0);
    CHECK(cache.Store(Sha256Of("key"), "code") != "");
  }
}

TEST_CASE("the entries used longest ago go when the folder outgrows its bound") {
  const Folder folder;
  const ObjectCache cache = ObjectCache::Open(folder.path, false, /*max_bytes=*/3000);
  const std::string object(900, 'x');
  for (const char* name : {"1", "2", "3"}) REQUIRE(cache.Store(Sha256Of(name), object).empty());
  const auto set_age = [&](const char* name, int hours) {
    fs::last_write_time(folder.Sub(ObjectCache::FileName(Sha256Of(name))),
                        fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  set_age("1", 30);
  set_age("2", 20);
  set_age("3", 10);
  CHECK(cache.Load(Sha256Of("1")).has_value());  // used again
  WriteFile(folder.Sub("foreign"), object);
  REQUIRE(cache.Store(Sha256Of("4"), object).empty());
  CHECK(cache.Holds(Sha256Of("1")));
  CHECK_FALSE(cache.Holds(Sha256Of("2")));
  CHECK(cache.Holds(Sha256Of("3")));
  CHECK(cache.Holds(Sha256Of("4")));
  CHECK(fs::exists(folder.Sub("foreign")));
}

TEST_CASE("what a dead writer left is cleaned up later, what a live one writes is not") {
  const Folder folder;
  const ObjectCache cache = ObjectCache::Open(folder.path, false);
  WriteFile(folder.Sub(".tmp-1-old"), "half");
  WriteFile(folder.Sub(".tmp-2-new"), "half");
  fs::last_write_time(folder.Sub(".tmp-1-old"), fs::file_time_type::clock::now() - std::chrono::hours(3));
  REQUIRE(cache.Store(Sha256Of("key"), "code").empty());
  CHECK_FALSE(fs::exists(folder.Sub(".tmp-1-old")));
  CHECK(fs::exists(folder.Sub(".tmp-2-new")));
}

/// Stores and loads in turn; false as soon as something other than the code is seen.
bool Hammer(const std::string& folder, const std::string& code) {
  const ObjectCache cache = ObjectCache::Open(folder, true);
  for (int i = 0; i < 150; ++i) {
    if (!cache.Store(Sha256Of("key"), code).empty()) return false;
    if (cache.Load(Sha256Of("key")) != code) return false;
  }
  return true;
}

TEST_CASE("threads and processes that write the same entry at once always leave a whole one") {
  const Folder folder;
  const std::string code(20000, 'c');
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(Hammer(folder.path, code) ? 0 : 1);
    REQUIRE(child > 0);
    children.push_back(child);
  }
  std::vector<int> good(3);
  std::vector<std::thread> threads;
  for (int& ok : good) threads.emplace_back([&] { ok = Hammer(folder.path, code); });
  for (std::thread& thread : threads) thread.join();
  for (const pid_t child : children) {
    int status = 1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  for (const int ok : good) CHECK(ok != 0);
  CHECK(Files(folder.path) == 1);
}

}  // namespace
}  // namespace attr::jit

// The object cache. Every file is reached through the folder's descriptor, so
// that what was checked is what is used.
#include "runtime/jit/object_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

namespace attr::jit {
namespace {

// File: magic, key, length, SHA-256 of the object, object.
constexpr std::string_view kMagic = "ATTROBJ1";
constexpr size_t kHeader = 8 + 32 + 8 + 32;
constexpr uint64_t kMaxObject = 64ULL << 20;
constexpr std::string_view kSuffix = ".attrobj";
constexpr std::string_view kTemporary = ".tmp-";
constexpr time_t kStaleSeconds = 3600;

std::string Reason(const std::string& what, int error) {
  return what + ": " + std::error_code(error, std::generic_category()).message();
}

std::string_view View(const Sha256::Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::string Header(const Sha256::Digest& key, std::string_view object) {
  std::string out(kMagic);
  out += View(key);
  for (unsigned i = 0; i < 8; ++i)
    out.push_back(static_cast<char>(static_cast<uint64_t>(object.size()) >> (8 * i) & 0xff));
  out += View(Sha256Of(object));
  return out;
}

uint64_t LengthIn(std::string_view header) {
  uint64_t length = 0;
  for (unsigned i = 0; i < 8; ++i) length |= uint64_t{static_cast<uint8_t>(header[40 + i])} << (8 * i);
  return length;
}

bool ReadAll(int file, char* to, size_t size) {
  while (size > 0) {
    const ssize_t n = read(file, to, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    to += n;
    size -= static_cast<size_t>(n);
  }
  return true;
}

bool WriteAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(file, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

/// Missing parents and the folder itself, 0700.
void MakeFolders(const std::string& folder) {
  for (size_t at = folder.find('/', 1);; at = folder.find('/', at + 1)) {
    mkdir(folder.substr(0, at).c_str(), 0700);
    if (at == std::string::npos) return;
  }
}

bool OthersWrite(const struct stat& status) { return (status.st_mode & (S_IWGRP | S_IWOTH)) != 0; }

}  // namespace

ObjectCache::ObjectCache(int folder, std::string why_off, uint64_t max_bytes)
    : folder_(folder), why_off_(std::move(why_off)), max_bytes_(max_bytes) {}

ObjectCache::ObjectCache(ObjectCache&& other) noexcept
    : folder_(std::exchange(other.folder_, -1)), why_off_(std::move(other.why_off_)), max_bytes_(other.max_bytes_) {}

ObjectCache::~ObjectCache() {
  if (folder_ >= 0) close(folder_);
}

ObjectCache ObjectCache::Open(const std::string& given, bool create, uint64_t max_bytes) {
  std::string folder = given;
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();  // "x/" would follow a symlink
  const auto off = [&](std::string why) { return ObjectCache(-1, std::move(why), max_bytes); };
  if (folder.empty()) return off("no cache folder");
  if (create) MakeFolders(folder);
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) {
    struct stat link {};
    if (lstat(folder.c_str(), &link) == 0 && S_ISLNK(link.st_mode)) return off("cache folder is a symbolic link");
    return off(Reason("cache folder cannot be opened", errno));
  }
  ObjectCache cache(descriptor, "", max_bytes);
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return off(Reason("cache folder cannot be examined", errno));
  if (status.st_uid != geteuid()) return off("cache folder belongs to another user");
  if (OthersWrite(status)) return off("cache folder is writable by others");
  return cache;
}

ObjectCache ObjectCache::Off(std::string why) { return ObjectCache(-1, std::move(why), 0); }

std::string ObjectCache::FileName(const Sha256::Digest& key) { return ToHex(key) + std::string(kSuffix); }

int ObjectCache::OpenEntry(const Sha256::Digest& key, uint64_t* size) const {
  if (folder_ < 0) return -1;
  const int file = openat(folder_, FileName(key).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return -1;
  struct stat status {};
  const bool mine = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
                    !OthersWrite(status) && status.st_size > static_cast<off_t>(kHeader) &&
                    static_cast<uint64_t>(status.st_size) <= kHeader + kMaxObject;
  if (!mine) {
    close(file);
    return -1;
  }
  *size = static_cast<uint64_t>(status.st_size);
  return file;
}

bool ObjectCache::Holds(const Sha256::Digest& key) const {
  uint64_t size = 0;
  const int file = OpenEntry(key, &size);
  if (file < 0) return false;
  std::string header(kHeader, '\0');
  const bool read = ReadAll(file, header.data(), header.size());
  close(file);
  return read && header.starts_with(kMagic) && header.substr(8, 32) == View(key) && LengthIn(header) == size - kHeader;
}

std::optional<std::string> ObjectCache::Load(const Sha256::Digest& key) const {
  uint64_t size = 0;
  const int file = OpenEntry(key, &size);
  if (file < 0) return std::nullopt;
  std::string header(kHeader, '\0'), object(size - kHeader, '\0');
  const bool read = ReadAll(file, header.data(), header.size()) && ReadAll(file, object.data(), object.size());
  const bool good = read && header == Header(key, object);
  if (good) futimens(file, nullptr);  // used now: pruned last
  close(file);
  if (!good) return std::nullopt;
  return object;
}

std::string ObjectCache::Store(const Sha256::Digest& key, std::string_view object) const {
  if (folder_ < 0) return why_off_;
  if (object.empty() || object.size() > kMaxObject) return "code is too large for the cache";
  static std::atomic<uint64_t> counter{0};
  struct timespec now {};
  clock_gettime(CLOCK_MONOTONIC, &now);  // distinguishes processes that reuse a number
  std::string temporary(kTemporary);
  for (const uint64_t part : {static_cast<uint64_t>(getpid()), counter.fetch_add(1), static_cast<uint64_t>(now.tv_sec),
                              static_cast<uint64_t>(now.tv_nsec)}) {
    temporary.append(std::to_string(part)).append("-");
  }
  const int file = openat(folder_, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return Reason("cache folder cannot be written", errno);
  const bool written = WriteAll(file, Header(key, object)) && WriteAll(file, object);
  const int write_error = errno;
  const bool closed = close(file) == 0;
  const std::string name = FileName(key);
  if (!written || !closed || renameat(folder_, temporary.c_str(), folder_, name.c_str()) != 0) {
    const int error = written ? errno : write_error;
    unlinkat(folder_, temporary.c_str(), 0);
    return Reason("cache entry cannot be written", error);
  }
  Prune(name);
  return "";
}

void ObjectCache::Prune(const std::string& keep) const {
  const int copy = openat(folder_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return;
  DIR* listing = fdopendir(copy);
  if (listing == nullptr) {
    close(copy);
    return;
  }
  struct Entry {
    struct timespec used;
    std::string name;
    uint64_t bytes;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  while (const dirent* item = readdir(listing)) {
    const std::string name = item->d_name;
    struct stat status {};
    if (fstatat(folder_, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode)) continue;
    if (name.starts_with(kTemporary) && status.st_mtime + kStaleSeconds < time(nullptr)) {
      unlinkat(folder_, name.c_str(), 0);  // its writer died
    } else if (name.ends_with(kSuffix)) {
      entries.push_back({status.st_mtim, name, static_cast<uint64_t>(status.st_size)});
      total += entries.back().bytes;
    }
  }
  closedir(listing);
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.used.tv_sec, a.used.tv_nsec, a.name) < std::tie(b.used.tv_sec, b.used.tv_nsec, b.name);
  });
  for (const Entry& entry : entries) {
    if (total <= max_bytes_) return;
    if (entry.name == keep) continue;
    if (unlinkat(folder_, entry.name.c_str(), 0) == 0) total -= entry.bytes;
  }
}

}  // namespace attr::jit

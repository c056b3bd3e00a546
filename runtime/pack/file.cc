// Packs on disk.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "runtime/pack/container.h"
#include "runtime/pack/pack.h"

namespace attr::pack {

namespace {

Error SystemError(const std::string& path, const std::string& what, int code) {
  Error error;
  error.message = what + ": " + std::generic_category().message(code);
  error.file = path;
  return error;
}

/// Closes on every way out.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int get() const { return descriptor_; }
  bool Close() {
    int descriptor = descriptor_;
    descriptor_ = -1;
    return close(descriptor) == 0;
  }

 private:
  int descriptor_;
};

/// 0 or an errno.
int WriteAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

}  // namespace

Result<Pack> Load(const std::string& path) {
  File file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return SystemError(path, "cannot open the pack", errno);
  struct stat info {};
  if (fstat(file.get(), &info) != 0) return SystemError(path, "cannot read the pack", errno);
  if (S_ISREG(info.st_mode) && static_cast<uint64_t>(info.st_size) > kMaxFileBytes) {
    return Damaged(path, "a pack of " + std::to_string(info.st_size) + " bytes, at most 256 MiB are read");
  }
  std::string bytes;
  if (S_ISREG(info.st_mode)) bytes.reserve(static_cast<size_t>(info.st_size));
  char buffer[1 << 16];
  while (bytes.size() <= kMaxFileBytes) {
    ssize_t got = read(file.get(), buffer, sizeof(buffer));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError(path, "cannot read the pack", errno);
    if (got == 0) break;
    bytes.append(buffer, static_cast<size_t>(got));
  }
  return Decode(bytes, path);
}

Status Save(const plan::Plan& plan, const std::string& path) {
  std::string bytes = Encode(plan);
  if (bytes.size() > kMaxFileBytes) {
    Error error = Damaged(path, "the pack has " + std::to_string(bytes.size()) + " bytes, at most 256 MiB are read");
    error.help = "split it into packs that are evaluated one by one";
    return error;
  }
  // A rename would replace a device or a link, not write to it.
  struct stat info {};
  if (lstat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    Error error = SystemError(path, "cannot write the pack", S_ISDIR(info.st_mode) ? EISDIR : EEXIST);
    error.help = "what stands there is no regular file; choose another name";
    return error;
  }
  // Beside the target, so that the rename stays inside one file system.
  std::string aside = path + ".new-" + std::to_string(getpid());
  File file(open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.get() < 0) return SystemError(path, "cannot write beside the pack", errno);
  int code = WriteAll(file.get(), bytes);
  if (code == 0 && fsync(file.get()) != 0) code = errno;
  if (!file.Close() && code == 0) code = errno;
  if (code == 0 && rename(aside.c_str(), path.c_str()) != 0) code = errno;
  if (code == 0) return Ok();
  unlink(aside.c_str());
  return SystemError(path, "cannot write the pack", code);
}

}  // namespace attr::pack

// The bytes of one input, whole, with room behind them for the parser's wide reads.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/ingest/huge_pages.h"
#include "runtime/ingest/observation_reader.h"

namespace attr::ingest {

namespace {

constexpr size_t kChunk = 1 << 20;

Error Refused(const std::string& name, std::string message, std::string help = {}) {
  Error error;
  error.message = std::move(message);
  error.file = name;
  error.help = std::move(help);
  return error;
}

Error TooLarge(const std::string& name, const ReadLimits& limits) {
  return Refused(name, "larger than the limit of " + std::to_string(limits.input_bytes) + " bytes");
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ > 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

Result<Input> ReadAll(int fd, const std::string& name, size_t expected, const ReadLimits& limits) {
  Input input;
  input.name = name;
  size_t used = 0;
  Bytes& bytes = input.bytes;
  bytes.Reserve(expected + 1 + kInputPadding);  // one more, so that the end is seen without growing
  AdviseHugePages(bytes.data(), bytes.capacity());
  for (;;) {
    if (bytes.capacity() - used <= kInputPadding) {
      bytes.Reserve(used + used / 2 + kChunk + kInputPadding);
      AdviseHugePages(bytes.data(), bytes.capacity());
    }
    ssize_t got = read(fd, bytes.data() + used, std::min(bytes.capacity() - kInputPadding - used, kChunk));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Refused(name, std::string("cannot be read: ") + std::strerror(errno));
    if (got == 0) break;
    used += static_cast<size_t>(got);
    if (used > limits.input_bytes) return TooLarge(name, limits);
  }
  bytes.SetSize(used);
  if (used == 0) return Refused(name, "is empty", "an observation set has at least its header");
  return input;
}

}  // namespace

Result<Input> ReadInput(const std::string& path, const ReadLimits& limits) {
  if (path == "-") return ReadAll(STDIN_FILENO, path, 0, limits);
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return Refused(path, "no such file");
    return Refused(path, std::string("cannot be opened: ") + std::strerror(errno));
  }
  struct stat info {};
  if (fstat(file.get(), &info) != 0) return Refused(path, std::string("cannot be read: ") + std::strerror(errno));
  if (S_ISDIR(info.st_mode)) {
    return Refused(path, "is a folder, not a file", "name the observation files in it");
  }
  if (S_ISREG(info.st_mode) && static_cast<uint64_t>(info.st_size) > limits.input_bytes) return TooLarge(path, limits);
  size_t expected = S_ISREG(info.st_mode) ? static_cast<size_t>(info.st_size) : 0;
  return ReadAll(file.get(), path, expected, limits);
}

}  // namespace attr::ingest

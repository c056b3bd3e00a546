// A pack folder from disk: `.attr` files of the folder itself, tables of it and
// of its subfolders. Nothing outside the folder is read, not through links either.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "compiler/compile.h"
#include "fmt/format.h"

namespace attr::compiler {

namespace {

namespace fs = std::filesystem;

/// A table or rule file beyond this is a mistake; the parser's own cap is lower.
constexpr uintmax_t kMaxFileBytes = 256u << 20;
constexpr int kMaxFolderDepth = 8;

Error Failure(std::string message, const std::string& file, std::string help = {}) {
  Error error;
  error.message = std::move(message);
  error.file = file;
  error.help = std::move(help);
  return error;
}

Result<PackFile> ReadFile(const fs::path& path) {
  std::error_code code;
  const uintmax_t size = fs::file_size(path, code);
  if (code) return Failure(fmt::format("file cannot be read: {}", code.message()), path.string());
  if (size > kMaxFileBytes) return Failure("file is larger than 256 MiB", path.string());
  std::ifstream stream(path, std::ios::binary);
  PackFile file;
  file.path = path.string();
  file.text.resize(size);
  if (!stream || !stream.read(file.text.data(), static_cast<std::streamsize>(size))) {
    return Failure("file cannot be read", path.string(), "check its permissions");
  }
  return file;
}

bool Holds(const fs::path& folder, const fs::path& path) {
  const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

/// Regular files below the folder, relative, in byte order. Hidden ones are left
/// out, links to folders too; a link to a file must stay in the folder.
Result<std::vector<fs::path>> ListFiles(const fs::path& root) {
  std::vector<fs::path> files;
  std::error_code code;
  fs::recursive_directory_iterator it(root, code);
  const fs::recursive_directory_iterator end;
  const fs::path canonical_root = code ? root : fs::canonical(root, code);
  for (; !code && it != end; it.increment(code)) {
    const fs::path& path = it->path();
    const bool hidden = path.filename().string().rfind('.', 0) == 0;
    if (it->is_directory(code) && (hidden || it.depth() >= kMaxFolderDepth)) it.disable_recursion_pending();
    if (hidden) continue;
    std::error_code kind;
    if (!fs::is_regular_file(path, kind)) {
      const bool named_so = path.extension() == ".attr" || path.extension() == ".csv";
      if (named_so) return Failure("not a regular file", path.string(), "remove it, or name it otherwise");
      continue;
    }
    if (it->is_symlink(code)) {
      const fs::path target = fs::canonical(path, code);
      if (!code && !Holds(canonical_root, target)) {
        return Failure("the link leads out of the pack's folder", path.string(), "copy the file into the folder");
      }
    }
    files.push_back(path.lexically_relative(root));
  }
  if (code) return Failure(fmt::format("folder cannot be read: {}", code.message()), root.string());
  std::sort(files.begin(), files.end(),
            [](const fs::path& a, const fs::path& b) { return a.generic_string() < b.generic_string(); });
  return files;
}

}  // namespace

Result<PackSource> ReadPackFolder(const std::string& path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status)) return Failure("there is no such folder", path, "name a pack's folder");
  if (!fs::is_directory(status)) {
    return Failure("a pack is a folder, this is a file", path, "name the folder that holds `pack.attr`");
  }
  const fs::path root(path);
  Result<std::vector<fs::path>> files = ListFiles(root);
  if (!files) return files.error();
  PackSource source;
  source.root = path;
  source.name = path;
  for (const fs::path& relative : *files) {
    const bool rules = relative.extension() == ".attr" && !relative.has_parent_path();
    if (!rules && relative.extension() != ".csv") continue;
    Result<PackFile> file = ReadFile(root / relative);
    if (!file) return file.error();
    if (rules) {
      source.rules.push_back(std::move(*file));
    } else {
      source.tables[relative.generic_string()] = std::move(*file);
    }
  }
  if (source.rules.empty()) {
    return Failure("the folder holds no `.attr` file", path, "a pack begins with `pack.attr`");
  }
  return source;
}

}  // namespace attr::compiler

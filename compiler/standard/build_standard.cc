// Build step: compiles the pack folder `std` with all std.* beside it and writes
// their sources and the compiled pack as one C++ file. Fails the build when a
// standard pack has a diagnostic.
//   build_standard STDLIB_FOLDER OUTPUT.cc
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "compiler/diagnostics/render.h"
#include "compiler/standard/importer.h"
#include "runtime/pack/pack.h"

namespace {

namespace fs = std::filesystem;
using attr::standard::EmbeddedFile;

struct File {
  std::string path;
  std::string text;
};

bool IsPackFile(const fs::path& path) { return path.extension() == ".attr" || path.extension() == ".csv"; }

std::vector<File> ReadFiles(const fs::path& root) {
  std::vector<File> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file() || !IsPackFile(entry.path())) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    files.push_back({fs::relative(entry.path(), root).generic_string(), std::move(text)});
  }
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.path < b.path; });
  return files;
}

/// String literals of at most 8,000 bytes, joined by the compiler; octal escapes end by themselves.
void WriteLiteral(std::ofstream& out, const std::string& bytes) {
  std::string line;
  for (size_t i = 0; i < bytes.size(); ++i) {
    auto c = static_cast<unsigned char>(bytes[i]);
    if (c == '"' || c == '\\') {
      line += fmt::format("\\{}", static_cast<char>(c));
    } else if (c < 0x20 || c >= 0x7F || c == '?') {
      line += fmt::format("\\{:03o}", c);
    } else {
      line += static_cast<char>(c);
    }
    if (line.size() > 8000 || i + 1 == bytes.size()) {
      out << "    \"" << line << "\"\n";
      line.clear();
    }
  }
  if (bytes.empty()) out << "    \"\"\n";
}

void WriteSource(const std::string& path, const std::vector<File>& files, const std::string& pack) {
  std::ofstream out(path, std::ios::binary);
  out << "// Written by build_standard.\n#include \"compiler/standard/embedded.h\"\n\nnamespace attr::standard {\n\n";
  out << "const EmbeddedFile kEmbeddedFiles[] = {\n";
  for (const File& file : files) {
    out << "  {std::string_view(\"" << file.path << "\"), std::string_view(\n";
    WriteLiteral(out, file.text);
    out << "  , " << file.text.size() << ")},\n";
  }
  out << "};\nconst size_t kEmbeddedFileCount = " << files.size() << ";\n";
  out << "const std::string_view kEmbeddedPack(\n";
  WriteLiteral(out, pack);
  out << "  , " << pack.size() << ");\n\n}  // namespace attr::standard\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: build_standard STDLIB_FOLDER OUTPUT.cc\n", stderr);
    return 2;
  }
  std::vector<File> files = ReadFiles(argv[1]);
  std::vector<EmbeddedFile> views;
  for (const File& file : files) views.push_back({file.path, file.text});
  attr::compiler::Importer importer = attr::standard::ImporterOf(views);
  auto pack = importer.load("std");
  if (!pack) {
    std::fputs("build_standard: no pack `std` in the folder\n", stderr);
    return 3;
  }
  attr::compiler::Compilation compilation = attr::compiler::Compile(*pack, importer);
  std::string diagnostics = attr::diagnostics::RenderAll(compilation.sink.Sorted(), compilation.sources);
  std::fputs(diagnostics.c_str(), stderr);
  if (!compilation.plan) return 1;
  WriteSource(argv[2], files, attr::pack::Encode(*compilation.plan));
  return 0;
}

#include "tests/oracle/fuzz/files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace attr::oracle {

namespace fs = std::filesystem;

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

PackText ReadPackText(const std::string& folder) {
  PackText out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string(), extension = entry.path().extension().string();
    if (extension == ".attr") out.rules[name] = ReadFile(entry.path().string());
    if (extension == ".csv") out.tables[name] = ReadFile(entry.path().string());
  }
  return out;
}

Case ReadCase(const std::string& folder) {
  Case out;
  out.pack = ReadPackText(folder);
  out.observations = ReadFile(folder + "/observations.ndjson");
  for (const std::string& import : FoldersIn(folder)) {
    out.imports[fs::path(import).filename().string()] = ReadPackText(import);
  }
  return out;
}

void WriteCase(const std::string& folder, const Case& of) {
  fs::create_directories(folder);
  auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder + "/" + name, std::ios::binary | std::ios::trunc) << text;
  };
  for (const auto& [name, text] : of.pack.rules) write(name, text);
  for (const auto& [name, text] : of.pack.tables) write(name, text);
  write("observations.ndjson", of.observations);
  for (const auto& [pack, texts] : of.imports) {
    fs::create_directories(folder + "/" + pack);
    for (const auto& [name, text] : texts.rules) write(pack + "/" + name, text);
    for (const auto& [name, text] : texts.tables) write(pack + "/" + name, text);
  }
}

std::vector<std::string> FoldersIn(const std::string& folder) {
  std::vector<std::string> out;
  if (!fs::exists(folder)) return out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) out.push_back(entry.path().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace attr::oracle

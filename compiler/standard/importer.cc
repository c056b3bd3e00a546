#include "compiler/standard/importer.h"

#include <algorithm>

namespace attr::standard {

namespace {

bool EndsWith(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

void AddFile(compiler::PackSource& pack, std::string_view name, const EmbeddedFile& file) {
  compiler::PackFile out{std::string(file.path), std::string(file.text)};
  if (EndsWith(name, ".attr")) {
    pack.rules.push_back(std::move(out));
  } else {
    pack.tables.emplace(std::string(name), std::move(out));
  }
}

}  // namespace

compiler::Importer ImporterOf(const std::vector<EmbeddedFile>& files) {
  std::map<std::string, compiler::PackSource> packs;
  for (const EmbeddedFile& file : files) {
    size_t slash = file.path.find('/');
    if (slash == std::string_view::npos) continue;
    std::string name(file.path.substr(0, slash));
    compiler::PackSource& pack = packs[name];
    pack.name = name;
    AddFile(pack, file.path.substr(slash + 1), file);
  }
  compiler::Importer importer;
  for (auto& [name, pack] : packs) {
    std::sort(pack.rules.begin(), pack.rules.end(),
              [](const compiler::PackFile& a, const compiler::PackFile& b) { return a.path < b.path; });
    importer.names.push_back(name);
  }
  importer.load = [packs = std::move(packs)](const std::string& name) -> std::optional<compiler::PackSource> {
    auto it = packs.find(name);
    if (it == packs.end()) return std::nullopt;
    return it->second;
  };
  return importer;
}

}  // namespace attr::standard

// See imports.h.
#include "compiler/imports.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <map>
#include <set>

#include "compiler/syntax/parse.h"
#include "fmt/format.h"
#include "runtime/base/sha256.h"

namespace attr::compiler {

namespace {

using diagnostics::Code;
using diagnostics::Diagnostic;
using diagnostics::Span;

/// Of the sources, whatever folder or binary they came from.
std::string HashOf(const PackSource& source) {
  Sha256 hash;
  const auto add = [&hash](std::string_view text) {
    hash.Update(fmt::format("{}\n", text.size()));
    hash.Update(text);
  };
  for (const PackFile& file : source.rules) add(file.text);
  for (const auto& [name, file] : source.tables) {
    add(name);
    add(file.text);
  }
  return ToHex(hash.Finish());
}

std::string Major(const std::string& version) { return version.substr(0, version.find('.')); }

/// Numbers of a version; what is not written is 0.
std::array<uint64_t, 3> NumbersOf(const std::string& version) {
  std::array<uint64_t, 3> numbers{};
  const char* at = version.data();
  const char* const end = at + version.size();
  for (uint64_t& number : numbers) {
    at = std::from_chars(at, end, number).ptr;
    if (at == end || *at != '.') break;
    ++at;
  }
  return numbers;
}

class Loader {
 public:
  Loader(const Importer& importer, Compilation* compilation) : importer_(importer), compilation_(*compilation) {}

  std::vector<sema::PackInput> Load(const PackSource& root) {
    Parse(root, 0);
    compilation_.root_files = parsed_[0].files.size();
    if (parsed_[0].input.decl) names_[parsed_[0].input.name] = 0;
    for (size_t at = 0; at < parsed_.size(); ++at) {
      if (parsed_[at].input.decl) Import(at);
    }
    ReportCycles();
    return Inputs();
  }

 private:
  struct Parsed {
    sema::PackInput input;
    std::vector<size_t> files;       // in compilation_.files
    std::vector<Span> import_spans;  // beside input.imports
  };

  void Parse(const PackSource& source, size_t index) {
    Parsed parsed;
    for (const PackFile& file : source.rules) {
      const uint32_t id = compilation_.sources.Add(file.path, file.text);
      parsed.files.push_back(compilation_.files.size());
      compilation_.files.push_back(syntax::Parse(compilation_.sources, id, compilation_.sink));
    }
    for (const auto& [name, file] : source.tables) {
      parsed.input.tables[name] = {compilation_.sources.Add(file.path, file.text)};
    }
    parsed.input.sha256 = HashOf(source);
    parsed_.push_back(std::move(parsed));
    FindPackBlock(source, index);
  }

  /// `decl` stays null when there is none.
  void FindPackBlock(const PackSource& source, size_t index) {
    Parsed& parsed = parsed_[index];
    for (size_t file : parsed.files) {
      for (const syntax::Item& item : compilation_.files[file].items) {
        const auto* decl = std::get_if<syntax::PackDecl>(&item.node);
        if (!decl) continue;
        if (!parsed.input.decl) {
          parsed.input.decl = decl;
          continue;
        }
        Diagnostic diagnostic;
        diagnostic.code = Code::kSecondPackBlock;
        diagnostic.message = fmt::format("pack `{}` has a second `pack` block", parsed.input.decl->name.text);
        diagnostic.primary = {decl->name.span, ""};
        diagnostic.secondary.push_back({parsed.input.decl->name.span, "the first one"});
        compilation_.sink.Add(std::move(diagnostic));
      }
    }
    if (!parsed.input.decl) {
      // A block with a syntax error was reported; saying that there is none would mislead.
      if (compilation_.sink.HasErrors()) return;
      Span span;
      if (!parsed.files.empty()) span.file = compilation_.files[parsed.files[0]].source;
      if (parsed.files.empty()) span.file = compilation_.sources.Add(source.name, "");
      compilation_.sink.Add(Code::kNoPackBlock, span, fmt::format("`{}` has no `pack` block", source.name));
      return;
    }
    const syntax::PackDecl& decl = *parsed.input.decl;
    parsed.input.name = decl.name.text;
    parsed.input.version = decl.version.value;
    if (decl.language && *decl.language != 1) {
      compilation_.sink.Add(Code::kLanguageVersion, decl.language_span,
                            fmt::format("language {} is not supported", *decl.language));
    }
  }

  void Import(size_t at) {
    // By value: parsed_ grows while this runs.
    const syntax::PackDecl* decl = parsed_[at].input.decl;
    std::set<std::string> seen;
    for (const syntax::Import& import : decl->imports) {
      if (!seen.insert(import.pack.text).second) {
        compilation_.sink.Add(Code::kDuplicateName, import.pack.span,
                              fmt::format("pack `{}` is imported twice", import.pack.text));
        continue;
      }
      const std::optional<uint32_t> pack = Find(import);
      if (!pack) continue;
      CheckVersion(import, parsed_[*pack].input);
      parsed_[at].input.imports.push_back(*pack);
      parsed_[at].import_spans.push_back(import.pack.span);
    }
  }

  std::optional<uint32_t> Find(const syntax::Import& import) {
    const std::string& name = import.pack.text;
    if (auto it = names_.find(name); it != names_.end()) return it->second;
    if (missing_.count(name)) return std::nullopt;
    const std::optional<PackSource> source = importer_.load ? importer_.load(name) : std::nullopt;
    if (!source) {
      missing_.insert(name);
      const std::vector<std::string_view> names(importer_.names.begin(), importer_.names.end());
      const std::string_view near = diagnostics::NearestName(name, names);
      std::string help;
      if (!near.empty()) help = fmt::format("did you mean `{}`?", near);
      if (near.empty() && !names.empty()) help = fmt::format("known packs: {}", fmt::join(names, ", "));
      compilation_.sink.Add(Code::kUnknownPack, import.pack.span, fmt::format("unknown pack `{}`", name), "",
                            std::move(help));
      return std::nullopt;
    }
    const auto index = static_cast<uint32_t>(parsed_.size());
    Parse(*source, index);
    if (!parsed_[index].input.decl) {
      missing_.insert(name);
      parsed_.pop_back();
      return std::nullopt;
    }
    names_[name] = index;
    return index;
  }

  void CheckVersion(const syntax::Import& import, const sema::PackInput& pack) {
    const auto [first, added] = first_imports_.try_emplace(pack.name, &import);
    if (!added && Major(first->second->version.value) != Major(import.version.value)) {
      return ReportConflict(*first->second, import);
    }
    // More than the major version is the least that is asked for.
    const bool major = Major(import.version.value) == Major(pack.version);
    if (major && NumbersOf(import.version.value) <= NumbersOf(pack.version)) return;
    compilation_.sink.Add(
        Code::kPackVersion, import.version.span,
        fmt::format("pack `{}` has version {}, {} is asked for", pack.name, pack.version, import.version.value));
  }

  void ReportConflict(const syntax::Import& first, const syntax::Import& second) {
    Diagnostic diagnostic;
    diagnostic.code = Code::kImportConflict;
    diagnostic.message = fmt::format("pack `{}` is imported as version {} and as version {}", first.pack.text,
                                     first.version.value, second.version.value);
    diagnostic.primary = {second.span, ""};
    diagnostic.secondary.push_back({first.span, "imported with another major version here"});
    compilation_.sink.Add(std::move(diagnostic));
  }

  void ReportCycles() {
    std::vector<uint8_t> state(parsed_.size(), 0);  // 1: on the path, 2: done
    std::vector<std::pair<uint32_t, size_t>> path;  // pack, next import
    for (uint32_t start = 0; start < parsed_.size(); ++start) {
      if (state[start] == 0) path.push_back({start, 0});
      while (!path.empty()) {
        auto& [pack, next] = path.back();
        state[pack] = 1;
        if (next == parsed_[pack].input.imports.size()) {
          state[pack] = 2;
          path.pop_back();
          continue;
        }
        const uint32_t import = parsed_[pack].input.imports[next++];
        if (state[import] == 1) return ReportCycle(path, import);
        if (state[import] == 0) path.push_back({import, 0});
      }
    }
  }

  void ReportCycle(const std::vector<std::pair<uint32_t, size_t>>& path, uint32_t from) {
    Diagnostic diagnostic;
    diagnostic.code = Code::kImportCycle;
    std::string text;
    bool first = true;
    for (const auto& [pack, next] : path) {
      if (text.empty() && pack != from) continue;
      text += parsed_[pack].input.name + " -> ";
      const diagnostics::Label label{parsed_[pack].import_spans[next - 1],
                                     fmt::format("`{}` imports this", parsed_[pack].input.name)};
      if (first) diagnostic.primary = label;
      if (!first) diagnostic.secondary.push_back(label);
      first = false;
    }
    diagnostic.message = "packs import each other in a cycle: " + text + parsed_[from].input.name;
    compilation_.sink.Add(std::move(diagnostic));
  }

  std::vector<sema::PackInput> Inputs() {
    std::vector<sema::PackInput> inputs;
    for (Parsed& parsed : parsed_) {
      if (!parsed.input.decl) continue;
      for (size_t file : parsed.files) parsed.input.files.push_back(&compilation_.files[file]);
      inputs.push_back(std::move(parsed.input));
    }
    return inputs;
  }

  const Importer& importer_;
  Compilation& compilation_;
  std::vector<Parsed> parsed_;
  std::map<std::string, uint32_t> names_;
  std::set<std::string> missing_;
  std::map<std::string, const syntax::Import*> first_imports_;  // by pack
};

}  // namespace

std::vector<sema::PackInput> LoadPacks(const PackSource& root, const Importer& importer, Compilation* compilation) {
  return Loader(importer, compilation).Load(root);
}

}  // namespace attr::compiler

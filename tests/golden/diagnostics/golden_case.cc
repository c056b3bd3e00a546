#include "tests/golden/diagnostics/golden_case.h"

#include <algorithm>
#include <charconv>

#include "compiler/diagnostics/render.h"

namespace attr::golden {
namespace {

// The text with its `<<…>>` written out.
std::string Expand(std::string_view text) {
  std::string out;
  while (true) {
    const size_t open = text.find("<<");
    const size_t close = open == std::string_view::npos ? open : text.find(">>", open);
    if (close == std::string_view::npos) return out.append(text);
    const std::string_view inner = text.substr(open + 2, close - open - 2);
    const size_t star = inner.find('*');
    unsigned long number = 0;
    const std::string_view digits = inner.substr(0, star);
    auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number, star == std::string_view::npos ? 16 : 10);
    if (error != std::errc() || end != digits.data() + digits.size()) {  // a shift of two bits, say
      out.append(text.substr(0, open + 2));
      text.remove_prefix(open + 2);
      continue;
    }
    out.append(text.substr(0, open));
    if (star == std::string_view::npos) {
      out += static_cast<char>(number);
    } else {
      for (unsigned long i = 0; i < number; ++i) out.append(inner.substr(star + 1));
    }
    text.remove_prefix(close + 2);
  }
}

struct Part {
  std::string kind = "file";
  std::string name = "pack.attr";
  std::string text;
};

std::vector<Part> Split(std::string_view text) {
  std::vector<Part> parts(1);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    const size_t colon = line.find(": ");
    if (line.substr(0, 4) == "--- " && colon != std::string_view::npos) {
      std::string_view name = line.substr(colon + 2);
      while (!name.empty() && (name.back() == '\n' || name.back() == '\r')) name.remove_suffix(1);
      parts.push_back({std::string(line.substr(4, colon - 4)), std::string(name), {}});
    } else {
      parts.back().text += line;
    }
  }
  if (parts.front().text.empty() && parts.size() > 1) parts.erase(parts.begin());
  return parts;
}

void Add(compiler::PackSource& pack, const Part& part) {
  compiler::PackFile file{part.name, Expand(part.text)};
  if (part.kind == "table") {
    pack.tables.emplace(part.name, std::move(file));
  } else {
    pack.rules.push_back(std::move(file));
  }
}

}  // namespace

Case ReadCase(std::string_view text) {
  Case golden;
  golden.root.name = "case";
  compiler::PackSource* pack = &golden.root;
  for (const Part& part : Split(text)) {
    if (part.kind == "pack") {
      golden.imports.emplace_back();
      golden.imports.back().name = part.name;
      pack = &golden.imports.back();
      if (!part.text.empty()) Add(*pack, {"file", part.name + "/pack.attr", part.text});
    } else {
      Add(*pack, part);
    }
  }
  auto by_path = [](const compiler::PackFile& a, const compiler::PackFile& b) { return a.path < b.path; };
  std::sort(golden.root.rules.begin(), golden.root.rules.end(), by_path);
  for (auto& import : golden.imports) std::sort(import.rules.begin(), import.rules.end(), by_path);
  return golden;
}

std::string RenderCase(const Case& golden, std::vector<std::string>& codes) {
  compiler::Importer importer;
  for (const auto& pack : golden.imports) importer.names.push_back(pack.name);
  importer.load = [&](const std::string& name) -> std::optional<compiler::PackSource> {
    for (const auto& pack : golden.imports) {
      if (pack.name == name) return pack;
    }
    return std::nullopt;
  };
  const compiler::Compilation compilation = compiler::Compile(golden.root, importer);
  const auto sorted = compilation.sink.Sorted();
  for (const auto& diagnostic : sorted) codes.push_back(diagnostics::CodeText(diagnostic.code));
  return diagnostics::RenderAll(sorted, compilation.sources);
}

}  // namespace attr::golden

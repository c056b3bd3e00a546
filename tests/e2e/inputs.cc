#include "tests/e2e/inputs.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "compiler/standard/standard_packs.h"
#include "runtime/report/report.h"

namespace attr::e2e {

namespace {

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> out;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

std::string Joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

}  // namespace

const pack::Pack& StandardPack() {
  static const pack::Pack pack = [] {
    auto decoded = pack::Decode(standard::StandardPack(), "std");
    if (!decoded) throw std::runtime_error(decoded.error().ToString());
    return std::move(*decoded);
  }();
  return pack;
}

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void WriteFile(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

std::vector<std::string> IncidentFolders() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(ATTR_SOURCE_DIR) + "/examples")) {
    if (std::filesystem::exists(entry.path() / "observations.ndjson")) out.push_back(entry.path().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string CacheFolder() { return std::string(ATTR_BINARY_DIR) + "/test-cache"; }

std::string Run(std::vector<std::string> inputs, EngineChoice engine, unsigned threads) {
  std::vector<ingest::Input> read;
  for (size_t i = 0; i < inputs.size(); ++i) read.push_back({"input" + std::to_string(i), std::move(inputs[i])});
  auto set = ingest::ReadObservations(std::move(read));
  if (!set) return "error: " + set.error().ToString();
  AttributeOptions options;
  options.engine = engine;
  options.threads = threads;
  options.pack_sha256 = StandardPack().sha256;
  options.cache_dir = CacheFolder();
  auto verdict = Attribute(StandardPack().plan, *set, options);
  return verdict ? report::ToJson(*verdict) : "error: " + verdict.error().ToString();
}

std::string Shuffled(const std::string& ndjson, uint64_t seed) {
  std::vector<std::string> lines = Lines(ndjson);
  std::mt19937_64 random(seed);
  for (size_t i = lines.size(); i > 2; --i) std::swap(lines[i - 1], lines[1 + random() % (i - 1)]);
  return Joined(lines);
}

std::vector<std::string> Split(const std::string& ndjson, size_t parts) {
  std::vector<std::string> lines = Lines(ndjson);
  std::vector<std::vector<std::string>> out(parts, {lines.front()});
  for (size_t i = 1; i < lines.size(); ++i) out[i % parts].push_back(lines[i]);
  std::vector<std::string> texts;
  for (const auto& part : out) texts.push_back(Joined(part));
  return texts;
}

std::string AsDocument(const std::string& ndjson) {
  std::vector<std::string> lines = Lines(ndjson);
  std::string out = lines.front();
  out.erase(out.rfind('}'));
  out += ",\"observations\":[\n";
  for (size_t i = 1; i < lines.size(); ++i) out += (i == 1 ? "" : ",\n") + lines[i];
  return out + "\n]}\n";
}

}  // namespace attr::e2e

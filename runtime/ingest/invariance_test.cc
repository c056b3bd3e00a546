// The set's order and hash do not depend on how it was written down.
#include <doctest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "runtime/ingest/reader_test_util.h"

namespace attr::ingest {

namespace {

const std::string kHeader =
    R"({"schema":"attribution/observations/v1","clocks":[{"name":"b","tied":false},{"name":"a","tied":false}],"attempt":{"id":"7","state":"FAILED","nodes":[{"name":"n1","aliases":["x1"],"ranks":[0]},"n2","n10"]},"coverage":[{"source":"kernel"},{"source":"application","nodes":["n2","n1"]}]})";

std::vector<std::string> SomeLines() {
  std::vector<std::string> lines;
  for (int i = 0; i < 200; ++i) {
    std::string n = std::to_string(i);
    std::string second = std::to_string(10 + i % 7);
    std::string place =
        i % 3 == 0 ? R"("node":"n10")" : (i % 3 == 1 ? R"("rank":0)" : R"("observer":"x1","node":"n2")");
    std::string time = i % 5 == 0 ? "" : R"(,"time":"2026-03-02T12:10:)" + second + R"(Z")";
    std::string stream = i % 4 == 0 ? R"(,"stream":"s)" + std::to_string(i % 2) + R"(","seq":)" + n : "";
    std::string clock = i % 11 == 0 ? R"(,"clock":"b")" : (i % 13 == 0 ? R"(,"clock":"a")" : "");
    std::string id = i % 6 == 0 ? R"(,"id":"id)" + n + '"' : "";
    lines.push_back(R"({"source":")" + std::string(i % 2 == 0 ? "kernel" : "application") + "\"," + place + time +
                    stream + clock + id + R"(,"text":"line )" + std::to_string(i % 9) + R"(","attrs":{"z":)" + n +
                    R"(,"a":[1,2]}})");
  }
  for (int i = 0; i < 3; ++i) lines.push_back(R"({"source":"kernel","text":"the same thrice"})");
  return lines;
}

std::string Joined(const std::vector<std::string>& lines, size_t from, size_t to) {
  std::string out = kHeader + '\n';
  for (size_t i = from; i < to; ++i) out += lines[i] + '\n';
  return out;
}

std::vector<std::string> Ids(const model::ObservationSet& set) {
  std::vector<std::string> ids;
  for (size_t i = 0; i < set.observations.size(); ++i) ids.push_back(set.IdOf(i));
  return ids;
}

}  // namespace

TEST_CASE("any order and any split of the lines is the same set") {
  std::vector<std::string> lines = SomeLines();
  auto first = ReadText(Joined(lines, 0, lines.size()));
  REQUIRE_MESSAGE(first.ok(), first.error().ToString());
  REQUIRE(first->observations.size() == lines.size() + 1);
  std::vector<std::string> ids = Ids(*first);
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    std::shuffle(lines.begin(), lines.end(), random);
    size_t cut = random() % lines.size();
    auto again = ReadTexts({Joined(lines, cut, lines.size()), Joined(lines, 0, cut)});
    REQUIRE(again.ok());
    CHECK(again->sha256 == first->sha256);
    CHECK(Ids(*again) == ids);
    CHECK(again->warnings == first->warnings);
  }
  std::sort(ids.begin(), ids.end());
  CHECK(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
}

TEST_CASE("thousands of rows stand in the order of their times, whatever order they came in") {
  std::mt19937 random(8);
  std::vector<std::string> lines;
  for (int i = 0; i < 6000; ++i) {
    std::string time = std::to_string(random() % 3 == 0 ? random() % 50 : random());
    if (random() % 50 == 0) time = '-' + time;  // before 1970
    if (random() % 20 == 0) time = "null";
    lines.push_back(R"({"source":"a","time":)" + time + R"(,"rank":)" + std::to_string(random() % 4) + "}");
  }
  const std::string header = R"({"schema":"attribution/observations/v1","time_unit":"ms"})"
                             "\n";
  auto time_of = [](const std::string& line) {
    size_t at = line.find("\"time\":") + 7;
    return line[at] == 'n' ? INT64_MAX : std::stoll(line.substr(at));
  };
  auto earlier = [&](const std::string& a, const std::string& b) { return time_of(a) < time_of(b); };
  std::string sha256;
  for (int round = 0; round < 6; ++round) {
    if (round == 1) std::stable_sort(lines.begin(), lines.end(), earlier);
    if (round == 2) {  // a log with lines that are too early or too late, alone and in groups
      for (size_t i = 0; i + 300 < lines.size(); i += 97) {
        auto at = lines.begin() + static_cast<std::ptrdiff_t>(i);
        auto group = static_cast<std::ptrdiff_t>(i % 12);
        i % 2 == 0 ? std::rotate(at, at + group, at + 200) : std::rotate(at, at + 200 - group, at + 200);
      }
    }
    if (round == 3) std::rotate(lines.begin(), lines.begin() + 3000, lines.end());
    if (round == 4) std::stable_sort(lines.rbegin(), lines.rend(), earlier);
    if (round == 5) std::shuffle(lines.begin(), lines.end(), random);
    std::string text = header;
    for (const std::string& line : lines) text += line + '\n';
    auto set = ReadText(text);
    REQUIRE(set.ok());
    auto key = [](const model::Observation& row) { return std::tuple(row.time.Unknown(), row.time.lo, row.rank); };
    CHECK(std::is_sorted(set->observations.begin(), set->observations.end(),
                         [&](const auto& a, const auto& b) { return key(a) < key(b); }));
    CHECK((round == 0 || set->sha256 == sha256));
    sha256 = set->sha256;
  }
}

TEST_CASE("every field is part of the hash") {
  const std::vector<std::string> rows{
      R"({"source":"a"})",
      R"({"source":"b"})",
      R"({"source":"a","id":"a"})",
      R"({"source":"a","text":"a"})",
      R"({"source":"a","name":"a"})",
      R"({"source":"a","unit":"a"})",
      R"({"source":"a","severity":"a"})",
      R"({"source":"a","node":"a"})",
      R"({"source":"a","observer":"a"})",
      R"({"source":"a","gpu":"a"})",
      R"({"source":"a","stream":"a"})",
      R"({"source":"a","attempt":"a"})",
      R"({"source":"a","job":"a"})",
      R"({"source":"a","rank":1})",
      R"({"source":"a","seq":1})",
      R"({"source":"a","value":0})",
      R"({"source":"a","value":1})",
      R"({"source":"a","time":"2026-03-02T12:10:02Z"})",
      R"({"source":"a","time":"2026-03-02T12:10:02.0Z"})",
      R"({"source":"a","time":"never"})",
      R"({"source":"a","attrs":{"a":1}})",
      R"({"source":"a","attrs":{"a":1.0}})",
      R"({"source":"a","attrs":{"a":"1"}})",
      R"({"source":"a","attrs":{"a":true}})",
      R"({"source":"a","attrs":{"a":null}})",
  };
  std::vector<std::string> hashes;
  for (const std::string& row : rows) {
    hashes.push_back(Lines(row).sha256);
    CHECK(hashes.back().size() == 64);
  }
  for (const char* header : {R"("attempt":{"id":"a"})", R"("attempt":{"job":"a"})", R"("attempt":{"exit_code":0})",
                             R"("attempt":{"start":"2026-03-02T12:10:02Z"})", R"("skew":"1s")",
                             R"("coverage":[{"source":"a"}])", R"("coverage":[{"source":"a","status":"error"}])",
                             R"("clocks":[{"name":"c"}])", R"("attempt":{"nodes":["b","c"]})"}) {
    hashes.push_back(
        Lines(rows[0], R"({"schema":"attribution/observations/v1",)" + std::string(header) + "}\n").sha256);
  }
  std::sort(hashes.begin(), hashes.end());
  CHECK(std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end());
}

}  // namespace attr::ingest

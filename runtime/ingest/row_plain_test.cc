// The scan of plain rows beside the JSON parser: the same set or the same error
// for every line, whole or damaged.
#include <doctest.h>

#include <algorithm>
#include <random>

#include "runtime/ingest/reader_test_util.h"
#include "runtime/ingest/row_reader.h"

namespace attr::ingest {

namespace {

using Random = std::mt19937_64;

const std::string kPlainHeader =
    R"({"schema":"attribution/observations/v1","time_unit":"ms","clocks":[{"name":"b","tied":false}],)"
    R"("attempt":{"nodes":[{"name":"n1","ranks":[0,1],"gpus":[{"name":"gpu0","aliases":["0"]}]},"n2"]}})"
    "\n";

std::string Pick(Random* random, const std::vector<std::string>& from) { return from[(*random)() % from.size()]; }

/// A key and a value that is mostly right for it.
std::string SomeField(Random* random) {
  static const std::vector<std::string> kTexts{R"("a")",
                                               R"("")",
                                               R"("n1")",
                                               R"("a \"quoted\" word")",
                                               R"("\u00e9")",
                                               R"("ünïcode")",
                                               R"("\u0041\n")",
                                               R"("0123456789abcdef")",
                                               R"("0123456789abcde")",
                                               R"("b")",
                                               "null",
                                               "7"};
  static const std::vector<std::string> kNumbers{"0",
                                                 "1",
                                                 "17",
                                                 "2147483647",
                                                 "9223372036854775807",
                                                 "-1",
                                                 "-0",
                                                 "1.5",
                                                 "1e3",
                                                 "9223372036854775808",
                                                 "999999999999999999",
                                                 "01",
                                                 "1e999",
                                                 "null",
                                                 "1.",
                                                 R"("1")"};
  static const std::vector<std::string> kTimes{R"("2026-03-02T12:10:02Z")",
                                               R"("2026-03-02T12:10:59.25Z")",
                                               R"("2026-03-02T12:11:02.123456789Z")",
                                               R"("2026-03-02T12:10:60Z")",
                                               R"("2026-03-02T12:10:02+01:00")",
                                               R"("never")",
                                               "1772453402000",
                                               "null",
                                               "1.5",
                                               R"("2026-03-02T12:10:02.Z")",
                                               "18446744073709551616"};
  static const std::vector<std::string> kAttrs{"{}",
                                               R"({"a":1})",
                                               R"({"z":"x","a":null,"b":true,"c":false,"d":1.25})",
                                               R"({"a":{"b":1}})",
                                               R"({"a":[1,2]})",
                                               R"({"a":1,"a":2})",
                                               "null",
                                               R"({"a": 123456789012345678901234567890, "b": -3})",
                                               R"({"k\u0041":1})"};
  switch ((*random)() % 6) {
    case 0:
      return R"("time":)" + Pick(random, kTimes);
    case 1:
      return "\"" + Pick(random, {"rank", "seq", "value"}) + "\":" + Pick(random, kNumbers);
    case 2:
      return R"("attrs":)" + Pick(random, kAttrs);
    case 3:
      return Pick(random,
                  {R"("time_range":["2026-03-02T12:10:02Z",null])", R"("unknown":[1,{"x":2}])", R"("other":1)"});
    default:
      return "\"" +
             Pick(random, {"id", "observer", "node", "gpu", "stream", "clock", "name", "unit", "severity", "text",
                           "attempt", "job"}) +
             "\":" + Pick(random, kTexts);
  }
}

std::string SomeRow(Random* random) {
  const std::string colon_blank = (*random)() % 3 == 0 ? " " : "";
  std::string row = R"({"source":)" + colon_blank + Pick(random, {R"("kernel")", R"("application")", R"("a")"});
  for (size_t i = (*random)() % 6; i > 0; --i) row += "," + colon_blank + SomeField(random);
  return row + "}" + Pick(random, {"\n", "\n", "\n", "\r\n", " \n", "\n\n"});
}

void Damage(Random* random, std::string* text) {
  constexpr char kLiteral[] = "\"\\{}[],:0 1n\n\r\0\x1f\x7f\x80\xc3";
  static const std::string kBytes(kLiteral, sizeof kLiteral - 1);
  size_t at = (*random)() % text->size();
  switch ((*random)() % 4) {
    case 0:
      text->erase(at, 1);
      break;
    case 1:
      text->insert(at, 1, kBytes[(*random)() % kBytes.size()]);
      break;
    case 2:
      text->resize(at);
      break;
    default:
      (*text)[at] = kBytes[(*random)() % kBytes.size()];
  }
}

/// All that a reading says, as one text.
std::string Outcome(const std::string& text, bool plain) {
  ReadLimits limits;
  limits.plain_rows = plain;
  limits.line_bytes = 300;
  auto set = ReadObservations({{"in", text}}, limits);
  if (!set.ok()) return set.error().ToString() + "\n" + set.error().help;
  std::string out = set->sha256;
  const model::ReadCounts& counts = set->counts;
  for (uint64_t count :
       {counts.observations, counts.duplicates_dropped, counts.unreadable_times, counts.invalid_utf8}) {
    out += ' ' + std::to_string(count);
  }
  for (size_t i = 0; i < set->observations.size(); ++i) out += ' ' + set->IdOf(i);
  for (const std::string& warning : set->warnings) out += '\n' + warning;
  return out;
}

/// The scan takes the line, and all of it.
bool Scans(std::string line) {
  model::ObservationSet set;
  RowReader rows(&set);
  size_t size = line.size();
  line.append(kInputPadding, '\0');
  const char* after = rows.ScanPlain(line.data(), line.data() + size);
  if (after == nullptr) CHECK(set.attributes.empty());
  return after == line.data() + size;
}

}  // namespace

TEST_CASE("rows as producers write them need no parser") {
  for (const char* line : {R"({"source":"a"})", "{\"source\":\"a\"}\r\n", R"({"source": "a", "rank": 7})",
                           R"({"source":"a","time":"2026-03-02T12:10:02.5Z","text":"x: {y}, [z]"})",
                           R"({"attrs":{"a":1,"b":-2.5e3,"c":"x","d":null,"e":true},"source":"a","value":0.5})"}) {
    CAPTURE(line);
    CHECK(Scans(line));
  }
}

TEST_CASE("what is no plain row is left to the parser") {
  for (const char* line : {"",
                           "{",
                           "{}",
                           "x",
                           R"({"source":"a")",
                           R"({"source":"a"} )",
                           R"({"source":"a"}})",
                           R"({"source":"a",})",
                           R"({"source":"a\n"})",
                           "{\"source\":\"\xC3\xA9\"}",
                           "{\"source\":\"a\tb\"}",
                           R"({"source":"a","source":"a"})",
                           R"({"schema":"a"})",
                           R"({"source":"a","rank":01})",
                           R"({"source":"a","rank":1.5})",
                           R"({"source":"a","rank":-1})",
                           R"({"source":"a","value":"1"})",
                           R"({"source":"a","value":+1})",
                           R"({"source":"a","value":nul})",
                           R"({"source":"a","attrs":{"a":1})",
                           R"({"source":"a","attrs":{"a":1,"b":{}}})",
                           R"({"source":"a","time":1})",
                           R"({"source":"a)",
                           R"({"source":"a"  ,"rank":1})"}) {
    CAPTURE(line);
    CHECK(!Scans(line));
  }
}

TEST_CASE("the scan and the parser read the same set from random rows") {
  Random random(11);
  size_t read = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string text = kPlainHeader;
    for (size_t i = 1 + random() % 6; i > 0; --i) text += SomeRow(&random);
    if (round % 4 == 0) text.pop_back();
    CAPTURE(text);
    std::string outcome = Outcome(text, true);
    CHECK(outcome == Outcome(text, false));
    read += outcome.find(' ') == 64 ? 1 : 0;
  }
  CHECK(read > 300);
}

TEST_CASE("the scan and the parser say the same of damaged rows") {
  Random random(12);
  for (int round = 0; round < 4000; ++round) {
    std::string rows;
    for (size_t i = 1 + random() % 3; i > 0; --i) rows += SomeRow(&random);
    for (size_t i = 1 + random() % 2; i > 0 && !rows.empty(); --i) Damage(&random, &rows);
    std::string text = kPlainHeader + rows;
    CAPTURE(text);
    CHECK(Outcome(text, true) == Outcome(text, false));
  }
}

TEST_CASE("a remembered minute gives the time that the text says") {
  Random random(13);
  StampReader stamps;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = "2026-03-02T12:1" + std::to_string(random() % 2) + ":" + std::to_string(random() % 7) +
                       std::to_string(random() % 10);
    if (random() % 2 == 0) {
      text += '.';
      for (size_t i = random() % 12; i > 0; --i) text += static_cast<char>('0' + random() % 10);
    }
    text += Pick(&random, {"Z", "Z", "Z", "z", "+01:00", "", "x"});
    if (random() % 8 == 0) text[random() % text.size()] = Pick(&random, {"0", ":", "-", "9", "T"})[0];
    CAPTURE(text);
    CHECK(stamps.Read(text) == TimeOf(text));
  }
  for (const char* text :
       {"2043-12-31T23:59:00Z", "1677-09-21T00:12:43Z", "1677-09-21T00:12:44Z", "2262-04-11T23:47:16Z"}) {
    CHECK(stamps.Read(text) == TimeOf(text));
    CHECK(stamps.Read(text) == TimeOf(text));
  }
}

}  // namespace attr::ingest

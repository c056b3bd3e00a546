#include "runtime/ingest/observation_reader.h"

#include <doctest.h>

#include <algorithm>
#include <random>

#include "runtime/ingest/reader_test_util.h"
#include "runtime/model/time_text.h"

namespace attr::ingest {

using model::Attribute;

TEST_CASE("one JSON document and NDJSON of the same content are one set") {
  auto document = ReadText(R"({
    "observations": [
      {"id":"a","source":"kernel","time":"2026-03-02T12:10:02Z","node":"n1","text":"x\ny"},
      {"source":"application","time":"2026-03-02T12:20:02.5Z","rank":3,"attrs":{"k":{"z":1}}}
    ],
    "attempt": {"id":"7","nodes":["n1"]},
    "schema": "attribution/observations/v1"
  })");
  REQUIRE(document.ok());
  auto lines = Lines(R"({"attrs":{"k":{"z":1}},"rank":3,"time":"2026-03-02T12:20:02.5Z","source":"application"}
{"text":"x\ny","node":"n1","time":"2026-03-02T12:10:02Z","source":"kernel","id":"a"})",
                     R"({"schema":"attribution/observations/v1","attempt":{"nodes":["n1"],"id":"7"}})"
                     "\n");
  CHECK(document->observations.size() == 2);
  CHECK(document->observations[0].text == "x\ny");
  CHECK(document->sha256 == lines.sha256);
  CHECK(document->sha256.size() == 64);
}

TEST_CASE("keys mean the same however they are escaped") {
  auto set = ReadText(
      R"({"sch\u0065ma":"attribution/observations/v1","observ\u0061tions":[{"sourc\u0065":"k","attrs":{"\u0061":1}}]})");
  REQUIRE(set.ok());
  REQUIRE(set->observations.size() == 1);
  CHECK(set->NameOf(set->observations[0].source) == "k");
  CHECK(set->attributes.at(0).key == "a");
}

TEST_CASE("every field of an observation is read") {
  auto set = Lines(
      R"({"id":"i","source":"metric","time":"2026-03-02T12:10:02Z","observer":"n2","node":"n1","rank":4,"gpu":"0","stream":"s","seq":9,"clock":"utc","name":"temp","value":71.5,"unit":"C","severity":"warn","text":"t","attrs":{"b":true,"i":-3,"f":0.5,"s":"v","n":null,"l":[1,{"d":2}],"o":{"p":{"q":"r"}},"big":123456789012345678901},"attempt":"a","job":"j"})");
  REQUIRE(set.observations.size() == 1);
  const auto& row = set.observations[0];
  CHECK(row.id == "i");
  CHECK(set.NameOf(row.source) == "metric");
  CHECK(set.NameOf(row.observer) == "n2");
  CHECK(set.NameOf(row.node) == "n1");
  CHECK(set.NameOf(row.gpu) == "0");
  CHECK(set.NameOf(row.stream) == "s");
  CHECK(set.NameOf(row.attempt) == "a");
  CHECK(set.NameOf(row.job) == "j");
  CHECK(row.rank == 4);
  CHECK(row.position == 9);
  CHECK(row.name == "temp");
  CHECK(row.value == 71.5);
  CHECK(row.has_value);
  CHECK(row.unit == "C");
  CHECK(row.severity == "warn");
  std::vector<std::string> keys;
  for (uint32_t i = row.attributes_begin; i < row.attributes_end; ++i) keys.emplace_back(set.attributes[i].key);
  CHECK(keys == std::vector<std::string>{"b", "big", "f", "i", "l.0", "l.1.d", "n", "o.p.q", "s"});
  CHECK(set.attributes[row.attributes_begin].kind == Attribute::Kind::kBool);
  CHECK(set.attributes[row.attributes_begin + 1].text == "123456789012345678901");
  CHECK(set.attributes[row.attributes_begin + 3].number == -3);
  CHECK(set.attributes[row.attributes_begin + 6].kind == Attribute::Kind::kNull);
}

TEST_CASE("escapes are resolved and unpaired surrogates replaced and counted") {
  auto set = Lines(R"({"source":"a","text":"\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\ud83d\ude00|","id":"1"})"
                   "\n"
                   R"({"source":"a","text":"x\udcffy","id":"2"})");
  REQUIRE(set.observations.size() == 2);
  CHECK(set.observations[0].text == "\"\\/\b\f\n\r\tA\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80|");
  CHECK(set.observations[1].text == "x\xEF\xBF\xBDy");
  CHECK(set.counts.invalid_utf8 == 1);
}

TEST_CASE("invalid UTF-8 is replaced, counted and leaves the rest alone") {
  for (bool document : {false, true}) {
    CAPTURE(document);
    std::string rows = "{\"source\":\"a\",\"text\":\"ok \xC3\xA9\",\"id\":\"1\"}";
    std::string bad = "{\"source\":\"a\",\"text\":\"b\xFF\xE2\x82z\",\"id\":\"2\"}";
    auto set =
        document ? ReadText("{\"schema\":\"attribution/observations/v1\",\"observations\":[" + rows + "," + bad + "]}")
                 : ReadText(kHeaderLine + rows + "\n" + bad);
    REQUIRE(set.ok());
    CHECK(set->observations[0].text == "ok \xC3\xA9");
    CHECK(set->observations[1].text == "b\xEF\xBF\xBD\xEF\xBF\xBDz");
    CHECK(set->counts.invalid_utf8 == 1);
    CHECK(set->warnings.size() == 1);
  }
}

TEST_CASE("a BOM, CRLF line ends and blank lines are no content") {
  auto plain = Lines("{\"source\":\"a\",\"text\":\"x\"}\n{\"source\":\"b\",\"text\":\"y\"}\n");
  auto dressed = ReadText(
      "\xEF\xBB\xBF\r\n{\"schema\":\"attribution/observations/v1\"}\r\n\r\n"
      "{\"source\":\"a\",\"text\":\"x\"}\r\n  \r\n{\"source\":\"b\",\"text\":\"y\"}");
  REQUIRE(dressed.ok());
  CHECK(dressed->sha256 == plain.sha256);
  CHECK(plain.observations.size() == 2);
}

TEST_CASE("integer times take the header's unit, also of another input") {
  auto set = ReadTexts({R"({"schema":"attribution/observations/v1","time_unit":"ms"})",
                        kHeaderLine + R"({"source":"a","time":1772453402500})"});
  REQUIRE(set.ok());
  CHECK(model::FormatMoment(set->observations[0].time) == "2026-03-02T12:10:02.500Z");
  CHECK(ErrorOf(R"({"source":"a","time":1772453402500})").find("time_unit") != std::string::npos);
}

TEST_CASE("a range, with ends that may be open") {
  auto set = Lines(R"({"source":"a","id":"1","time_range":["2026-03-02T12:00:00Z","2026-03-02T13:00:00Z"]}
{"source":"a","id":"2","time_range":["2026-03-02T12:00:00Z",null]}
{"source":"a","id":"3","time_range":[null,null]}
{"source":"a","id":"4","time_range":["2026-03-02T14:00:00Z","2026-03-02T14:00:00Z"]})");
  REQUIRE(set.observations.size() == 4);
  CHECK(set.observations[0].id == "1");
  CHECK(set.observations[1].time.hi == plan::kAfterAll);
  CHECK(set.observations[2].time.IsStamp());
  CHECK(set.observations[3].time.Unknown());
  CHECK(ErrorOf(R"({"source":"a","time_range":["2026-03-02T12:00:00Z","2026-03-02T11:00:00Z"]})") != "");
  CHECK(ErrorOf(R"({"source":"a","time_range":["2026-03-02T12:00:00Z"]})") != "");
  CHECK(ErrorOf(R"({"source":"a","time_range":[null,null,null]})") != "");
  CHECK(ErrorOf(R"({"source":"a","time":"2026-03-02T12:00:00Z","time_range":[null,null]})") != "");
}

TEST_CASE("the ends of a range may be written to different digits") {
  auto range = [](const char* from, const char* to) {
    return R"({"source":"a","time_range":["2026-03-02T12:10:)" + std::string(from) + "Z\",\"2026-03-02T12:10:" + to +
           "Z\"]}";
  };
  auto set = Lines(range("02.5", "02"));
  REQUIRE(set.observations.size() == 1);
  CHECK(set.observations[0].time.hi - set.observations[0].time.lo == 499'999'999);
  CHECK(ErrorOf(range("02", "02.5")) == "");
  CHECK(ErrorOf(range("02.999", "02")) == "");
  CHECK(ErrorOf(range("03", "02")) != "");
  CHECK(ErrorOf(range("03.0", "02")) != "");
  CHECK(ErrorOf(range("02.55", "02.5")) == "");
  CHECK(ErrorOf(range("02.6", "02.5")) != "");
}

TEST_CASE("an unreadable time keeps its observation, without a time, and is counted") {
  auto set = Lines(R"({"source":"a","time":"yesterday","text":"x"}
{"source":"a","time":"2262-01-01T00:00:00Z"})");
  REQUIRE(set.observations.size() == 2);
  CHECK(set.observations[0].time.Unknown());
  CHECK(set.observations[0].input_time_unreadable);
  CHECK(set.counts.unreadable_times == 2);
  CHECK(set.warnings.size() == 1);
}

TEST_CASE("places are normalized through the inventory") {
  const std::string header =
      R"({"schema":"attribution/observations/v1","attempt":{"nodes":[{"name":"n1","aliases":["10.0.0.1"],"ranks":[0,1],"gpus":[{"name":"0000:1b:00.0","aliases":["0"]}]},{"name":"n2","ranks":[2]}]}})"
      "\n";
  auto set = Lines(R"({"source":"a","id":"1","node":"10.0.0.1","gpu":"0"}
{"source":"a","id":"2","rank":2}
{"source":"a","id":"3","node":"n2.cluster.local","observer":"10.0.0.1"}
{"source":"a","id":"4"})",
                   header);
  REQUIRE(set.observations.size() == 4);
  CHECK(set.NameOf(set.observations[3].node) == "n2");  // canonical order goes by observer: none, n1, n1, n2
  CHECK(set.observations[0].id == "4");
  CHECK(set.observations[0].node == model::kNoId);
  CHECK(set.observations[1].id == "1");
  CHECK(set.NameOf(set.observations[1].node) == "n1");
  CHECK(set.NameOf(set.observations[1].gpu) == "0000:1b:00.0");
  CHECK(set.NameOf(set.observations[2].observer) == "n1");
  CHECK(set.NameOf(set.observations[2].node) == "n2");
}

TEST_CASE("in an attempt of one node a missing node is that node") {
  auto set = Lines(R"({"source":"a"})", R"({"schema":"attribution/observations/v1","attempt":{"nodes":["n1"]}})"
                                        "\n");
  CHECK(set.NameOf(set.observations.at(0).node) == "n1");
  CHECK(set.NameOf(set.observations.at(0).observer) == "n1");
}

TEST_CASE("positions without a stream are those of observer and source") {
  auto set = Lines(R"({"source":"a","observer":"n1","seq":1,"time":"2026-03-02T12:00:00Z"}
{"source":"a","observer":"n1","seq":2}
{"source":"a","observer":"n1","seq":3,"time":"2026-03-02T13:00:00Z"}
{"source":"a","observer":"n2","seq":2})");
  REQUIRE(set.observations.size() == 4);
  CHECK(set.NameOf(set.observations[1].stream) == "n1/a");
  CHECK(model::FormatMoment(set.observations[1].time) == "[2026-03-02T12:00:00Z, 2026-03-02T13:00:00Z]");
  CHECK(set.observations[3].time.Unknown());
}

TEST_CASE("the attempt's state is a job_end record unless the scheduler wrote one") {
  const std::string header =
      R"({"schema":"attribution/observations/v1","attempt":{"state":"FAILED","exit_code":1,"end":"2026-03-02T12:41:00Z"}})"
      "\n";
  auto set = Lines("", header);
  REQUIRE(set.observations.size() == 1);
  CHECK(set.NameOf(set.observations[0].source) == "scheduler");
  CHECK(set.observations[0].name == "job_end");
  CHECK(model::FormatMoment(set.observations[0].time) == "2026-03-02T12:41:00Z");
  CHECK(set.attributes[0].key == "exit_code");
  CHECK(set.attributes[1].text == "FAILED");
  CHECK(set.counts.observations == 0);
  auto own = Lines(R"({"source":"scheduler","name":"job_end","attrs":{"state":"TIMEOUT"}})", header);
  REQUIRE(own.observations.size() == 1);
  CHECK(own.attributes[0].text == "TIMEOUT");
}

TEST_CASE("coverage rows expand, sort and lose their duplicates") {
  const std::string row =
      R"("coverage":[{"source":"kernel","nodes":["n10","n2"],"from":"2026-03-02T12:00:00Z"},{"source":"application","status":"partial","ranks":[1,0],"reason":"rotated"}])";
  auto set = ReadTexts({R"({"schema":"attribution/observations/v1",)" + row + "}",
                        R"({"schema":"attribution/observations/v1",)" + row + "}"});
  REQUIRE(set.ok());
  REQUIRE(set->coverage.size() == 4);
  CHECK(set->coverage[0].rank == 0);
  CHECK(set->coverage[1].reason == "rotated");
  CHECK(set->NameOf(set->coverage[2].node) == "n2");
  CHECK(set->NameOf(set->coverage[3].node) == "n10");
  CHECK(set->coverage[3].to == plan::kAfterAll);
}

TEST_CASE("an observation inside an empty interval makes it partial, with a warning") {
  auto set = Lines(
      R"({"source":"kernel","node":"n1","time":"2026-03-02T12:00:00Z"})",
      R"({"schema":"attribution/observations/v1","coverage":[{"source":"kernel","status":"empty","nodes":["n1","n2"]}]})"
      "\n");
  REQUIRE(set.coverage.size() == 2);
  CHECK(set.coverage[0].status == model::CoverageStatus::kPartial);
  CHECK(set.coverage[1].status == model::CoverageStatus::kEmpty);
  CHECK(set.warnings.size() == 1);
}

TEST_CASE("unknown keys are warned of once, with a near name") {
  auto set = Lines(R"({"source":"a","tiem":"x"}
{"source":"a","tiem":{"deep":[1,2]}})",
                   R"({"schema":"attribution/observations/v1","covrage":[]})"
                   "\n");
  REQUIRE(set.warnings.size() == 2);
  CHECK(set.warnings[0] == "unknown key \"covrage\" of the header is ignored; did you mean \"coverage\"?");
  CHECK(set.warnings[1] == "unknown key \"tiem\" of observations is ignored; did you mean \"time\"?");
}

TEST_CASE("one id twice: equal content counts once, different content is refused with both places") {
  const std::string a = R"({"id":"1","source":"k","text":"x"})";
  auto same = ReadTexts({kHeaderLine + a, kHeaderLine + a});
  REQUIRE(same.ok());
  CHECK(same->observations.size() == 1);
  CHECK(same->counts.duplicates_dropped == 1);
  auto differ = ReadTexts({kHeaderLine + a, kHeaderLine + "\n" + R"({"id":"1","source":"k","text":"y"})"});
  REQUIRE(!differ.ok());
  CHECK(differ.error().file == "in1");
  CHECK(differ.error().line == 3);
  CHECK(differ.error().message.find("in0:2") != std::string::npos);
  auto without = Lines("{\"source\":\"k\",\"text\":\"x\"}\n{\"source\":\"k\",\"text\":\"x\"}");
  CHECK(without.observations.size() == 2);
}

TEST_CASE("headers that agree or are silent merge; others name both files") {
  auto merged =
      ReadTexts({R"({"schema":"attribution/observations/v1","attempt":{"id":"7","nodes":["n2"]},"skew":"5s"})",
                 R"({"schema":"attribution/observations/v1","attempt":{"id":"7","job":"j","nodes":["n1"]}})"});
  REQUIRE(merged.ok());
  CHECK(merged->attempt.job == "j");
  CHECK(merged->skew == 5 * plan::kSecond);
  REQUIRE(merged->attempt.nodes.size() == 2);
  CHECK(merged->NameOf(merged->attempt.nodes[0].node) == "n1");
  auto refused = ReadTexts({R"({"schema":"attribution/observations/v1","attempt":{"id":"7"}})",
                            R"({"schema":"attribution/observations/v1","attempt":{"id":"8"}})"});
  REQUIRE(!refused.ok());
  CHECK(refused.error().file == "in1");
  CHECK(refused.error().message == "attempt.id is \"8\" here and \"7\" in in0:1");
  CHECK(refused.error().line == 1);
  CHECK(refused.error().byte.has_value());
}

TEST_CASE("a contradiction of two documents names the line of both") {
  auto header = [](const std::string& attempt, const std::string& clocks) {
    return R"({"schema":"attribution/observations/v1",)"
           "\n\"attempt\":" +
           attempt + ",\n\"clocks\":" + clocks + "}\n";
  };
  auto refused =
      ReadTexts({header("{}", R"([{"name":"x"}])"), header("{}", R"([{"name":"y"},{"name":"x","tied":false}])")});
  REQUIRE(!refused.ok());
  CHECK(refused.error().line == 3);
  CHECK(refused.error().message == "the clock \"x\" is untied here and tied in in0:3");
  auto labelled = [&](const char* zone) {
    return header(R"({"nodes":[{"name":"n1","labels":{"zone":")" + std::string(zone) + "\"}}]}", "[]");
  };
  refused = ReadTexts({labelled("a"), labelled("b")});
  REQUIRE(!refused.ok());
  CHECK(refused.error().line == 2);
  CHECK(refused.error().message == "label zone of n1 is \"b\" here and \"a\" in in0:2");
  auto ranked = [&](const char* name) {
    return header(R"({"nodes":[{"name":")" + std::string(name) + R"(","ranks":[1]}]})", "[]");
  };
  refused = ReadTexts({ranked("a"), ranked("b")});
  REQUIRE(!refused.ok());
  CHECK(refused.error().file == "in1");
  CHECK(refused.error().line == 2);
}

TEST_CASE("each file's integers count in its own unit; one without takes what the others agree on") {
  auto input = [](const char* unit, const char* time) {
    return R"({"schema":"attribution/observations/v1")" + std::string(unit) + "}\n{\"source\":\"a\",\"time\":" + time +
           "}";
  };
  auto set = ReadTexts({input(R"(,"time_unit":"s")", "1772453402"), input(R"(,"time_unit":"ms")", "1772453402000")});
  REQUIRE(set.ok());
  CHECK(set->observations[0].time.lo == set->observations[1].time.lo);
  CHECK(ReadTexts({input(R"(,"time_unit":"s")", "1772453402"), input("", "1772453402")}).ok());
  auto refused = ReadTexts({input(R"(,"time_unit":"s")", "1"), input(R"(,"time_unit":"ms")", "1"), input("", "1")});
  REQUIRE(!refused.ok());
  CHECK(refused.error().file == "in2");
}

}  // namespace attr::ingest

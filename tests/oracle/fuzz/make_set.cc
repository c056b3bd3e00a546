// Observation sets: a minute of an attempt on up to three nodes.
#include <fmt/format.h>

#include <algorithm>

#include "tests/oracle/fuzz/generator.h"

namespace attr::oracle {

namespace {

std::string Quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + "\"";
}

class SetMaker {
 public:
  explicit SetMaker(Gen* gen) : gen_(*gen), r_(gen->random), d_(gen->draft) {}

  void Make() {
    Attempt();
    Clocks();
    Coverage();
    size_t count = r_.Chance(10) ? 20 + r_.Below(30) : r_.Below(18);
    // Evaluation keeps nine members of a binding, and several may be of one record.
    if (d_.uses.count("each") != 0) count = std::min<size_t>(count, 4);
    for (size_t i = 0; i < count; ++i) Observation(i);
  }

 private:
  std::string Moment() {
    std::string out = fmt::format("2026-01-01T12:00:{:02}", r_.Below(60));
    if (r_.Chance(8)) out = fmt::format("2026-01-01T{}:{:02}:00", r_.Word({"11", "12", "13"}), r_.Below(60));
    if (r_.Chance(30)) out += fmt::format(".{}", r_.Word({"5", "25", "031", "000001"}));
    return "\"" + out + "Z\"";
  }

  void Attempt() {
    d_.attempt.push_back("\"id\":\"at\"");
    if (r_.Chance(20)) d_.attempt.push_back("\"job\":\"jo\"");
    if (r_.Chance(60)) d_.attempt.push_back("\"state\":\"" + r_.Word({"FAILED", "COMPLETED", "FAIL", "other"}) + "\"");
    if (r_.Chance(70)) d_.attempt.push_back("\"start\":\"2026-01-01T12:00:00Z\"");
    if (r_.Chance(60)) d_.attempt.push_back("\"end\":\"2026-01-01T12:01:00Z\"");
    const size_t nodes = r_.Below(4);
    const bool labels = d_.uses.count("label") + d_.uses.count("same rack") + d_.uses.count("demote on rack") != 0;
    for (size_t n = 1; n <= nodes; ++n) {
      const std::string name = fmt::format("n{}", n);
      gen_.node_names.push_back(name);
      if (r_.Chance(20)) {
        d_.nodes.push_back("\"" + name + "\"");
        continue;
      }
      std::string json = "{\"name\":\"" + name + "\"";
      if (r_.Chance(50)) json += ",\"aliases\":[\"" + name + ".cluster\",\"10.0.0." + std::to_string(n) + "\"]";
      if (r_.Chance(60)) json += fmt::format(",\"ranks\":[{},{}]", 2 * n - 2, 2 * n - 1);
      if (r_.Chance(40))
        json += fmt::format(",\"gpus\":[{{\"name\":\"g{}\",\"aliases\":[\"0\",\"0000:1b:00.0\"]}},\"x{}\"]", n - 1, n);
      if (labels && r_.Chance(75))
        json += fmt::format(",\"labels\":{{\"rack\":\"{}\",\"driver\":\"{}\"}}", r_.Word({"r1", "r2"}),
                            r_.Word({"d1", "r1"}));
      d_.nodes.push_back(json + "}");
    }
    for (const char* id : {"another", "ab"}) {
      if (!gen_.Use("history", d_.uses.count("history") != 0 ? 50 : 8)) continue;
      std::string json = fmt::format("{{\"id\":\"{}\",\"state\":\"{}\"", id, r_.Word({"FAILED", "COMPLETED"}));
      if (r_.Chance(70)) json += ",\"start\":\"2026-01-01T" + r_.Word({"11:59:00", "12:00:00", "12:00:20"}) + "Z\"";
      if (r_.Chance(70)) json += ",\"end\":\"2026-01-01T12:00:" + r_.Word({"30", "40"}) + "Z\"";
      d_.other_attempts.push_back(json + ",\"nodes\":[" + r_.Word({"\"n1\"", "\"n1\",\"n3\"", "\"n9\""}) + "]}");
    }
    gen_.node_names.insert(gen_.node_names.end(), {"n1", "n2", "n1.cluster"});
    if (r_.Chance(20)) gen_.node_names.push_back("stranger");
    if (r_.Chance(15)) d_.header.push_back("\"skew\":\"" + r_.Word({"0s", "2s", "10s"}) + "\"");
  }

  void Clocks() {
    if (!r_.Chance(30)) return;
    clocks_ = {"wall", "uptime"};
    d_.clocks = {"{\"name\":\"wall\"}", "{\"name\":\"uptime\",\"tied\":false}"};
  }

  void Coverage() {
    for (const char* source : {"kernel", "application", "syslog", "extra", "scheduler", "fabric", "metric"}) {
      const size_t rows = r_.Chance(60) ? 1 : r_.Below(4);
      for (size_t i = 0; i < rows; ++i) {
        std::string json = fmt::format("{{\"source\":\"{}\"", source);
        if (i > 0 || r_.Chance(30))
          json += ",\"status\":\"" + r_.Word({"ok", "empty", "partial", "error", "absent"}) + "\"";
        if (r_.Chance(30)) {
          json += ",\"nodes\":[\"" + r_.Of(gen_.node_names) + "\"]";
        } else if (r_.Chance(15)) {
          json += fmt::format(",\"ranks\":[{}]", r_.Below(5));
        }
        if (r_.Chance(8)) json += ",\"stream\":\"st" + std::to_string(r_.Below(2)) + "\"";
        std::string from = Moment(), to = Moment();
        if (to.substr(0, 20) <= from.substr(0, 20)) to = "\"2026-01-01T14:00:00Z\"";
        if (r_.Chance(25)) json += ",\"from\":" + from;
        if (r_.Chance(25)) json += ",\"to\":" + to;
        if (r_.Chance(10)) json += ",\"reason\":\"so\"";
        if (std::string(source) == "metric" && r_.Chance(40)) json += ",\"metric\":\"temp\"";
        d_.coverage.push_back(json + "}");
      }
    }
  }

  /// A value of the line's part, mostly one that converts.
  std::string PartValue(const std::string& group) {
    if (group == "c") return r_.Word({"0", "1", "2", "3", "01", "0x2", "zz", "-1"});
    if (group == "s") return r_.Word({"aa", "bb", "cc"});
    if (group == "f")
      return r_.Word({"0.1", "0.3", "0.30000000000000004", "-0.0", "nan", "1e308", "5e-324", "3", "0", "inf"});
    if (group == "d") return r_.Word({"100", "2s", "1500ms", "5000", "bad", "70s"});
    if (group == "z") return r_.Word({"1", "3MiB", "1024", "1.5KiB", "q"});
    if (group == "b") return r_.Word({"true", "no", "1", "maybe"});
    if (group == "t") return r_.Word({"1767268810", "1767268825.5", "2026-01-01T12:00:20Z", "soon"});
    if (group == "m") return r_.Word({"hw", "hw.gpu", "net.ib", "none"});
    if (group == "node") return r_.Of(gen_.node_names);
    if (group == "rank") return std::to_string(r_.Below(6));
    return r_.Word({"g0", "0", "PCI:0000:1B:00", "x2", "g1"});
  }

  std::string Text(uint32_t event) {
    std::string out = fmt::format("ev{}", event);
    for (const char* group : {"c", "s", "f", "d", "z", "b", "t", "m", "node", "rank", "gpu"}) {
      if (r_.Chance(group[0] == 'c' ? 85 : 55)) out += fmt::format(" {}={}", group, PartValue(group));
    }
    for (size_t n = d_.uses.count("each") != 0 ? r_.Below(3) : 0; n > 0; --n)
      out += " it=" + r_.Word({"0", "1", "2", "no"});
    if (r_.Chance(8)) out += " tail=" + r_.Word({"aa", "end"});
    if (r_.Chance(6)) out = "first line\n" + out;
    if (r_.Chance(6)) out += "\nlast s=cc line";
    return out;
  }

  std::string Time(size_t* streams) {
    std::string out;
    if (r_.Chance(75)) {
      out = ",\"time\":" + Moment();
    } else if (r_.Chance(40)) {
      out = ",\"time_range\":[" + (r_.Chance(20) ? std::string("null") : "\"2026-01-01T12:00:05Z\"") +
            ",\"2026-01-01T12:00:" + r_.Word({"09", "30", "50"}) + "Z\"]";
    }
    if (r_.Chance(20)) return out + fmt::format(",\"stream\":\"st{}\",\"seq\":{}", r_.Below(2), (*streams)++);
    // A record of a stream keeps to one clock: what two clocks in one stream mean is not settled yet.
    if (!clocks_.empty() && r_.Chance(40)) out += ",\"clock\":\"" + r_.Of(clocks_) + "\"";
    return out;
  }

  void Observation(size_t index) {
    const GenEvent& event = gen_.events[r_.Below(gen_.matched)];
    const std::string source = r_.Chance(90) ? r_.Of(event.sources) : r_.Word({"kernel", "syslog", "other", "history"});
    std::string json = "{\"source\":\"" + source + "\"";
    if (r_.Chance(75)) json += ",\"node\":\"" + r_.Of(gen_.node_names) + "\"";
    if (r_.Chance(12)) json += ",\"observer\":\"" + r_.Of(gen_.node_names) + "\"";
    if (r_.Chance(20)) json += fmt::format(",\"rank\":{}", r_.Below(6));
    if (r_.Chance(20)) json += ",\"gpu\":\"" + r_.Word({"g0", "0", "x1", "0000:1b:00.0"}) + "\"";
    json += Time(&sequence_);
    if (source == "metric") {
      json += fmt::format(",\"name\":\"{}\",\"value\":{}", r_.Word({"temp", "temp", "load"}),
                          r_.Word({"1", "0.1", "0.3", "-0.0"}));
    } else if (source == "scheduler" && r_.Chance(60)) {
      json += ",\"name\":\"job_end\",\"attrs\":{\"state\":\"" + r_.Word({"FAILED", "COMPLETED", "aa"}) + "\"}";
    } else {
      json += ",\"text\":" + Quoted(Text(event.root));
      if (r_.Chance(40))
        json += fmt::format(",\"attrs\":{{\"a\":{},\"k\":{{\"l\":\"aa\"}}}}",
                            r_.Word({"0", "1", "2", "\"1\"", "1.5", "null"}));
    }
    if (r_.Chance(20)) json += ",\"severity\":\"err\"";
    if (r_.Chance(5)) json += ",\"attempt\":\"" + r_.Word({"at", "another"}) + "\"";
    if (r_.Chance(15)) json += fmt::format(",\"id\":\"id{}\"", index);
    json += "}";
    d_.observations.push_back(json);
    if (r_.Chance(6) && json.find("\"id\"") == std::string::npos) d_.observations.push_back(json);
  }

  Gen& gen_;
  Random& r_;
  Draft& d_;
  std::vector<std::string> clocks_;
  size_t sequence_ = 0;
};

}  // namespace

void MakeSet(Gen* gen) { SetMaker(gen).Make(); }

}  // namespace attr::oracle

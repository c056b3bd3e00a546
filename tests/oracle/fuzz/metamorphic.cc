// What must not change a verdict: the order of records and header rows, the split
// into inputs, the number of threads, ids; and what must change nothing but
// itself: names of nodes (in their order), a shift of all times.
#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "tests/oracle/fuzz/run.h"

namespace attr::oracle {

namespace {

std::string Replaced(std::string text, const char* what, const char* with) {
  RE2::GlobalReplace(&text, what, with);
  return text;
}

/// Hashes of content and ids made of it change with every name.
std::string WithoutHashes(const std::string& json) {
  return Replaced(Replaced(json, "\"observation\": \"[^\"]*\"", "\"observation\": \"\""),
                  "\"input_sha256\": \"[^\"]*\"", "\"input_sha256\": \"\"");
}

Case Replaced(const Case& of, const char* what, const char* with) {
  Case out = of;
  auto replace = [&](PackText* pack) {
    for (auto* texts : {&pack->rules, &pack->tables}) {
      for (auto& [name, text] : *texts) text = Replaced(text, what, with);
    }
  };
  replace(&out.pack);
  for (auto& [name, pack] : out.imports) replace(&pack);
  out.observations = Replaced(of.observations, what, with);
  return out;
}

class Checks {
 public:
  Checks(const Draft& draft, uint64_t seed) : draft_(draft), case_(draft.ToCase()), subject_(case_), random_(seed) {}

  std::string Run() {
    if (subject_.state().kind != Comparison::Kind::kEqual) return "";
    expected_ = subject_.Product(case_.observations, false);
    if (expected_.rfind("error", 0) == 0) return "";
    for (auto check : {&Checks::Shuffled, &Checks::Split, &Checks::WithIds, &Checks::Renamed, &Checks::Shifted}) {
      std::string broken = (this->*check)();
      if (!broken.empty()) return broken;
    }
    return "";
  }

 private:
  static std::string Same(const char* how, const std::string& expected, const std::string& got) {
    return got == expected ? "" : std::string(how) + "\n" + FirstDifference("as written", expected, how, got);
  }

  std::string Shuffled() {
    Draft other = draft_;
    auto shuffle = [&](std::vector<std::string>* list) {
      for (size_t i = list->size(); i > 1; --i) std::swap((*list)[i - 1], (*list)[random_.Below(i)]);
    };
    shuffle(&other.observations);
    shuffle(&other.coverage);
    shuffle(&other.nodes);
    return Same("shuffled, on two threads", expected_, subject_.Product(other.ToCase().observations, false, 2));
  }

  std::string Split() {
    Draft parts[] = {draft_, draft_};
    for (Draft& part : parts) part.observations.clear();
    parts[1].coverage.clear();  // of one input, or of all: here of one
    for (const std::string& line : draft_.observations) parts[random_.Below(2)].observations.push_back(line);
    return Same("split in two", expected_,
                subject_.ProductOfSplit({parts[0].ToCase().observations, parts[1].ToCase().observations}));
  }

  /// Rows of one moment stand in the order of their ids: other ids, another order.
  bool SomeMomentTwice() const {
    std::set<std::string> moments;
    for (const std::string& line : draft_.observations) {
      const size_t at = line.find("\"time\":\"");
      const std::string moment = at == std::string::npos ? "" : line.substr(at, line.find('"', at + 8) - at);
      if (!moments.insert(moment).second) return true;
    }
    return false;
  }

  std::string WithIds() {
    if (SomeMomentTwice()) return "";
    Draft other = draft_;
    size_t at = 0;
    for (std::string& line : other.observations) {
      ++at;
      if (line.find("\"id\":") == std::string::npos) line.insert(1, "\"id\":\"new" + std::to_string(at) + "\",");
    }
    return Same("with ids", WithoutHashes(expected_),
                WithoutHashes(subject_.Product(other.ToCase().observations, false)));
  }

  std::string Of(const Case& other) const {
    const Subject subject(other);
    if (subject.state().kind != Comparison::Kind::kEqual) return "error: " + subject.state().why;
    return WithoutHashes(subject.Product(other.observations, false));
  }

  std::string Renamed() {
    constexpr const char* kNode = "\\bn([123])\\b";
    return Same("nodes renamed", WithoutHashes(Replaced(expected_, kNode, "m\\1")), Of(Replaced(case_, kNode, "m\\1")));
  }

  std::string Shifted() {
    // Epoch seconds in a line do not shift along.
    if (case_.observations.find("t=17672") != std::string::npos) return "";
    constexpr const char* kYear = "2026-01-01T";
    return Same("a year later", WithoutHashes(Replaced(expected_, kYear, "2027-01-01T")),
                Of(Replaced(case_, kYear, "2027-01-01T")));
  }

  const Draft& draft_;
  const Case case_;
  const Subject subject_;
  Random random_;
  std::string expected_;
};

}  // namespace

std::string CheckMetamorphic(const Draft& draft, uint64_t seed) { return Checks(draft, seed).Run(); }

}  // namespace attr::oracle

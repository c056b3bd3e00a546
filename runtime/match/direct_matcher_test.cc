// The direct matcher against RE2: same answer, same bounds, same groups.
#include <doctest.h>

#include <random>

#include "runtime/match/direct_matcher.h"
#include "runtime/match/find_text.h"
#include "runtime/match/literals.h"
#include "runtime/match/regex.h"

using namespace attr::match;
using Outcome = DirectMatcher::Outcome;

namespace {

struct Compared {
  bool modelled = false, matched = false, gave_up = false;
};

/// Compares one pattern on one text, all groups wanted.
Compared Compare(const std::string& pattern, const RE2& regex, const std::string& text) {
  Compared result;
  const auto tree = ReadRegex(pattern);
  if (!tree) return result;
  std::vector<int> wanted;
  for (int g = 1; g <= regex.NumberOfCapturingGroups(); ++g) wanted.push_back(g);
  const auto direct = DirectMatcher::Make(*tree, wanted, FactsOf(*tree).prefix);
  if (direct == nullptr) return result;
  result.modelled = true;
  DirectMatcher::Spans spans;
  const Outcome outcome = direct->Match(text, spans);
  result.gave_up = outcome == Outcome::kGaveUp;
  if (result.gave_up) return result;
  std::vector<re2::StringPiece> expected(wanted.size() + 1);
  result.matched =
      regex.Match(text, 0, text.size(), RE2::UNANCHORED, expected.data(), static_cast<int>(expected.size()));
  CAPTURE(pattern);
  CAPTURE(text);
  CHECK(result.matched == (outcome == Outcome::kYes));
  if (!result.matched || outcome != Outcome::kYes) return result;
  for (size_t g = 0; g < expected.size(); ++g) {
    CAPTURE(g);
    const int64_t begin = expected[g].data() == nullptr ? -1 : expected[g].data() - text.data();
    CHECK(spans[g].begin == begin);
    if (begin >= 0) CHECK(spans[g].end == begin + static_cast<int64_t>(expected[g].size()));
  }
  return result;
}

}  // namespace

TEST_CASE("log lines match as RE2 matches them") {
  const std::vector<std::string> patterns = {
      R"(NVRM: Xid \((?:PCI:)?(?P<pci>[0-9a-fA-F:.]+)(?: GPU-I:\d+)?\): (?P<code>\d+)(?:, pid='?(?P<pid>[^,']+)'?)?(?:, name=(?P<process>[^,]+))?(?:, (?P<detail>.*))?)",
      R"(\[Rank (?P<r>\d+)\] Watchdog caught collective operation timeout: WorkNCCL\(SeqNum=(?P<seq>\d+), OpType=(?P<op>\w+),.*Timeout\(ms\)=(?P<timeout>\d+)\) ran for (?P<ran>\d+) milliseconds)",
      R"((?P<class>nccl(?:Remote|System|Internal|UnhandledCuda)Error): )",
      R"((?m)^Traceback.*$)",
      R"(79\b)",
      R"((?P<unit>[A-Z_0-9]+)\s+(?P<level>Fatal|Nonfatal)\s.*Link (?P<link>-?\d+))"};
  const std::vector<std::string> texts = {
      "NVRM: Xid (PCI:0000:1b:00): 79, pid=1234, name=python, GPU has fallen off the bus.",
      "NVRM: Xid (0000:1b:00 GPU-I:3): 95, pid='<unknown>', name=<unknown>, Uncontained",
      "NVRM: Xid (PCI:0000:1b:00): 48",
      "[Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=9, OpType=ALLREDUCE, NumelIn=1, "
      "Timeout(ms)=600000) ran for 600031 milliseconds before Timeout(ms)=1) ran for 2 milliseconds",
      "ncclRemoteError: x ncclSystemError: y",
      "a\nTraceback (most\n79",
      "NETIR  Fatal XC0 Link 7 Link 8",
      "\xC3\xA4 79"};
  size_t matched = 0;
  for (const std::string& pattern : patterns) {
    const RE2 regex(pattern, RegexOptions());
    for (const std::string& text : texts) {
      const Compared compared = Compare(pattern, regex, text);
      CHECK(compared.modelled);
      CHECK_FALSE(compared.gave_up);
      matched += compared.matched ? 1 : 0;
    }
  }
  CHECK(matched == 10);
}

TEST_CASE("random patterns on random texts match as RE2 matches them") {
  std::mt19937 random(23);
  const std::vector<std::string> pieces = {
      "a",     "b",         "ab",       "(",       ")",        "(?:",           "|",     "*",        "+",
      "?",     "*?",        "+?",       "{1,2}",   "{2,}",     "[ab]",          "[^a]",  ".",        "\\b",
      "^",     "$",         "(?m)",     "c",       "\\d",      "[a-c]*",        "(a|b)", "??",       "\\n",
      "(?s)",  "(?i)",      "\\B",      "x{0,2}?", "\xC3\xA4", "\\w+",          "(?U)",  "[^\\s,]+", "(?P<n>b)",
      "\\d+,", "(\\w+)\\b", "([ab]+)c", "(?:,c)?", "(a*)$",    "(?:(b+)|(c*)),"};
  const std::vector<std::string> bits = {"a", "b", "c", "ab", "1", " ", "\n", "\xC3\xA4", "x", "A", ","};
  size_t matched = 0;
  size_t modelled = 0;
  for (int round = 0; round < 60000; ++round) {
    std::string pattern;
    for (unsigned n = 1 + random() % 9; n > 0; --n) pattern += pieces[random() % pieces.size()];
    const RE2 regex(pattern, RegexOptions());
    if (!regex.ok() || regex.NumberOfCapturingGroups() > 9) continue;
    for (int t = 0; t < 6; ++t) {
      std::string text;
      for (unsigned n = random() % 10; n > 0; --n) text += bits[random() % bits.size()];
      const Compared compared = Compare(pattern, regex, text);
      modelled += compared.modelled ? 1 : 0;
      matched += compared.matched ? 1 : 0;
    }
  }
  CHECK(modelled > 5000);
  CHECK(matched > 2000);
}

TEST_CASE("texts are found at every place, and only whole") {
  std::mt19937 random(5);
  for (int round = 0; round < 20000; ++round) {
    std::string text, needle;
    for (unsigned n = random() % 70; n > 0; --n) text += "ab["[random() % 3];
    for (unsigned n = 1 + random() % 12; n > 0; --n) needle += "ab["[random() % 3];
    const char* found = FindText(text.data(), text.data() + text.size(), needle);
    CAPTURE(text);
    CAPTURE(needle);
    CHECK((found == nullptr ? std::string::npos : static_cast<size_t>(found - text.data())) == text.find(needle));
  }
}

TEST_CASE("work is bounded: it gives up rather than run away") {
  const auto tree = ReadRegex("(?:a|b)*(?:a|b)*(?:a|b)*c");
  const auto direct = DirectMatcher::Make(*tree, {}, "");
  REQUIRE(direct != nullptr);
  DirectMatcher::Spans spans;
  CHECK(direct->Match(std::string(20000, 'a'), spans) == Outcome::kGaveUp);
  const auto runs = ReadRegex("\\w+ gamma");
  CHECK(DirectMatcher::Make(*runs, {}, "")->Match(std::string(60000, 'a'), spans) == Outcome::kGaveUp);
}

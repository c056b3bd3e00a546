// Literals of patterns: what is found, and that nothing false is ever claimed.
#include <doctest.h>

#include <algorithm>
#include <random>

#include "runtime/match/literal_scan.h"
#include "runtime/match/literals.h"
#include "runtime/match/regex.h"

using namespace attr::match;

namespace {

std::vector<std::string> Texts(std::string_view pattern) {
  std::vector<std::string> texts;
  for (const Literal& literal : FactsOf(pattern).any_of) texts.push_back(literal.text + (literal.caseless ? "/i" : ""));
  return texts;
}
using Strings = std::vector<std::string>;

std::vector<std::pair<uint32_t, uint32_t>> Scan(const LiteralScanner& scanner,
                                                const std::vector<std::string_view>& records) {
  auto scratch = scanner.MakeScratch();
  std::vector<Hit> hits;
  scanner.Scan(records, *scratch, hits);
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (const Hit& hit : hits) pairs.emplace_back(hit.record, hit.literal);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace

TEST_CASE("the best literal of a pattern is found") {
  CHECK(Texts(R"(NVRM: Xid \((?:PCI:)?(?P<pci>[0-9a-f:.]+)\): (?P<code>\d+))") ==
        Strings{"NVRM: Xid (", "NVRM: Xid (PCI:"});
  CHECK(Texts("error|failure") == Strings{"error", "failure"});
  CHECK(Texts("(?i)out of memory") == Strings{"out of memory/i"});
  CHECK(Texts("colou?r") == Strings{"color", "colour"});
  CHECK(Texts("a.*bcd") == Strings{"bcd"});
  CHECK(Texts("(abc)+x") == Strings{"abc"});
  CHECK(Texts("[xy]ab") == Strings{"xab", "yab"});
  CHECK(Texts(R"(\Qa.b\E)") == Strings{"a.b"});
  CHECK(Texts(R"(\x41\x{42}C)") == Strings{"ABC"});
}

TEST_CASE("nothing is claimed where a match may lack it") {
  for (const char* pattern :
       {"", "abc|", "(?:abc)*", "abc|[0-9]+", "[^a]bc", "(abc){0,3}", "ab", R"(\d\w\s)", "a\nb"}) {
    CAPTURE(pattern);
    CHECK(Texts(pattern).empty());
  }
}

TEST_CASE("prefix, openers and always captured groups") {
  const PatternFacts facts = FactsOf(R"(\[Rank (?P<r>\d+)\] (?:x=(?P<x>\d+))? (a|(b)))");
  CHECK(facts.prefix == "[Rank ");
  CHECK(facts.always_captures == std::vector<bool>{true, false, true, false});
  CHECK(facts.openers[0] == std::pair<size_t, size_t>{7, 6});
  CHECK(FactsOf("^abc").prefix.empty());
  CHECK(FactsOf("abc|abd").prefix.empty());
  CHECK(FactsOf("a*bc").prefix.empty());
  CHECK(FactsOf("(nccl(?:Remote|System)Error): x").prefix == "nccl");
  CHECK(FactsOf("(?:ab|)c").prefix.empty());
}

TEST_CASE("every text that RE2 matches contains one of the literals") {
  std::mt19937 random(7);
  const Strings pieces = {"ab", "k",   "s",   "(?i)",  "(",    ")",    "(?:", "|",     "*",
                          "+",  "?",   "{2}", "{0,1}", "[ak]", "[^x]", "\\.", ".",     "c",
                          "K",  "\\b", "^",   "$",     "(?i:", "abc",  "\\d", "[a-c]", "\xC3\xA4"};
  const Strings bits = {"a",        "b",   "c", "k",       "K", "s", "A", "B", "C", ".", "1", "\xE2\x84\xAA",
                        "\xC5\xBF", "abc", "x", "\xC3\xA4"};
  size_t matched = 0;
  for (int round = 0; round < 30000; ++round) {
    std::string pattern;
    for (unsigned n = 1 + random() % 7; n > 0; --n) pattern += pieces[random() % pieces.size()];
    const RE2 regex(pattern, RegexOptions());
    if (!regex.ok()) continue;
    const PatternFacts facts = FactsOf(pattern);
    if (facts.any_of.empty() && facts.prefix.empty()) continue;
    const auto scanner = MakeWindowScanner(facts.any_of);
    for (int t = 0; t < 20; ++t) {
      std::string text;
      for (unsigned n = random() % 9; n > 0; --n) text += bits[random() % bits.size()];
      re2::StringPiece whole;
      if (!regex.Match(text, 0, text.size(), RE2::UNANCHORED, &whole, 1)) continue;
      CAPTURE(pattern);
      CAPTURE(text);
      ++matched;
      if (!facts.any_of.empty()) CHECK_FALSE(Scan(*scanner, {text}).empty());
      CHECK(whole.starts_with(facts.prefix));
    }
  }
  CHECK(matched > 200);
}

TEST_CASE("all scanners give the same hits") {
  std::mt19937 random(11);
  const std::vector<Literal> literals = {{"NVRM: Xid (", false}, {"abc", false}, {"out of memory", true},
                                         {"\xC5\xBF", true},     {"bcd", true},  {"ncclInternalError", false},
                                         {"aaaa", false}};
  std::vector<std::string> records = {"",           "a",   "NVRM: Xid (PCI", "abc", "Out Of Memory bCd", "aaaaaaaa",
                                      "x\xC5\xBFy", "xabc"};
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (unsigned n = random() % 60; n > 0; --n)
      text += random() % 20 == 0 ? literals[random() % literals.size()].text : std::string(1, "abcdN :"[random() % 7]);
    records.push_back(text);
  }
  std::vector<std::string_view> views(records.begin(), records.end());
  const auto vector = MakeVectorScanner(literals);
  REQUIRE(vector != nullptr);
  const auto expected = Scan(*MakeWindowScanner(literals), views);
  CHECK(expected.size() > 100);
  CHECK(Scan(*vector, views) == expected);
  CHECK(MakeNibbleScanner(literals, {}) == nullptr);  // two bytes are no window
  std::vector<Literal> longer = literals;
  std::erase_if(longer, [](const Literal& literal) { return literal.text.size() < 4; });
  longer.push_back({"abcd", true});
  for (const char a : {'a', 'b', 'c', 'd'})
    for (const char* rest : {"aab", "b: ", "NNd"}) longer.push_back({a + std::string(rest), false});
  const auto nibble = MakeNibbleScanner(longer, {});
  if (nibble == nullptr) return;  // no AVX2 here
  const auto wanted = Scan(*MakeWindowScanner(longer), views);
  CHECK(wanted.size() > 1000);
  CHECK(Scan(*nibble, views) == wanted);
  CHECK(Scan(*MakeNibbleScanner(longer, views), views) == wanted);
}

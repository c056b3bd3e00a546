// The sink, near names and both renderings.
#include <doctest.h>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/diagnostics/render.h"

namespace attr::diagnostics {
namespace {

Span Find(const SourceMap& sources, uint32_t file, std::string_view what) {
  auto at = static_cast<uint32_t>(sources.file(file).text().find(what));
  return {file, at, at + static_cast<uint32_t>(what.size())};
}

bool Has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

Diagnostic Simple(Code code, Span span, std::string label) {
  Diagnostic d;
  d.code = code;
  d.message = "something is wrong";
  d.primary = {span, std::move(label)};
  return d;
}

TEST_CASE("the registry is sorted and every code is found by its text") {
  REQUIRE(!AllCodes().empty());
  for (size_t i = 1; i < AllCodes().size(); ++i) CHECK(AllCodes()[i - 1].code < AllCodes()[i].code);
  CHECK(CodeText(Code::kSyntax) == "A0101");
  CHECK(Info(Code::kHangingDocComment).severity == Severity::kWarning);
}

TEST_CASE("a diagnostic of two files is drawn as the page shows it") {
  SourceMap sources;
  sources.Add("site/fabric.attr", std::string(40, '\n') + "  demote nccl_timeout within 35m\n");
  sources.Add("site/comm.attr", std::string(11, '\n') + "  demote tag network\n");
  Diagnostic d;
  d.code = Code::kSyntax;
  d.message = "demotion cycle between 2 rules";
  d.primary = {Find(sources, 0, "demote nccl_timeout"), "`nccl_timeout` demotes `ib_link_flap`"};
  d.secondary = {{Find(sources, 1, "demote tag network"), "`nccl_timeout` demotes `ib_link_flap`"}};
  d.help = "remove one edge";
  CHECK(Render(d, sources) ==
        "error[A0101]: demotion cycle between 2 rules\n"
        "  ┌─ site/fabric.attr:41:3\n"
        "41│   demote nccl_timeout within 35m\n"
        "  │   ^^^^^^^^^^^^^^^^^^^ `nccl_timeout` demotes `ib_link_flap`\n"
        "  ┌─ site/comm.attr:12:3\n"
        "12│   demote tag network\n"
        "  │   ------------------ `nccl_timeout` demotes `ib_link_flap`\n"
        "  = help: remove one edge\n"
        "  = more: docs/diagnostics/A0101.md\n");
}

TEST_CASE("two labels of one line share the quoted line") {
  SourceMap sources;
  sources.Add("a.attr", "domain a \"x\" domain a\n");
  Diagnostic d = Simple(Code::kDuplicateClause, {0, 13, 21}, "again");
  d.secondary = {{{0, 0, 8}, "first"}};
  std::string text = Render(d, sources);
  CHECK(Has(text, " 1│ domain a \"x\" domain a\n  │              ^^^^^^^^ again\n  │ -------- first\n"));
}

TEST_CASE("tabs, wide characters and control characters keep the mark in place") {
  SourceMap sources;
  sources.Add("a.attr", "\t日本 \x1b[31m \xe2\x80\xae here\n");
  std::string text = Render(Simple(Code::kSyntax, Find(sources, 0, "here"), "x"), sources);
  CHECK(Has(text, " 1│     日本 \\x1b[31m \\u{202e} here\n"));
  CHECK(Has(text, "  │ " + std::string(4 + 4 + 1 + 8 + 1 + 8 + 1, ' ') + "^^^^ x\n"));
}

TEST_CASE("bytes that are not UTF-8 and hostile messages are escaped") {
  SourceMap sources;
  sources.Add("a\x1b.attr", "x \xff y\n");
  Diagnostic d = Simple(Code::kInvalidUtf8, {0, 2, 3}, "");
  d.message = "bad \x1b]0;title\x07";
  std::string text = Render(d, sources);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find('\x07') == std::string::npos);
  CHECK(Has(text, "x \\xff y"));
  CHECK(Has(text, "  │   ^^^^\n"));
  CHECK(RenderJson(d, sources).find('\x1b') == std::string::npos);
}

TEST_CASE("a long line is cropped around the marked place") {
  SourceMap sources;
  sources.Add("a.attr", std::string(5'000'000, 'a') + " here " + std::string(5'000'000, 'b'));
  std::string text = Render(Simple(Code::kSyntax, Find(sources, 0, "here"), "x"), sources);
  CHECK(text.size() < 1000);
  CHECK(Has(text, "a here b"));
  CHECK(Has(text, "1│ …a"));
  CHECK(Has(text, "  │ " + std::string(31, ' ') + "^^^^ x"));
}

TEST_CASE("a place at the end of the file has a mark of one") {
  SourceMap sources;
  sources.Add("a.attr", "domain");
  CHECK(Has(Render(Simple(Code::kSyntax, {0, 6, 6}, "here"), sources), "  │       ^ here\n"));
  SourceMap empty;
  empty.Add("b.attr", "");
  CHECK(Has(Render(Simple(Code::kSyntax, {0, 0, 0}, "here"), empty), " 1│\n  │ ^ here\n"));
}

TEST_CASE("a span of several lines is marked to the end of its first line") {
  SourceMap sources;
  sources.Add("a.attr", "one two\nthree\n");
  CHECK(Has(Render(Simple(Code::kSyntax, {0, 4, 13}, ""), sources), "  │     ^^^\n"));
}

TEST_CASE("more than the cap of one code is counted, not shown") {
  SourceMap sources;
  sources.Add("a.attr", std::string(100, '\n'));
  Sink sink;
  for (uint32_t i = 0; i < 34; ++i) sink.Add(Code::kSyntax, {0, i, i}, "wrong");
  sink.Add(Code::kBadNumber, {0, 3, 3}, "number");
  std::string text = RenderAll(sink.Sorted(), sources);
  CHECK(Has(text, "error[A0101]: syntax error: and 14 more\n"));
  size_t shown = 0;
  for (size_t at = text.find("]: wrong"); at != std::string::npos; at = text.find("]: wrong", at + 1)) ++shown;
  CHECK(shown == 20);
  CHECK(Has(text, "error[A0102]: number"));
}

TEST_CASE("the sink sorts by place and code, drops duplicates and stops at its cap") {
  Sink sink(3);
  sink.Add(Code::kBadNumber, {0, 9, 10}, "b");
  sink.Add(Code::kSyntax, {0, 9, 10}, "a");
  sink.Add(Code::kSyntax, {0, 9, 10}, "a");
  sink.Add(Code::kHangingDocComment, {0, 1, 2}, "w");
  CHECK(sink.Full());
  CHECK(sink.warning_count() == 1);
  auto sorted = sink.Sorted();
  REQUIRE(sorted.size() == 3);
  CHECK(sorted[0].code == Code::kHangingDocComment);
  CHECK(sorted[1].code == Code::kSyntax);
  CHECK(sorted[2].code == Code::kBadNumber);
  sink.Add(Code::kSyntax, {0, 50, 51}, "late");
  sink.Add(Code::kSyntax, {0, 60, 61}, "later");
  CHECK(sink.error_count() == 5);
  REQUIRE(sink.Sorted().size() == 4);
  CHECK(sink.Sorted().back().code == Code::kTooManyErrors);
}

TEST_CASE("a near name is found within three edits and a third of the length") {
  std::vector<std::string_view> names = {"nccl_timeout", "gpu_lost", "xid", "ab", "gpu_lest"};
  CHECK(NearestName("nccl_timout", names) == "nccl_timeout");
  CHECK(NearestName("gpu_lust", names) == "gpu_lest");  // a tie: alphabetically first
  CHECK(NearestName("xdi", names) == "xid");            // neighbours that changed places
  CHECK(NearestName("xzz", names) == "");               // two edits of three letters
  CHECK(NearestName("xit", names) == "xid");
  CHECK(NearestName("", names) == "");
  CHECK(NearestName("something_else", names) == "");
  CHECK(NearestName("nccl_t", {"nccl_timeout"}) == "");
}

TEST_CASE("the JSON form has a fixed order and escaped text") {
  SourceMap sources;
  sources.Add("a.attr", "x\n\"q\" y");
  Diagnostic d = Simple(Code::kSyntax, {0, 2, 5}, "tab\there");
  d.help = "h";
  CHECK(RenderJson(d, sources) ==
        R"({"code":"A0101","severity":"error","message":"something is wrong","file":"a.attr","line":2,"column":1,)"
        R"("end":{"line":2,"column":4},"labels":[{"file":"a.attr","line":2,"column":1,"end":{"line":2,"column":4},)"
        R"("primary":true,"text":"tab\there"}],"help":"h","more":"docs/diagnostics/A0101.md"})");
}

TEST_CASE("colours are only there when asked for") {
  SourceMap sources;
  sources.Add("a.attr", "x");
  Diagnostic d = Simple(Code::kSyntax, {0, 0, 1}, "");
  CHECK(Render(d, sources).find('\x1b') == std::string::npos);
  CHECK(Render(d, sources, {.color = true}).find("\x1b[1;31m") != std::string::npos);
}

}  // namespace
}  // namespace attr::diagnostics

// Packs, imports, what one mistake silences, and what is not evaluated yet.
#include <filesystem>
#include <fstream>

#include "compiler/test_support.h"

namespace attr::compiler {
namespace {

using Strings = std::vector<std::string>;

PackSource Pack(const std::string& name, const std::string& text) {
  PackSource pack;
  pack.name = name;
  pack.rules.push_back({name + "/pack.attr", text});
  return pack;
}

TEST_CASE("names resolve in the own pack, then in direct imports only") {
  TestPacks packs;
  packs.root = Pack("demo",
                    "pack site.demo 1.0.0 { requires language 1 import std.a 1 }\n"
                    "cause own \"Own\" { domain hardware when x: e }\n"
                    "cause direct \"Direct\" { domain hardware when x: std.a::e }\n"
                    "cause far \"Far\" { domain hardware when x: std.b::f }\n"
                    "event e from kernel { text /own/ }\n");
  packs.imports.push_back(Pack("std.a",
                               "pack std.a 1.2.0 { requires language 1 import std.b 1 }\n"
                               "event e from kernel { text /a/ }\n"));
  packs.imports.push_back(Pack("std.b",
                               "pack std.b 1.0.0 { requires language 1 }\ndomain hardware \"H\"\n"
                               "event f from kernel { text /b/ }\n"));
  const Compilation compilation = CompilePacks(packs);
  CHECK(Codes(compilation) == Strings{"A0202"});
  CHECK(Messages(compilation).find("`std.b` is not imported by `site.demo`") != std::string::npos);
}

TEST_CASE("all imported packs are linked, outcomes of the root first") {
  TestPacks packs;
  packs.root = Pack("demo",
                    "pack site.demo 1.0.0 { requires language 1 import std.b 1 }\n"
                    "event e from kernel { text /own/ }\noutcome hung when x: e\n");
  packs.imports.push_back(Pack("std.b",
                               "pack std.b 1.0.0 { requires language 1 }\ndomain hardware \"H\"\n"
                               "event f from kernel { text /b/ }\noutcome failed when x: f\n"
                               "cause c \"C\" { domain hardware when x: f }\n"));
  const Compilation compilation = CompilePacks(packs);
  INFO(Messages(compilation));
  REQUIRE(compilation.plan.has_value());
  const plan::Plan& plan = *compilation.plan;
  REQUIRE(plan.rules.size() == 3);
  CHECK(plan.Str(plan.rules[0].name) == "site.demo::outcome#1");
  CHECK(plan.Str(plan.rules[1].name) == "std.b::outcome#1");
  CHECK(plan.Str(plan.rules[2].name) == "std.b::c");
  CHECK(compilation.root_files == 1);
  CHECK(compilation.files.size() == 2);
}

/// A pack that others change: two causes, an event that both bind, a constant that both read.
PackSource Changed() {
  return Pack("std.net",
              "pack std.net 1.2.0 { requires language 1 }\n"
              "domain network \"N\"\ndomain host \"H\"\nconst window = 60s\n"
              "event down from kernel { text /down/ }\nevent up from kernel { text /up/ }\n"
              "cause a \"A\" { domain network when x: down and y: up within window after x advise drain }\n"
              "cause b \"B\" { domain network when x: down and y: up within window after x demote c on node }\n"
              "/// Documented.\ncause c \"C\" { domain network when x: up demote d }\n"
              "symptom d \"D\" { when x: up }\n"
              "precedence { a > b > c }\n");
}

TEST_CASE("a disabled rule leaves the link with its demotions; precedence is closed over it") {
  TestPacks packs;
  packs.root = Pack("site",
                    "pack site.x 1.0.0 { requires language 1 import std.net 1.2 }\n"
                    "disable b because \"not here\"\n"
                    "test \"t\" { attempt { nodes n1 state FAILED } expect not cause std.net::b }\n");
  packs.imports.push_back(Changed());
  const Compilation compilation = CompilePacks(packs);
  INFO(Messages(compilation));
  REQUIRE(compilation.plan.has_value());
  const plan::Plan& plan = *compilation.plan;
  REQUIRE(plan.rules.size() == 3);
  CHECK(plan.Str(plan.rules[1].name) == "std.net::c");
  REQUIRE(plan.demotions.size() == 1);
  CHECK(plan.demotions[0].source == 1);
  CHECK(plan.demotions[0].targets == std::vector<uint32_t>{2});
  REQUIRE(plan.order.size() == 1);
  CHECK(plan.order[0].above.id == 0);
  CHECK(plan.order[0].below.id == 1);
  CHECK(plan.Str(plan.order[0].text) == "a > c");
}

TEST_CASE("a disabled event leaves the link with everything that binds it, or not at all") {
  TestPacks packs;
  packs.imports.push_back(Changed());
  const std::string head = "pack site.x 1.0.0 { requires language 1 import std.net 1 }\n";
  packs.root = Pack("site", head + "disable up\ndisable a\ndisable b\ndisable c\ndisable d\n");
  const Compilation whole = CompilePacks(packs);
  INFO(Messages(whole));
  REQUIRE(whole.plan.has_value());
  REQUIRE(whole.plan->events.size() == 1);
  CHECK(whole.plan->Str(whole.plan->events[0].name) == "std.net::down");
  packs.root = Pack("site", head + "disable up\ndisable a\ndisable b\ndisable c\n");
  CHECK(Codes(CompilePacks(packs)) == Strings{"A0231"});
}

TEST_CASE("an override changes one rule: domain, advice, the constants that it reads") {
  TestPacks packs;
  packs.imports.push_back(Changed());
  packs.root = Pack("site",
                    "pack site.x 1.0.0 { requires language 1 import std.net 1 }\n"
                    "override std.net::a { domain host advise reboot const window = 5m because \"slow switches\" }\n"
                    "override c { domain host }\n");
  const Compilation compilation = CompilePacks(packs);
  INFO(Messages(compilation));
  REQUIRE(compilation.plan.has_value());
  const plan::Plan& plan = *compilation.plan;
  const plan::Rule &a = plan.rules[0], &b = plan.rules[1];
  CHECK(plan.Str(plan.domains[a.domains.at(0)].path) == "host");
  CHECK(plan.Str(a.advise.at(0)) == "reboot");
  CHECK(a.joins[0].relations[0].distance == 300 * plan::kSecond);
  CHECK(b.joins[0].relations[0].distance == 60 * plan::kSecond);
  CHECK(plan.Str(plan.domains[b.domains.at(0)].path) == "network");
  CHECK(plan.Str(a.doc) == "Overridden by site.x: domain, advise, window, because slow switches.");
  CHECK(plan.Str(plan.rules[2].doc) == "Documented.\nOverridden by site.x: domain.");
}

TEST_CASE("an allow ends after its day, and only where a day is known") {
  const std::string text =
      "pack site.demo 1.0.0 { requires language 1 }\n"
      "allow A0215 \"later\" until \"2026-11-30\"\nconst window = 5m\n";
  TestPacks packs;
  packs.root = Pack("demo", text);
  const auto codes = [&packs](std::optional<int64_t> today) { return Codes(Compile(packs.root, {}, {today})); };
  constexpr int64_t kNovember30 = 20'787 * 86'400 * plan::kSecond;
  CHECK(codes(std::nullopt).empty());
  CHECK(codes(kNovember30).empty());
  CHECK(codes(kNovember30 + 86'399 * plan::kSecond).empty());
  CHECK(codes(kNovember30 + 86'400 * plan::kSecond) == Strings{"A0215"});
}

TEST_CASE("patterns that loading would refuse together are refused at the first one too many") {
  const auto pack = [](int count) {
    std::string text = "pack site.demo 1.0.0 { requires language 1 }\nevent e from kernel {\n  text /p0/";
    for (int i = 1; i < count; ++i) text += ",\n/p" + std::to_string(i) + "/";
    return text + "\n}\n";
  };
  CHECK(CompileText(pack(5000)).plan.has_value());
  const Compilation compilation = CompileText(pack(5001));
  CHECK_FALSE(compilation.plan.has_value());
  const std::vector<diagnostics::Diagnostic> found = compilation.sink.Sorted();
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == diagnostics::Code::kPlanRefused);
  CHECK(found[0].message.find("more than 5000 patterns") != std::string::npos);
  CHECK(compilation.sources.Text(found[0].primary.span) == "/p5000/");
}

TEST_CASE("one unknown event silences what follows from it") {
  const Compilation compilation = CompileText(std::string(kHead) + R"(
cause r "R" {
  domain hardware
  when x: xdi where x.nothing == 3 and not x.other ~ /a/
  and  y: step where y.n == x.nothing
  per x.a, x.b
  blame node x.place
  explain "{x.nothing} {y.n}"
}
event child extends xdi { where unknown_field == 3 text detail /a/ }
)");
  INFO(Messages(compilation));
  CHECK(Codes(compilation) == Strings{"A0208", "A0208"});
}

TEST_CASE("a declaration with a syntax error is not unknown to its users") {
  const Compilation compilation = CompileText(std::string(kHead) + R"(
domain storage "Storage
event broken from kernel { text }
const limit = 5parsecs
cause a "A" { domain storage when x: broken where x.code == limit and x.nothing == 3 demote nobody }
)");
  INFO(Messages(compilation));
  for (const std::string& code : Codes(compilation)) CHECK((code < "A0200" || code == "A0208"));
  CHECK(Messages(compilation).find("nobody") != std::string::npos);
  CHECK(Messages(compilation).find("unknown event") == std::string::npos);
}

TEST_CASE("a declaration with a syntax error is not unknown to tests") {
  const std::string test =
      "test \"t\" {\n  attempt { nodes n1 state FAILED }\n  expect cause lost on n1\n  expect attributed lab\n}\n";
  const std::string sound = "domain lab \"Lab\"\ncause lost \"L\" {\n  domain hardware\n  when x: xid\n}\n";
  for (const auto& [right, wrong] : {std::pair("cause lost", "casue lost"), std::pair("\"L\" {", "\"L {"),
                                     std::pair("domain lab", "domian lab"), std::pair("when", "whn")}) {
    std::string broken = sound;
    broken.replace(broken.find(right), std::string_view(right).size(), wrong);
    const Compilation compilation = CompileText(std::string(kHead) + broken + test);
    INFO(Messages(compilation));
    CHECK(Codes(compilation).size() == 1);
    CHECK(Messages(compilation).find("A0602") == std::string::npos);
  }
  CHECK(Codes(CompileText(std::string(kHead) + test)) == Strings{"A0602", "A0602"});
}

TEST_CASE("a word that is no place cannot be blamed, and says what can") {
  const Compilation compilation =
      CompileText(std::string(kHead) + "cause a \"A\" { domain hardware when x: xid blame node n1 }\n");
  CHECK(Codes(compilation) == Strings{"A0404"});
  CHECK(Messages(compilation).find("as `node x.node`") != std::string::npos);
}

TEST_CASE("an unknown subdomain is answered with what its parent holds") {
  const Compilation compilation = CompileText(std::string(kHead) + R"(
cause a "A" { domain hardware.cooling when x: xid }
cause b "B" { domain hardware.gpu.fan when x: xid }
)");
  CHECK(Codes(compilation) == Strings{"A0210", "A0210"});
  CHECK(Messages(compilation).find("known below it: `hardware.gpu`; `domain hardware.cooling") != std::string::npos);
  CHECK(Messages(compilation).find("`hardware.gpu` has no subdomains") != std::string::npos);
}

TEST_CASE("mistakes in several files are all found in one run") {
  TestPacks packs;
  packs.root = Pack("demo", kHead);
  packs.root.rules.push_back({"a.attr", "cause a \"A\" { domain hardwear when x: xid }\n"});
  packs.root.rules.push_back({"b.attr", "cause b \"B\" { domain hardware when x: xid where x.cod == 1 }\n"});
  CHECK(Codes(CompilePacks(packs)) == Strings{"A0210", "A0213"});
}

TEST_CASE("a bare name in a rule is answered with the field of its binding") {
  const Compilation compilation =
      CompileText(std::string(kHead) + "cause a \"A\" { domain hardware when x: xid where code == 1 }\n");
  CHECK(Messages(compilation).find("write `x.code`") != std::string::npos);
}

TEST_CASE("unlike types are refused") {
  const auto codes = [](const std::string& where) {
    return Codes(
        CompileText(std::string(kHead) + "cause a \"A\" { domain hardware when x: step where " + where + " }\n"));
  };
  CHECK(codes("x.took > 5") == Strings{"A0300"});
  CHECK(codes("x.who == x.node") == Strings{"A0300"});
  CHECK(codes("x.took * 1.5 > 5s") == Strings{"A0301"});
  CHECK(codes("x.n % 2.0 == 0") == Strings{"A0301"});
  CHECK(codes("x.n in {1, \"a\"}") == Strings{"A0300"});
  CHECK(codes("x.took in 5..9") == Strings{"A0300", "A0300"});
  CHECK(codes("x.n in 9..5") == Strings{"A0301"});
  CHECK(codes("count(x) > 2") == Strings{"A0301"});
  CHECK(codes("x.n in {1, 2} and x.took in 1s..2m and x.loss in 0.5..1.5") == Strings{});
}

TEST_CASE("what is not evaluated is refused once, at its place") {
  const auto codes = [](const std::string& clause) {
    return Codes(CompileText(std::string(kHead) + "cause a \"A\" { domain hardware when x: xid " + clause + " }\n"));
  };
  for (const char* clause : {"closed by step same node"}) {
    CAPTURE(clause);
    CHECK(codes(clause) == Strings{"A0900"});
  }
}

TEST_CASE("aggregates take what they can be decided from") {
  const auto codes = [](const std::string& having) {
    return Codes(
        CompileText(std::string(kHead) + "cause a \"A\" { domain hardware when x: step having " + having + " }\n"));
  };
  for (const char* having :
       {"count(x) > 2", "2 < count(x)", "distinct(x.who) >= 2 and max(x.n) > 3", "min(x.took) <= 5s", "sum(x.n) != 7",
        "span(x) > 1m", "share(x) >= 0.5", "last(x) > first(x)", "max(x.loss) > 0.5 or not count(x) == 1",
        "count(x) > distinct(x.who)", "min(x.n * 2) < 9"}) {
    CAPTURE(std::string(having));
    CHECK(codes(having) == Strings{});
  }
  for (const char* having : {"max(x.who) > 3", "sum(x.node) > 3", "distinct(x) > 1", "count(x.n) > 1",
                             "count(x) + 1 > 2", "-max(x.n) > 2", "max(x.n) in 1..3", "x.n > 3", "max(x.n) > x.n"}) {
    CAPTURE(std::string(having));
    CHECK(codes(having).size() == 1);
  }
  CHECK(codes("max(x.n) > 0.5") == Strings{"A0300"});
  CHECK(codes("share(x) > 1") == Strings{"A0300"});
  CHECK(codes("span(x) > 3") == Strings{"A0300"});
}

TEST_CASE("extremes and silences take one binding and what has an order") {
  const auto codes = [](const std::string& clause) {
    return Codes(CompileText(std::string(kHead) + "cause a \"A\" { domain hardware when x: step " + clause + " }\n"));
  };
  CHECK(codes("per x.node gap 5m earliest x most x by x.n") == Strings{});
  CHECK(codes("least x by x.took - 1s") == Strings{});
  CHECK(codes("earliest y") == Strings{"A0208"});
  CHECK(codes("least x by x.who") == Strings{"A0301"});
  CHECK(codes("least x by 3") == Strings{"A0301"});
  CHECK(codes("without y: step within 1m of x earliest y") == Strings{"A0407"});
  CHECK(codes("per x.node gap 400d") == Strings{"A0418"});
}

TEST_CASE("a table's key reads one binding") {
  const std::string table = "table codes from \"codes.csv\" key code { code: int, level: text }\n";
  const std::string rule =
      "cause a \"A\" { domain hardware when x: xid and y: step where codes[x.code + y.n].level == \"a\" }\n";
  CHECK(Codes(CompileText(kHead + table + rule, "code,level\n1,a\n")) == Strings{"A0426"});
  CHECK(Codes(CompileText(kHead + table, "code,level\n1,\xff\n")) == Strings{"A0500"});
}

TEST_CASE("cycles are found through tags and imported packs") {
  const Compilation compilation = CompileText(std::string(kHead) + R"(
symptom a "A" { tags t when x: xid demote b }
symptom b "B" { when x: xid demote c }
symptom c "C" { when x: xid demote tag t }
)");
  REQUIRE(Codes(compilation) == Strings{"A0412"});
  const auto diagnostic = compilation.sink.Sorted()[0];
  CHECK(diagnostic.secondary.size() == 2);
  CHECK_FALSE(compilation.plan.has_value());
}

TEST_CASE("domain pairs that contradict each other are refused, deeper ones decide") {
  const std::string rules =
      "cause a \"A\" { domain hardware.gpu when x: xid }\ncause b \"B\" { domain fabric.nvlink when x: xid }\n";
  CHECK(Codes(CompileText(kHead + rules + "precedence { hardware.gpu > fabric fabric.nvlink > hardware }")) ==
        Strings{"A0413"});
  CHECK(Codes(CompileText(kHead + rules + "precedence { hardware > fabric fabric.nvlink > hardware.gpu }")).empty());
}

TEST_CASE("a folder is read as a pack, without hidden files or what lies outside") {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(ATTR_BINARY_DIR) / "pack_folder_test";
  fs::remove_all(root);
  fs::create_directories(root / "tables");
  std::ofstream(root / "pack.attr") << kHead;
  std::ofstream(root / ".hidden.attr") << "garbage";
  std::ofstream(root / "tables/codes.csv") << "code\n1\n";
  fs::create_symlink("pack.attr", root / "second.attr");
  const Result<PackSource> pack = ReadPackFolder(root.string());
  REQUIRE(pack.ok());
  CHECK(pack->rules.size() == 2);
  CHECK(pack->tables.count("tables/codes.csv") == 1);
  fs::create_symlink("/etc/hostname", root / "link.attr");
  CHECK_FALSE(ReadPackFolder(root.string()).ok());
  CHECK_FALSE(ReadPackFolder((root / "pack.attr").string()).ok());
  CHECK_FALSE(ReadPackFolder((root / "tables").string()).ok());
  CHECK_FALSE(ReadPackFolder((root / "nothing").string()).ok());
  fs::remove_all(root);
}

}  // namespace
}  // namespace attr::compiler

// Which constructs the generator may use: those whose probe the compiler takes.
#include "tests/oracle/fuzz/generator.h"

namespace attr::oracle {

namespace {

constexpr const char* kHead = R"(
pack probe.site 1.0 { requires language 1 }
domain hw "t"
domain hw.gpu "t"
event ev from kernel { text /ev c=(?P<c>\d+)/  field c: int }
event ok from kernel { text /ok/ }
)";

}  // namespace

const std::vector<Construct>& Constructs() {
  static const std::vector<Construct> constructs = {
      {"or", "cause a { domain hw  when { x: ev } or { x: ev where x.c == 1 } }"},
      {"closed by", "cause a { domain hw  when x: ev  closed by ok same node }"},
      {"self after", "cause a { domain hw  when x: ev  demote self after on node }"},
      {"demote where", "cause a { domain hw  when x: ev  demote s where it.count == x.c }  symptom s { when y: ev }"},
      {"demote on rack", "cause a { domain hw  when x: ev  demote s on rack }  symptom s { when y: ev }"},
      {"prefer",
       "cause a { domain hw  when x: ev }  cause b { domain hw  when x: ev }  "
       "precedence { prefer x: a over y: b when x.first < y.first }"},
      {"label", "cause a { domain hw  when x: ev where label(x.node, rack) == \"r1\" }"},
      {"same rack", "cause a { domain hw  when x: ev and y: ev where same rack(x, y) }"},
      {"packs", "disable base.lib::old\ncause a { domain hw  when x: ev }"},
      {"each", "event e2 from kernel { each /it=(?P<it>\\w+)/  field it: text }  cause a { domain hw  when x: e2 }"},
      {"scope", "event e2 from kernel { text /e/  scope time -7d .. 1h }  cause a { domain hw  when x: e2 }"},
      {"text field",
       "event e2 from kernel { text /e (?P<s>\\w+)/  text? s /(?P<t>a)/  field s: text, t: text? }  "
       "cause a { domain hw  when x: e2 }"},
      {"event ~",
       "event e2 from kernel { text /e (?P<s>\\w+)/  field s: text  where s ~ /a/ }  cause a { domain hw  when x: e2 "
       "}"},
      {"event look-up",
       "table t from \"t.csv\" key k { k: int, word: text }  "
       "event e2 from kernel { text /e (?P<c>\\d+)/  field c: int, w: text? = t[c].word }  "
       "cause a { domain hw  when x: e2 }"},
      {"episode", "event e2 from kernel { text /e/  episode gap 5s per node }  cause a { domain hw  when x: e2 }"},
      {"event closed by",
       "event e2 from kernel { text /e/  closed by ok same node }  cause a { domain hw  when x: e2 }"},
      {"open",
       "event e2 from kernel { text /e/  closed by ok same node }  cause a { domain hw  when x: e2 where open(x) }"},
      {"over",
       "event e2 from metric \"m\" { over 5s per node  where increase(value) > 1.0 }  cause a { domain hw  when x: e2 "
       "}"},
      {"history", "cause a { domain hw  when x: ev }"},
      {"same event", "cause a { domain hw  when x: ev and y: ev where same event(x, y) }"},
  };
  return constructs;
}

std::set<std::string> EvaluatedConstructs() {
  static const std::set<std::string> evaluated = [] {
    std::set<std::string> out;
    // Where product and oracle do not agree yet: only when `--constructs` names them.
    static const std::set<std::string> kOpen = {"open", "over", "scope", "episode", "event closed by"};
    for (const Construct& construct : Constructs()) {
      if (kOpen.count(construct.name) != 0) continue;
      Case of;
      of.pack.rules["pack.attr"] = kHead + std::string(construct.probe) + "\n";
      of.pack.tables["t.csv"] = "k,word\n1,aa\n";
      if (construct.name == std::string("packs")) {
        std::string& root = of.pack.rules["pack.attr"];
        root.replace(root.find("language 1"), 10, "language 1  import base.lib 1");
        of.imports["base.lib"].rules["pack.attr"] =
            "pack base.lib 1.0 { requires language 1 }\nevent old from kernel { text /old/ }\n";
      }
      const Comparison state = Subject(of).state();
      if (state.kind != Comparison::Kind::kNotYet && state.kind != Comparison::Kind::kRejected)
        out.insert(construct.name);
    }
    return out;
  }();
  return evaluated;
}

}  // namespace attr::oracle

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
      {"finding", "cause a { domain hw  when x: ev }  cause b { domain hw  when f: finding a }"},
      {"finding tag", "cause a { domain hw  tags ta  when x: ev }  cause b { domain hw  when f: finding tag ta }"},
      {"export", "cause a { domain hw  when x: ev  export n = x.c }"},
      {"when outcome", "outcome failed when x: ev  cause a { domain hw  when outcome failed }"},
      {"stalled", "outcome hung when stalled(ev, 10s)"},
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
      {"same event", "cause a { domain hw  when x: ev and y: ev where same event(x, y) }"},
  };
  return constructs;
}

std::set<std::string> EvaluatedConstructs() {
  static const std::set<std::string> evaluated = [] {
    std::set<std::string> out;
    for (const Construct& construct : Constructs()) {
      Case of;
      of.pack.rules["pack.attr"] = kHead + std::string(construct.probe) + "\n";
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

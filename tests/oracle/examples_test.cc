// The examples E of docs/design/semantics.md: each is a small pack with a `test`
// whose expectations are the page's words. The product must meet them and the
// oracle must give the product's bytes. An example that needs what the compiler
// still refuses is listed all the same: it waits for A0900 to go, and for nothing else.
#include <doctest.h>

#include "compiler/testing/test_case.h"
#include "runtime/attribute.h"
#include "runtime/ingest/observation_reader.h"
#include "runtime/report/report.h"
#include "tests/oracle/fuzz/compare.h"

namespace attr::oracle {

namespace {

constexpr const char* kVocabulary = R"(
pack page.examples 1.0 { requires language 1  skew 0s  grace 1d }
domain hardware "h"
domain hardware.gpu "g"
domain network "n"
domain storage "s"
domain host "o"
domain platform "p"
domain application "a"
event fault  from kernel { text /fault(?: k=(?P<k>\w+))?(?: n=(?P<n>\d+))?/  field k: text?, n: int? }
event line   from application { text /line(?: k=(?P<k>\w+))?(?: n=(?P<n>\d+))?/  field k: text?, n: int? }
event other  from syslog { text /other(?: k=(?P<k>\w+))?/  field k: text? }
event job from scheduler { where name == "job_end"  field state: text = attrs.state }
outcome succeeded when j: job where j.state == "COMPLETED"
outcome failed    when j: job where j.state == "FAILED"
)";

struct Example {
  const char* name;  // section and example
  const char* text;
};

struct Checked {
  bool waits = false;
  std::string wrong;  // what the page says and the product does not
};

Checked Check(const std::string& text) {
  compiler::PackSource source;
  source.name = "page.examples";
  source.rules.push_back({"pack.attr", text});
  const compiler::Compilation compilation = compiler::Compile(source, {});
  Checked out;
  if (!compilation.plan) {
    for (const diagnostics::Diagnostic& d : compilation.sink.Sorted()) {
      out.waits = out.waits || d.code == diagnostics::Code::kNotEvaluatedYet;
      out.wrong += d.message + "\n";
    }
    return out;
  }
  Case of;
  of.pack.rules["pack.attr"] = text;
  const Subject subject(of);
  for (const testing::TestCase& test : compilation.tests) {
    std::vector<ingest::Input> inputs;
    inputs.push_back({"test", test.observations});
    auto set = ingest::ReadObservations(std::move(inputs));
    if (!set) return {false, set.error().ToString()};
    AttributeOptions options;
    options.engine = EngineChoice::kInterpreter;
    auto verdict = Attribute(*compilation.plan, *set, options);
    if (!verdict) return {false, verdict.error().ToString()};
    for (const testing::Mismatch& mismatch : testing::Check(*test.decl, *verdict)) {
      out.wrong += test.name + ": expected " + std::string(compilation.sources.Text(mismatch.span)) + ", got " +
                   mismatch.actual + "\n";
    }
    const Comparison compared = subject.Compare(test.observations, {true});
    if (compared.kind != Comparison::Kind::kEqual) out.wrong += test.name + ": oracle: " + compared.why + "\n";
  }
  return out;
}

const std::vector<Example>& Examples() {
  static const std::vector<Example> examples = {
      {"S1 E1: two presumed faults, either alone is enough, none is certain", R"(
cause nvlink_fault { domain hardware  when f: fault and l: line within 5s of f where l.node == f.node  per node, gpu  blame node f.node }
test "both presumed" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:10:02 "fault"
  application n1 12:10:00 "line n=1"
  application n1 -        "line n=2"
  application n1 12:20:00 "line n=3"
  expect attributed hardware
}
test "only what lacks a time: provisional, since both flipped change it" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:10:02 "fault"
  application n1 12:00:00 "line k=x"
  application n1 -        "line n=2"
  application n1 12:20:00 "line n=3"
  expect attributed hardware provisional
}
)"},
      {"S1 E3: a demotion that lacks a field is neither confirmed nor presumed, and is tried", R"(
cause origin { domain hardware  when f: fault  demote target on node where it.k == f.k  blame node f.node }
cause target { domain network  when l: line  per l.k, l.node  blame node l.node }
test "the field is missing" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:10:02 "fault k=a"
  application n1 12:10:02 "line n=1"
  expect ambiguous provisional
}
)"},
      {"S2 E1: a line between stamped neighbours has a range, and its edge is presumed", R"(
cause c { domain hardware  when f: fault  demote s on node within 10m  blame node f.node }
symptom s { when l: line  per node  suggests network }
test "undecided holds" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:10:02 "fault"
  application n1 12:09:00 "x"
  application n1 -        "line"
  application n1 12:30:00 "y"
  expect attributed hardware
  expect demoted s by c
}
)"},
      {"S2 E2: an undecided place holds, whichever way it is asked", R"(
cause equal     { domain hardware  when f: fault and l: line where l.node == f.node  per attempt }
cause not_equal { domain network   when f: fault and l: line where not l.node == f.node  per attempt }
test "y.node is missing" {
  attempt { nodes n1, n2   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:10:02 "fault"
  application - - "line"
  expect ambiguous between hardware, network provisional
  expect cause equal
  expect cause not_equal
}
)"},
      {"S2 E2: an exception that lacks its place matches leniently", R"(
cause c { domain hardware  when f: fault  unless l: line where l.node == f.node  blame node f.node }
test "the exception may be meant" {
  attempt { nodes n1, n2   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:10:02 "fault"
  application - - "line"
  expect unattributed provisional
}
)"},
      {"S2 E3: nothing bound where nobody looked is unevaluable, not silent", R"(
cause c { domain hardware  when f: fault  blame node f.node }
test "kernel of n1 only" {
  attempt { nodes n1, n2   start 12:00   end 12:41   state FAILED }
  cover application, scheduler, syslog
  cover kernel on n1
  expect unattributed provisional
  expect would_change c needs kernel on n2
}
)"},
      {"S3: precision is tolerance, not ignorance", R"(
cause c { domain hardware  when f: fault and l: line after f where l.node == f.node  blame node f.node }
test "a coarse stamp and a fine one" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:10:02 "fault"
  application n1 12:10:01.7 "line"
  expect attributed hardware settled
}
)"},
      {"S4: a blind spot is one phantom, whatever the condition looks like", R"(
cause c { domain hardware  when a: fault and b: line within 60s after a where b.node != a.node  blame node a.node }
cause d { domain network   when a: fault and b: line within 60s after a where not (b.node == a.node)  blame node a.node }
cause e { domain host      when a: fault and b: line within 60s after a where b.k == a.k  blame node a.node }
test "application is blind on n3 only" {
  attempt { nodes n1, n2, n3   start 12:00   end 12:41   state FAILED }
  cover kernel, scheduler, syslog
  cover application on n1, n2
  kernel n1 12:10:02 "fault k=a"
  expect unattributed provisional
  expect would_change c needs application on n3
  expect would_change d needs application on n3
  expect would_change e needs application on n3
}
test "everybody looked" {
  attempt { nodes n1, n2, n3   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:10:02 "fault k=a"
  expect unattributed settled
}
)"},
      {"S5: a log that ends at the crash: stalled is presumed", R"(
outcome hung when stalled(line, 10m)
cause c { domain hardware  when f: fault }
test "nothing after 12:10" {
  attempt { nodes n1   start 12:00   end 18:00   state TIMEOUT }
  cover kernel, scheduler, syslog
  cover application 12:00 .. 12:10
  application n1 12:10:00 "line"
  expect state hung
}
)"},
      {"S6: one placeless line, several nodes: nobody is blamed", R"(
cause port { domain network  when p: fault and r: line within 60s after p where r.node == p.node  per p.node  blame node p.node }
test "three ports, one line without node" {
  attempt { nodes n1, n2, n3   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:10:02 "fault"
  kernel n2 12:10:02 "fault"
  kernel n3 12:10:02 "fault"
  application - 12:10:20 "line"
  expect attributed network
  expect not cause port on n1
  expect not cause port on n2
}
)"},
      {"S7: a pair with a star does not reach over the other side's own", R"(
cause time_limit { domain platform  tags fallback  when f: fault  blame node f.node }
cause code       { domain application  when l: line  blame node l.node }
precedence { platform > application   * > tag fallback }
test "the tag level comes before the domain level" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:10:02 "fault"
  application n1 12:10:20 "line"
  expect attributed application settled
}
)"},
      {"S7: sieves, level after level", R"(
cause n  { domain network   when f: fault where f.k == "n"  blame node f.node }
cause h1 { domain hardware  when f: fault where f.k == "h1"  blame node f.node }
cause h2 { domain hardware  when f: fault where f.k == "h2"  blame node f.node }
precedence { n > h1   hardware > network }
test "rule drops h1, domain drops n, h2 wins" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:10:02 "fault k=n"
  kernel n1 12:10:03 "fault k=h1"
  kernel n1 12:10:04 "fault k=h2"
  expect attributed hardware settled
  expect cause h2 on n1
  expect not cause h1
}
test "of n and h1, n wins" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:10:02 "fault k=n"
  kernel n1 12:10:03 "fault k=h1"
  expect attributed network settled
}
)"},
      {"S7: three roots and two clauses: all drops of a sieve happen at once", R"(
cause h { domain hardware  when f: fault where f.k == "h"  blame node f.node }
cause s { domain storage   when f: fault where f.k == "s"  blame node f.node }
cause n { domain network   when f: fault where f.k == "n"  blame node f.node }
ambiguity {
  between hardware, storage  unless apart 5m then earliest
  between storage, network   unless apart 5m then earliest
}
test "s is dropped by h, n by s" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:00:00 "fault k=h"
  kernel n1 12:06:00 "fault k=s"
  kernel n1 12:12:00 "fault k=n"
  expect attributed hardware
}
)"},
      {"S7: explains is an edge to any finding", R"(
cause r1 { domain hardware  when f: fault where f.k == "r1"  demote lesser on node  blame node f.node }
cause r2 { domain network   when f: fault where f.k == "r2"  demote s  blame node f.node }
cause r3 { domain storage   when f: fault where f.k == "r3"  blame node f.node }
cause lesser { domain host  when l: line where l.k == "lesser" }
symptom s { when l: line where l.k == "s" }
test "r3 explains nothing and stands by" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:10:01 "fault k=r1"
  kernel n1 12:10:01 "fault k=r2"
  kernel n1 12:10:01 "fault k=r3"
  application n1 12:10:04 "line k=lesser"
  application n1 12:10:04 "line k=s"
  expect ambiguous between hardware, network settled
  expect not cause r3
}
)"},
      {"S7: a demoted finding still demotes, a symptom's edge counts like any other", R"(
cause c { domain hardware  when f: fault  blame node f.node }
cause top { domain network  when o: other  demote s  blame node o.node }
symptom s { when l: line  demote c on node }
test "the symptom is explained and its edge stands" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:10:05 "fault"
  application n1 12:10:04 "line"
  syslog n1 12:10:01 "other"
  expect attributed network settled
  expect demoted c by s
  expect demoted s by top
}
)"},
      {"S8: closed after its symptom began, it still explains it", R"(
cause link { domain network  when p: fault where p.k == "down"  per p.node  blame node p.node  closed by up: line same node  demote s within 5m }
symptom s { when o: other  suggests network }
test "down, errors, up" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:00:00 "fault k=down"
  syslog n1 12:00:20 "other"
  application n1 12:00:45 "line"
  expect attributed network
}
)"},
      {"S9: members are distinct events: two tuples, one event", R"(
cause c { domain network  when d: fault and r: line within 60s after d where r.node == d.node  per d.node  having count(r) >= 2  blame node d.node }
test "down twice, one r" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:00:00 "fault"
  kernel n1 12:00:10 "fault"
  application n1 12:00:20 "line"
  expect unattributed settled
}
test "down twice, two r" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:00:00 "fault"
  application n1 12:00:20 "line n=1"
  application n1 12:00:21 "line n=2"
  expect attributed network settled
}
)"},
      {"S9: bindings of one event take different observations", R"(
cause c { domain network  when a: fault and b: fault within 60s after a where b.node == a.node  blame node a.node }
test "one event does not match itself" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:00:00 "fault"
  expect unattributed settled
}
test "two do" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:00:00 "fault n=1"
  kernel n1 12:00:30 "fault n=2"
  expect attributed network settled
}
)"},
      {"S9: a phantom leaves a count without upper bound", R"(
cause few { domain network  when a: fault  per attempt  having count(a) < 2 }
test "one fault, n2 is blind" {
  attempt { nodes n1, n2   start 12:00   end 12:41   state FAILED }
  cover application, scheduler, syslog
  cover kernel on n1
  kernel n1 12:00:00 "fault"
  expect attributed network provisional
}
)"},
      {"S10: after and before are both true at a tie only", R"(
event span from application { text /span (?P<d>\d+)/  field d: duration(s)  since time - d }
cause after_it  { domain hardware  when a: fault and w: span after a   per attempt }
cause before_it { domain network   when a: fault and w: span before a  per attempt }
test "a span around the event begins before it" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:15:00 "fault"
  application n1 12:20:00 "span 600"
  expect attributed network settled
}
)"},
      {"S11: undecided order leaves two roots", R"(
cause c { domain hardware  when f: fault  per f.k  blame node f.node  demote self after on attempt }
test "one without a time" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:10:00 "fault k=a"
  kernel n1 -        "fault k=b"
  expect attributed hardware
  expect cause c on n1
}
)"},
      {"S13: numbers", R"(
event num from application { text /num a=(?P<a>\S+) b=(?P<b>\S+)/  field a: int?, b: float? }
cause overflow { domain hardware  when x: num where x.a + 1 > 0  per attempt }
cause zeros    { domain network   when x: num where x.a == 1     per attempt }
cause exact    { domain storage   when x: num where x.b * 3 == 0.3  per attempt }
cause nothing  { domain host      when x: num where x.a / 0 == 0  per attempt  having count(x) >= 1 }
test "MAX + 1 is unknown" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  application n1 12:00:00 "num a=9223372036854775807 b=0.1"
  expect unattributed provisional
}
test "leading zeros are decimal, and a product rounds" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  application n1 12:00:00 "num a=01 b=0.1"
  expect not cause exact
  expect cause zeros
}
)"},
      {"S15: alternatives alone are ambiguous within one top domain, too: attributed to it", R"(
domain network.ib "i"
domain network.roce "r"
cause lost { domain network.ib | network.roce  when f: fault  blame node f.node }
test "one top: attributed to the deepest that holds both" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:00:00 "fault"
  expect attributed network settled
}
)"},
      {"S15: alternatives of several roots are intersected", R"(
cause r1 { domain storage | network  when f: fault  blame node f.node }
cause r2 { domain network | host     when l: line   blame node l.node }
test "network is common" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:00:00 "fault"
  application n1 12:00:00 "line"
  expect attributed network settled
}
test "one alone is open" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:00:00 "fault"
  expect ambiguous settled
}
)"},
      {"S16: a span that began before the start stays; without a value its begin is unknown", R"(
event span from application { text /span(?: (?P<d>\d+))?/  field d: duration(s)?  since time - d }
cause c { domain hardware  when w: span  blame node w.node }
cause early { domain network  when w: span where w.begin < 2026-01-01T12:00:00Z  blame node w.node }
test "began before the start" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  application n1 12:01:00 "span 600"
  expect cause c on n1
  expect cause early on n1
}
test "the end stays" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  application n1 12:01:00 "span"
  expect cause c on n1
  expect not cause early
}
)"},
      {"S22: a succeeded attempt is no failure, an unknown outcome is provisional", R"(
cause c { domain hardware  when f: fault  blame node f.node }
test "succeeded" {
  attempt { nodes n1   start 12:00   end 12:41   state COMPLETED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:00:00 "fault"
  expect no_failure settled
  expect state succeeded
}
test "nobody asked the scheduler" {
  attempt { nodes n1   start 12:00   end 12:41 }
  cover kernel, application, syslog
  kernel n1 12:00:00 "fault"
  expect attributed hardware provisional
}
)"},
  };
  return examples;
}

}  // namespace

TEST_CASE("the examples of the semantics page") {
  size_t waiting = 0;
  for (const Example& example : Examples()) {
    const std::string name = example.name;
    INFO(name);
    const Checked checked = Check(std::string(kVocabulary) + example.text);
    if (checked.waits) {
      ++waiting;
      continue;
    }
    CHECK_MESSAGE(checked.wrong.empty(), checked.wrong);
  }
  MESSAGE(waiting << " of " << Examples().size() << " examples wait for a construct");
  CHECK(waiting < Examples().size() / 2);
}

}  // namespace attr::oracle

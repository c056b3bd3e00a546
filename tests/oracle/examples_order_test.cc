// The examples E of docs/design/semantics.md. Roots, levels, what closes a finding, strata, status: S7, S8, S11, S14,
// S15, S22.
#include "tests/oracle/examples.h"

namespace attr::oracle {

const std::vector<Example>& ExamplesOfOrder() {
  static const std::vector<Example> examples = {
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
      {"S7: prefer is not closed: a over b and b over c say nothing of a and c", R"(
cause a { domain hardware  when f: fault where f.k == "a"  blame node f.node }
cause b { domain host      when f: fault where f.k == "b"  blame node f.node }
cause c { domain storage   when f: fault where f.k == "c"  blame node f.node }
precedence {
  prefer x: a over y: b when x.count >= y.count
  prefer x: b over y: c when x.count >= y.count
}
test "no b at hand" {
  attempt { nodes n1, n2   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:10:02 "fault k=a"
  kernel n1 12:10:03 "fault k=c"
  expect ambiguous between hardware, storage settled
}
test "b drops c and is dropped by a: all drops of a sieve happen at once" {
  attempt { nodes n1, n2   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:10:02 "fault k=a"
  kernel n1 12:10:03 "fault k=b"
  kernel n1 12:10:04 "fault k=c"
  expect attributed hardware settled
}
)"},
      {"S7: of domain pairs the one with the deepest sides decides", R"(
domain network.ib "i"
cause g { domain hardware.gpu  when f: fault  blame node f.node }
cause i { domain network.ib    when l: line   blame node l.node }
precedence { network.ib > hardware.gpu   hardware > network }
test "on one node" {
  attempt { nodes n1, n2   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:10:02 "fault"
  application n1 12:10:03 "line"
  expect attributed network.ib settled
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
      {"S8: closed before its symptom began, it is no root, and `after D` takes the first e that late", R"(
cause link { domain network  when p: fault where p.k == "down"  per p.node  blame node p.node  closed by up: line same node after 30s  demote s within 5m }
symptom s { when o: other  suggests network }
test "an early recovery closes nothing, a late one does" {
  attempt { nodes n1, n2   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:00:00 "fault k=down"
  application n1 12:00:10 "line"
  application n1 12:00:45 "line"
  syslog n1 12:01:20 "other"
  expect unattributed
  expect not cause link
}
test "only the early one" {
  attempt { nodes n1, n2   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:00:00 "fault k=down"
  application n1 12:00:10 "line"
  syslog n1 12:01:20 "other"
  expect attributed network
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
      {"S14: a rule over an outcome, an outcome over findings", R"(
outcome hung when f: finding tag fatal
cause deadly { domain hardware  tags fatal  when f: fault  blame node f.node }
cause stopped { domain platform  when outcome hung }
test "first the findings, then the outcome, then what asks for it" {
  attempt { nodes n1   start 12:00   end 12:41 }
  cover kernel, application, scheduler, syslog
  kernel n1 12:10:02 "fault"
  expect state hung
  expect cause deadly on n1
  expect cause stopped
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

}  // namespace attr::oracle

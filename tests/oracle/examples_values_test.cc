// The examples E of docs/design/semantics.md. Groups, windows, numbers, matchers: S9, S10, S13, S16.
#include "tests/oracle/examples.h"

namespace attr::oracle {

const std::vector<Example>& ExamplesOfValues() {
  static const std::vector<Example> examples = {
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
      {"S10: within 60s after an episode reaches from its begin to a minute after its end", R"(
event burst from application { text /line b/  episode gap 20m per node }
cause c { domain network  when p: burst and f: fault within 60s after p  per attempt }
test "a minute after its end" {
  attempt { nodes n1, n2   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  application n1 12:00:00 "line b"
  application n1 12:15:00 "line b"
  kernel n1 12:15:50 "fault"
  expect attributed network settled
}
test "later than that" {
  attempt { nodes n1, n2   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  application n1 12:00:00 "line b"
  application n1 12:15:00 "line b"
  kernel n1 12:17:00 "fault"
  expect not cause c
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
      {"S13: the sum of ints has 128 bits", R"(
cause c { domain network  when f: fault  per attempt  having sum(f.n) == 9223372036854775802 }
cause d { domain host  when l: line  per attempt  having sum(l.n) > 0 }
test "MAX + 1 - 6 fits, MAX + 1 does not" {
  attempt { nodes n1, n2   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  kernel n1 12:00:00 "fault n=9223372036854775801"
  kernel n1 12:00:01 "fault n=1"
  application n1 12:00:00 "line n=9223372036854775807"
  application n1 12:00:01 "line n=1"
  expect cause c
  expect not cause d
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
      {"S16: windows hold both ends, and recoveries end an episode", R"(
event ok from syslog { text /other k=ok/ }
event tries from application { text /line t/  episode gap 5m per node  closed by ok same node }
cause c { domain storage  when t: tries where open(t)  blame node t.node }
cause twice { domain host  when t: tries where t.count >= 2  per attempt }
test "a new one begins inside the gap" {
  attempt { nodes n1, n2   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  application n1 12:00:00 "line t"
  syslog n1 12:00:30 "other k=ok"
  application n1 12:01:00 "line t"
  expect cause c on n1
  expect not cause twice
}
test "it was the last" {
  attempt { nodes n1, n2   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  application n1 12:00:00 "line t"
  application n1 12:00:20 "line t"
  syslog n1 12:00:30 "other k=ok"
  expect not cause c
  expect cause twice
}
)"},
  };
  return examples;
}

}  // namespace attr::oracle

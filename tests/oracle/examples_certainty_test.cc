// The examples E of docs/design/semantics.md. Certainty, truth, precision, blind spots and silence: S1 to S6.
#include "tests/oracle/examples.h"

namespace attr::oracle {

const std::vector<Example>& ExamplesOfCertainty() {
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
      {"S1 E2: one gap in one log leaves two possible, and both together change the verdict", R"(
cause switch_failed { domain network  when o: other  blame node o.node }
cause port_flap { domain host  when p: fault and m: fault after p where m.k == "lost" and m.n == p.n  per p.n  demote nic_reset on node where it.n == p.n }
cause nic_reset { domain hardware  when l: line  per l.n, l.node  blame node l.node }
test "each alone leaves the other, so no single flip tells" {
  attempt { nodes n1   start 12:00   end 12:41   state FAILED }
  cover application, scheduler, syslog
  cover kernel 11:00 .. 12:10:30
  syslog n1 12:10:00 "other"
  kernel n1 12:10:02 "fault n=0"
  kernel n1 12:10:02 "fault n=1"
  application n1 12:10:05 "line n=0"
  application n1 12:10:05 "line n=1"
  expect ambiguous between hardware, network provisional
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
      {"S3: inside one stream position decides, whatever the stamps say", R"(
cause c { domain hardware  when a: line where a.n == 1 and b: line after a where b.n == 2  per attempt }
test "written in order, on one stamp" {
  attempt { nodes n1, n2   start 12:00   end 12:41   state FAILED }
  cover kernel, application, scheduler, syslog
  application n1 12:10:02 "line n=1"
  application n1 12:10:02 "line n=2"
  expect attributed hardware
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
  };
  return examples;
}

}  // namespace attr::oracle

// The examples E of docs/design/semantics.md: each is a small pack with a `test`
// whose expectations are the page's words. The product must meet them and the
// oracle must give the product's bytes. An example that needs what the compiler
// still refuses is listed all the same: it waits for A0900 to go, and for nothing else.
#include <doctest.h>

#include "compiler/testing/test_case.h"
#include "runtime/attribute.h"
#include "runtime/ingest/observation_reader.h"
#include "runtime/report/report.h"
#include "tests/oracle/examples.h"
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

}  // namespace

TEST_CASE("the examples of the semantics page") {
  size_t waiting = 0, all = 0;
  for (const auto* examples : {&ExamplesOfCertainty(), &ExamplesOfOrder(), &ExamplesOfValues()}) {
    for (const Example& example : *examples) {
      const std::string name = example.name;
      INFO(name);
      ++all;
      const Checked checked = Check(std::string(kVocabulary) + example.text);
      waiting += checked.waits ? 1 : 0;
      if (!checked.waits) CHECK_MESSAGE(checked.wrong.empty(), checked.wrong);
    }
  }
  MESSAGE(waiting << " of " << all << " examples wait for a construct");
  CHECK(waiting < all / 2);
}

}  // namespace attr::oracle

// attrc test: the `test` blocks of a pack, by the same code as `attrc run`.
#include <fmt/format.h>
#include <iterator>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/pack_argument.h"
#include "cli/test_inputs.h"
#include "compiler/standard/standard_packs.h"
#include "runtime/report/report.h"

namespace attr::cli {

namespace {

struct Tally {
  size_t passed = 0, failed = 0;
};

std::string FailureText(const compiler::Compilation& compilation, const testing::TestCase& test,
                        const std::vector<testing::Mismatch>& mismatches, const model::Verdict& verdict) {
  std::string out = fmt::format("FAILED  {}  ({}:{})\n", test.name, test.file, test.line);
  for (const testing::Mismatch& mismatch : mismatches) {
    const auto& file = compilation.sources.file(mismatch.span.file);
    fmt::format_to(std::back_inserter(out), "  {}:{}\n  - expect {}\n  + {}\n", file.path(),
                   file.Locate(mismatch.span.begin).line, compilation.sources.Text(mismatch.span), mismatch.actual);
  }
  report::TextOptions text;
  std::string body = report::ToText(verdict, text);
  for (size_t begin = 0; begin < body.size();) {
    size_t end = body.find('\n', begin);
    end = end == std::string::npos ? body.size() : end;
    out += "  | " + body.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return out;
}

/// Prints a failure; true when the test passed.
Result<bool> RunOne(const TestOptions& options, const compiler::Compilation& compilation, const pack::Pack& pack,
                    const std::string& folder, const testing::TestCase& test) {
  auto set = SetOf(test, folder);
  if (!set) return set.error();
  auto verdict = Attribute(pack.plan, *set, ToAttributeOptions(options.engine, pack.sha256));
  if (!verdict) return verdict.error();
  auto mismatches = testing::Check(*test.decl, *verdict);
  if (mismatches.empty()) return true;
  WriteOut(FailureText(compilation, test, mismatches, *verdict));
  return false;
}

/// `std` holds no tests of its own: its packs do.
std::vector<std::string> WithStandardPacks(const std::vector<std::string>& packs) {
  std::vector<std::string> out;
  for (const std::string& name : packs) {
    if (name != "std") {
      out.push_back(name);
      continue;
    }
    for (const std::string& pack : standard::StandardImporter().names) {
      if (pack != "std") out.push_back(pack);
    }
  }
  return out;
}

int RunTests(const TestOptions& options, const compiler::Compilation& compilation, const std::string& folder,
             Tally& tally) {
  auto pack = pack::Decode(pack::Encode(*compilation.plan), folder);
  if (!pack) return Fail(pack.error());
  for (const testing::TestCase& test : compilation.tests) {
    if (test.name.find(options.run) == std::string::npos) continue;
    if (options.list || options.show_set) {
      WriteOut(options.list ? fmt::format("{}:{}: {}\n", test.file, test.line, test.name) : test.observations);
      ++tally.passed;
      continue;
    }
    auto passed = RunOne(options, compilation, *pack, folder, test);
    if (!passed) {
      WriteError(fmt::format("attrc: test \"{}\" ({}:{}) cannot run\n", test.name, test.file, test.line));
      return Fail(passed.error());
    }
    ++(*passed ? tally.passed : tally.failed);
  }
  return kClean;
}

}  // namespace

int Test(const TestOptions& options) {
  Tally tally;
  for (const std::string& name : WithStandardPacks(options.packs)) {
    auto compilation = CompileArgument(name);
    if (!compilation) return Fail(compilation.error());
    ReportDiagnostics(*compilation);
    if (!compilation->plan) return kFindings;
    int code = RunTests(options, *compilation, name, tally);
    if (code != kClean) return code;
  }
  if (tally.passed + tally.failed == 0) {
    WriteError(options.run.empty() ? "attrc: the pack has no tests; a pack without tests proves nothing\n"
                                   : fmt::format("attrc: no test's name contains \"{}\"\n", options.run));
    return kFindings;
  }
  if (options.list || options.show_set) return kClean;
  int written = WriteOut(fmt::format("{} passed, {} failed\n", tally.passed, tally.failed));
  return written != kClean ? written : tally.failed == 0 ? kClean : kFindings;
}

}  // namespace attr::cli

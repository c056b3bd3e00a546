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
    if (options.list) {
      const int written = WriteOut(fmt::format("{}:{}: {}\n", test.file, test.line, test.name));
      if (written != kClean) return written;
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

Error UsageOf(std::string message, std::string help) {
  return Error{ErrorKind::kUsage, std::move(message), "", 0, {}, std::move(help)};
}

/// Prints the set of the one test that was meant, so that what is printed is always
/// a file that `attrc run` reads. A whole name wins over names that contain it.
int ShowSet(const TestOptions& options) {
  std::vector<testing::TestCase> found;
  bool exact = false;
  for (const std::string& name : WithStandardPacks(options.packs)) {
    auto compilation = CompileArgument(name);
    if (!compilation) return Fail(compilation.error());
    ReportDiagnostics(*compilation);
    if (!compilation->plan) return kFindings;
    for (const testing::TestCase& test : compilation->tests) {
      const bool same = test.name == options.run;
      if (test.name.find(options.run) == std::string::npos || (exact && !same)) continue;
      if (same && !exact) found.clear();
      exact = exact || same;
      found.push_back(test);
      found.back().decl = nullptr;  // dies with the compilation
    }
  }
  if (found.empty()) return Fail(UsageOf("no test to show", "`attrc test PACK --list` lists them"));
  if (found.size() > 1) {
    return Fail(UsageOf(fmt::format("--show-set shows one test, and {} were meant", found.size()),
                        "name it with --run; --list lists them"));
  }
  const testing::TestCase& test = found.front();
  if (!test.from.empty()) {
    return Fail(UsageOf(fmt::format("test \"{}\" has no set of its own: it reads `{}`", test.name, test.from), ""));
  }
  return WriteOut(test.observations);
}

}  // namespace

int Test(const TestOptions& options) {
  if (options.show_set) return ShowSet(options);
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
  if (options.list) return kClean;
  int written = WriteOut(fmt::format("{} passed, {} failed\n", tally.passed, tally.failed));
  return written != kClean ? written : tally.failed == 0 ? kClean : kFindings;
}

}  // namespace attr::cli

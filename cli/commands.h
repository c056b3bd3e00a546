// The commands of attrc, one file each: what a command was asked for, and the
// function that does it and returns an exit code. arguments.cc fills the options.
#pragma once

#include <string>
#include <vector>

#include "runtime/attribute.h"

namespace attr::cli {

/// docs/exit-codes.md.
enum ExitCode : int { kClean = 0, kFindings = 1, kUsage = 2, kInput = 3, kInternal = 4 };

/// --engine, --threads, --cache-dir, --no-cache: shared by run and test.
struct EngineOptions {
  std::string engine = "auto";
  unsigned threads = 1;
  std::string cache_dir;  // empty: the user's cache folder
  bool no_cache = false;
};
AttributeOptions ToAttributeOptions(const EngineOptions& options, const std::string& pack_sha256);

struct CheckOptions {
  std::vector<std::string> packs;
  std::string format = "human";
  std::string colour = "auto";
  std::string today;  // "2027-01-31"; empty: the system's date, UTC
};
int Check(const CheckOptions& options);

struct CompileOptions {
  std::string pack;
  std::string output;  // empty: named after the folder
};
int Compile(const CompileOptions& options);

struct RunOptions {
  std::string pack = "std";
  std::vector<std::string> paths;
  std::string attempt;  // of several: only this one is shown
  std::string format = "text";
  std::string colour = "auto";
  unsigned width = 0;  // 0: the terminal's
  bool stats = false;
  EngineOptions engine;
};
int Run(const RunOptions& options);

struct TestOptions {
  std::vector<std::string> packs;
  std::string run;  // only tests whose name contains it
  bool list = false;
  bool show_set = false;
  EngineOptions engine;
};
int Test(const TestOptions& options);

struct ExplainOptions {
  std::string pack;
  std::vector<std::string> paths;
  std::string attempt;
  std::vector<std::string> rules;
  std::string format = "text";
  std::string colour = "auto";
  unsigned width = 0;  // 0: the terminal's
  unsigned threads = 1;
};
int Explain(const ExplainOptions& options);

struct InspectOptions {
  std::string pack = "std";
  std::string rule;
  std::string emit;
};
int Inspect(const InspectOptions& options);

}  // namespace attr::cli

// One pack and one observation set through the product's engines and the oracle.
#pragma once

#include <string>
#include <vector>

#include "compiler/compile.h"
#include "tests/oracle/oracle.h"

namespace attr::oracle {

struct Case {
  PackText pack;
  std::map<std::string, PackText> imports;
  std::string observations;  // NDJSON
};

struct CompareOptions {
  bool native = false;
};

struct Comparison {
  enum class Kind : uint8_t {
    kEqual,
    kNotYet,     // the compiler refuses a construct with A0900
    kRejected,   // any other error of the compiler or of the reader
    kUnread,     // the oracle does not read a construct
    kDifferent,  // the verdicts, or certainty against all combinations
  };
  Kind kind = Kind::kEqual;
  std::string why;                          // the refused construct, the error, what differs
  std::string interpreted, native, oracle;  // verdicts as JSON
  bool by_all = false;                      // certainty was checked against all combinations
};

/// A compiled pack and its reading by the oracle, for several sets.
class Subject {
 public:
  explicit Subject(const Case& of);
  /// kEqual when there is something to run.
  const Comparison& state() const { return state_; }
  Comparison Compare(const std::string& observations, const CompareOptions& options) const;
  /// The product's verdict as JSON, or "error: …".
  std::string Product(const std::string& observations, bool native, unsigned threads = 1) const;
  /// The same of several inputs that are one set.
  std::string ProductOfSplit(const std::vector<std::string>& inputs) const;

 private:
  Comparison state_;
  std::unique_ptr<compiler::Compilation> compilation_;
  std::unique_ptr<Pack> pack_;
};

Comparison Compare(const Case& of, const CompareOptions& options);
/// The first lines in which two texts differ, with their numbers.
std::string FirstDifference(const std::string& a_name, const std::string& a, const std::string& b_name,
                            const std::string& b);

}  // namespace attr::oracle

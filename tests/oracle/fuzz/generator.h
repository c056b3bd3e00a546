// Random well-typed packs and observation sets over small domains, so that joins
// hit, places are missing, ranges overlap and outcomes stay open. Kept as parts,
// so that the minimiser can leave some out.
#pragma once

#include <set>

#include "tests/oracle/fuzz/compare.h"
#include "tests/oracle/fuzz/random.h"

namespace attr::oracle {

/// `head { clauses }`; a line of its own when there are none and `body` is false.
struct Part {
  std::string head;
  std::vector<std::string> clauses;
  bool body = true;
};
struct Draft {
  std::vector<Part> pack;
  std::vector<Part> library;  // of another pack that `pack` imports; empty: there is none
  std::map<std::string, std::string> tables;
  std::vector<std::string> attempt;                  // JSON members
  std::vector<std::string> other_attempts;           // JSON values: the set holds several
  std::vector<std::string> nodes, coverage, clocks;  // JSON values
  std::vector<std::string> header;                   // further JSON members of the first line
  std::vector<std::string> observations;             // lines
  std::set<std::string> uses;                        // constructs of constructs.h

  Case ToCase() const;
};

/// `constructs`: those that may be used.
Draft Generate(uint64_t seed, const std::set<std::string>& constructs);

/// A field that rules may read.
struct GenField {
  std::string name;
  Type type = Type::kInt;
};
struct GenEvent {
  std::string name;
  uint32_t root = 0;
  std::vector<std::string> sources;
  std::vector<GenField> fields;  // visible in rules
  bool closes = false;           // it may be asked whether it is open
  bool standing = false;         // findings, tables, the inventory: no observer, no line
};

/// What the makers share.
struct Gen {
  Gen(uint64_t seed, const std::set<std::string>& of) : random(seed), constructs(of) {}
  /// A construct that may be used, this time; counted.
  bool Use(const std::string& construct, int percent) {
    if (constructs.count(construct) == 0 || !random.Chance(percent)) return false;
    draft.uses.insert(construct);
    return true;
  }
  Random random;
  const std::set<std::string>& constructs;
  size_t matched = 0;  // the first of `events` are of lines
  Draft draft;
  std::vector<GenEvent> events;
  std::vector<std::string> domains{"hw", "hw.gpu", "hw.gpu.mem", "net", "net.ib", "sw", "sw.code", "store"};
  bool table = false;
  std::vector<std::string> node_names;  // of the set, as records may write them
  /// One in three packs uses one construct of the whole language, so that what the
  /// compiler refuses is counted by construct.
  std::string wide;
};

/// Constructs that packs can be made of, and a pack by which to see whether the
/// compiler evaluates it.
struct Construct {
  const char* name;
  const char* probe;
};
const std::vector<Construct>& Constructs();
/// Those that the compiler does not refuse.
std::set<std::string> EvaluatedConstructs();

void MakeEvents(Gen* gen);
void MakeRules(Gen* gen);
void MakeSet(Gen* gen);

/// A condition over the bindings (name, event); the last one is the binding's own.
std::string MakeCondition(Gen* gen, const std::vector<std::pair<std::string, uint32_t>>& bindings, int depth);

/// `earliest x`, `most x by x.f`, …
std::string MakeExtreme(Gen* gen, const std::vector<std::pair<std::string, uint32_t>>& bindings);
/// Comparisons of aggregates.
std::string MakeHaving(Gen* gen, const std::vector<std::pair<std::string, uint32_t>>& bindings);

}  // namespace attr::oracle

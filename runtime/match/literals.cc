// A walk over the tree that keeps, per node, the few exact strings it can be, or
// else a set of literals one of which it must contain.
#include "runtime/match/literals.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace attr::match {

namespace {

constexpr size_t kMostExact = 16;  // strings in a cross product
constexpr size_t kMostAtoms = 64;  // strings in an OR-set
constexpr size_t kLongest = 64;    // bytes of one literal

using Strings = std::vector<Literal>;

struct Node {
  bool exact = false;  // it matches exactly one of `strings`
  Strings strings;     // exact: at least one
  Strings any_of;      // not exact: a match contains one of them; empty: unknown
};

Node Anything() { return {}; }
Node Exactly(std::string text, bool caseless) { return {true, {{std::move(text), caseless}}, {}}; }

size_t Shortest(const Strings& set) {
  size_t shortest = SIZE_MAX;
  for (const Literal& literal : set) shortest = std::min(shortest, literal.text.size());
  return set.empty() ? 0 : shortest;
}

bool Usable(const Strings& set) {
  return !set.empty() && set.size() <= kMostAtoms && Shortest(set) >= kShortestLiteral;
}

/// Longer literals are rarer; long lists of them are not.
int Score(const Strings& set) {
  if (set.empty()) return -1;
  int score = static_cast<int>(std::min<size_t>(Shortest(set), 16)) * 4;
  for (size_t n = set.size(); n > 1; n /= 2) score -= 2;
  return score;
}

void KeepBetter(Strings& best, const Strings& candidate) {
  if (Usable(candidate) && Score(candidate) > Score(best)) best = candidate;
}

void SortUnique(Strings& set) {
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
}

Strings Required(const Node& node) {
  const Strings& set = node.exact ? node.strings : node.any_of;
  return Usable(set) ? set : Strings{};
}

/// One concatenation while it is read: a running cross product and the best so far.
class Sequence {
 public:
  void Append(const Node& node) {
    if (node.exact && run_.size() * node.strings.size() <= kMostExact && Fits(node)) {
      Strings product;
      for (const Literal& left : run_)
        for (const Literal& right : node.strings) product.push_back(Join(left, right));
      SortUnique(product);
      run_ = std::move(product);
      return;
    }
    Break();
    if (node.exact) {
      run_ = node.strings;
    } else {
      KeepBetter(best_, node.any_of);
    }
  }
  /// Something follows that is not known.
  void Break() {
    if (!broken_) first_run_ = run_;
    broken_ = true;
    KeepBetter(best_, run_);
    run_ = {{}};
  }
  Node Finish() {
    if (!broken_) return {true, run_, {}};
    Break();
    return {false, {}, best_};
  }
  /// What everything that the sequence matches begins with.
  std::string Prefix() const {
    const Strings& first = broken_ ? first_run_ : run_;
    std::string prefix = first[0].text;
    for (const Literal& literal : first) {
      if (literal.caseless) return {};
      const auto apart = std::mismatch(prefix.begin(), prefix.end(), literal.text.begin(), literal.text.end());
      prefix.erase(apart.first, prefix.end());
    }
    return prefix;
  }

 private:
  static Literal Join(const Literal& left, const Literal& right) {
    Literal joined{left.text + right.text, left.caseless || right.caseless};
    if (joined.caseless) {
      for (char& c : joined.text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    }
    return joined;
  }
  bool Fits(const Node& node) const {
    for (const Literal& literal : run_)
      if (literal.text.size() > kLongest) return false;
    return std::all_of(node.strings.begin(), node.strings.end(),
                       [](const Literal& literal) { return literal.text.size() <= kLongest; });
  }
  Strings run_{{}};
  Strings first_run_;
  Strings best_;
  bool broken_ = false;
};

class Analysis {
 public:
  explicit Analysis(const RegexTree& tree) { facts_.always_captures.assign(tree.names.size(), true); }

  PatternFacts Of(const RegexTree& tree) {
    facts_.any_of = Required(Walk(tree.root));
    facts_.openers = tree.openers;
    facts_.names = tree.names;
    if (tree.root.kind == Kind::kConcat) {
      Sequence sequence;
      for (const RegexNode& child : tree.root.children) {
        if (child.kind == Kind::kBeginText || child.kind == Kind::kBeginLine) break;
        Add(sequence, child);
      }
      facts_.prefix = sequence.Prefix();
    }
    return std::move(facts_);
  }

 private:
  using Kind = RegexNode::Kind;

  Node Walk(const RegexNode& node) {
    switch (node.kind) {
      case Kind::kLiteral:
        return Character(node);
      case Kind::kSet:
        return FewOf(node.set);
      case Kind::kUnknown:
        return Anything();
      case Kind::kCapture:
        return Walk(node.children[0]);
      case Kind::kAlternate:
        return Alternatives(node);
      case Kind::kConcat:
      case Kind::kRepeat: {
        Sequence sequence;
        if (node.kind == Kind::kRepeat) {
          Add(sequence, node);
        } else {
          for (const RegexNode& child : node.children) Add(sequence, child);
        }
        return sequence.Finish();
      }
      default:
        return Exactly("", false);  // empty, or a border
    }
  }

  void Add(Sequence& sequence, const RegexNode& node) {
    if (node.kind != Kind::kRepeat) {
      sequence.Append(Walk(node));
      return;
    }
    if (node.min == 0) Optional(node);
    Node once = Walk(node.children[0]);
    if (node.min == 0 && node.max == 1 && once.exact) {
      once.strings.push_back({});
      SortUnique(once.strings);
      sequence.Append(once);
    } else if (node.min == 0) {
      sequence.Break();
    } else {
      sequence.Append(once);
      if (node.max != 1) sequence.Break();
    }
  }

  Node Alternatives(const RegexNode& node) {
    Optional(node);
    std::vector<Node> branches;
    for (const RegexNode& child : node.children) branches.push_back(Walk(child));
    return Union(branches);
  }

  /// No capture below is certain to take part.
  void Optional(const RegexNode& node) {
    if (node.kind == Kind::kCapture) facts_.always_captures[static_cast<size_t>(node.capture - 1)] = false;
    for (const RegexNode& child : node.children) Optional(child);
  }

  static Node Union(const std::vector<Node>& branches) {
    Node all;
    all.exact = true;
    for (const Node& branch : branches) {
      all.exact = all.exact && branch.exact;
      all.strings.insert(all.strings.end(), branch.strings.begin(), branch.strings.end());
    }
    SortUnique(all.strings);
    if (all.exact && all.strings.size() <= kMostExact) return all;
    Node some;
    for (const Node& branch : branches) {
      const Strings required = Required(branch);
      if (required.empty()) return Anything();
      some.any_of.insert(some.any_of.end(), required.begin(), required.end());
    }
    SortUnique(some.any_of);
    return Usable(some.any_of) ? some : Anything();
  }

  /// A line end breaks runs: buffers of records are cut at line ends.
  static Node Character(const RegexNode& node) {
    if (node.text == "\n") return Anything();
    if (!node.caseless) return Exactly(node.text, false);
    // Unicode folds the Kelvin sign to k and the long s to s.
    if (node.text == "k") return {true, {{"k", true}, {"\xE2\x84\xAA", true}}, {}};
    if (node.text == "s") return {true, {{"s", true}, {"\xC5\xBF", true}}, {}};
    return Exactly(node.text, true);
  }

  /// A class of at most four members is that many exact strings.
  static Node FewOf(const CharSet& set) {
    Node node;
    node.exact = true;
    for (size_t c = 0; c < set.ascii.size(); ++c) {
      if (!set.ascii[c]) continue;
      if (c == '\n' || node.strings.size() == 4) return Anything();
      node.strings.push_back({std::string(1, static_cast<char>(c)), false});
    }
    return set.others || node.strings.empty() ? Anything() : node;
  }

  PatternFacts facts_;
};

}  // namespace

PatternFacts FactsOf(const RegexTree& tree) { return Analysis(tree).Of(tree); }

PatternFacts FactsOf(std::string_view pattern) {
  if (const auto tree = ReadRegex(pattern)) return FactsOf(*tree);
  return {};
}

}  // namespace attr::match

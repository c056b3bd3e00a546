// A recursive-descent reader of RE2's syntax that keeps, per node, the few exact
// strings it can be, or else a set of literals one of which it must contain.
#include "runtime/match/literals.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace attr::match {

namespace {

constexpr size_t kMostExact = 16;  // strings in a cross product
constexpr size_t kMostAtoms = 64;  // strings in an OR-set
constexpr size_t kLongest = 64;    // bytes of one literal
constexpr int kDeepest = 200;      // nested groups; deeper says nothing

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

std::string Utf8(uint32_t c) {
  std::string out;
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12);
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | c >> 18);
    out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
  return out;
}

bool IsAlnum(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

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
  /// What everything that the sequence matches begins with, when it is one exact text.
  std::string Prefix() const {
    const Strings& first = broken_ ? first_run_ : run_;
    return first.size() == 1 && !first[0].caseless ? first[0].text : std::string();
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

class Reader {
 public:
  explicit Reader(std::string_view pattern) : s_(pattern) {}

  std::optional<PatternFacts> Read() {
    Node node = Alternation(0);
    if (failed_ || i_ != s_.size()) return std::nullopt;
    PatternFacts facts;
    facts.any_of = Required(node);
    facts.always_captures = always_;
    facts.openers = openers_;
    if (!anchored_) facts.prefix = prefix_;
    return facts;
  }

 private:
  struct Quantifier {
    bool present = false, zero = false, once = false;
  };

  bool More() const { return i_ < s_.size(); }
  bool Eat(std::string_view word) {
    if (s_.compare(i_, word.size(), word) != 0) return false;
    i_ += word.size();
    return true;
  }

  Node Alternation(int depth) {
    if (depth > kDeepest) {
      failed_ = true;
      return Anything();
    }
    const size_t captures_before = always_.size();
    std::vector<Node> branches;
    do {
      branches.push_back(Concatenation(depth));
    } while (!failed_ && Eat("|"));
    if (branches.size() == 1) return branches[0];
    for (size_t c = captures_before; c < always_.size(); ++c) always_[c] = false;
    if (depth == 0) prefix_.clear();
    return Union(branches);
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

  Node Concatenation(int depth) {
    Sequence sequence;
    while (!failed_ && More() && s_[i_] != '|' && s_[i_] != ')') {
      const size_t captures_before = always_.size();
      Node atom = Atom(depth);
      const Quantifier quantifier = ReadQuantifier();
      Add(sequence, atom, quantifier, captures_before);
    }
    if (depth == 0) prefix_ = sequence.Prefix();
    return sequence.Finish();
  }

  void Add(Sequence& sequence, const Node& atom, const Quantifier& quantifier, size_t captures_before) {
    if (quantifier.zero) {
      for (size_t c = captures_before; c < always_.size(); ++c) always_[c] = false;
    }
    if (!quantifier.present) {
      sequence.Append(atom);
    } else if (quantifier.zero && quantifier.once && atom.exact) {
      Node maybe = atom;
      maybe.strings.push_back({});
      SortUnique(maybe.strings);
      sequence.Append(maybe);
    } else if (quantifier.zero) {
      sequence.Break();
    } else {
      sequence.Append(atom);  // at least once, then more of it
      sequence.Break();
    }
  }

  Quantifier ReadQuantifier() {
    Quantifier all;
    for (;;) {  // RE2 refuses `a**`; reading on is harmless
      Quantifier q;
      if (Eat("*")) {
        q = {true, true, false};
      } else if (Eat("+")) {
        q = {true, false, false};
      } else if (Eat("?")) {
        q = {true, true, true};
      } else if (!ReadCount(q)) {
        return all;
      }
      Eat("?");  // lazy
      all = all.present ? Quantifier{true, all.zero || q.zero, false} : q;
    }
  }

  bool ReadCount(Quantifier& q) {
    size_t j = i_;
    if (j >= s_.size() || s_[j] != '{') return false;
    const size_t close = s_.find('}', j);
    if (close == std::string_view::npos || close == j + 1) return false;
    const std::string_view body = s_.substr(j + 1, close - j - 1);
    if (body.find_first_not_of("0123456789,") != std::string_view::npos || body[0] == ',') return false;
    i_ = close + 1;
    const std::string_view low = body.substr(0, body.find(','));
    q = {true, low.find_first_not_of('0') == std::string_view::npos, false};
    return true;
  }

  Node Atom(int depth) {
    const char c = s_[i_];
    switch (c) {
      case '(':
        return Group(depth);
      case '[':
        return Class();
      case '.':
        ++i_;
        return Anything();
      case '^':
      case '$':
        if (c == '^') anchored_ = true;
        ++i_;
        return Exactly("", false);
      case '\\':
        return Escape();
      default:
        return Plain();
    }
  }

  Node Plain() {
    size_t end = i_ + 1;
    while (end < s_.size() && (static_cast<unsigned char>(s_[end]) & 0xC0U) == 0x80U) ++end;
    std::string text(s_.substr(i_, end - i_));
    i_ = end;
    return Character(std::move(text));
  }

  /// A line end breaks runs: buffers of records are cut at line ends.
  Node Character(std::string text) const {
    if (text == "\n") return Anything();
    if (!caseless_) return Exactly(std::move(text), false);
    if (static_cast<unsigned char>(text[0]) >= 0x80) return Anything();
    // Unicode folds the Kelvin sign to k and the long s to s.
    if (text == "k" || text == "K") return {true, {{"k", true}, {"\xE2\x84\xAA", true}}, {}};
    if (text == "s" || text == "S") return {true, {{"s", true}, {"\xC5\xBF", true}}, {}};
    if (text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] + 32);
    return Exactly(std::move(text), true);
  }

  Node Group(int depth) {
    const size_t open = i_++;
    const bool outside = caseless_;
    if (Eat("?P<") || Eat("?<")) {
      const size_t close = s_.find('>', i_);
      if (close == std::string_view::npos) return Fail();
      i_ = close + 1;
      Capture(open);
    } else if (Eat("?")) {
      if (!Flags()) return Fail();
      if (Eat(")")) {  // the flags last to the end of the enclosing group
        const bool quantified = More() && std::string_view("*+?{").find(s_[i_]) != std::string_view::npos;
        return quantified ? Fail() : Exactly("", false);  // RE2 repeats what stands before the flags
      }
      if (!Eat(":")) return Fail();
    } else {
      Capture(open);
    }
    Node inner = Alternation(depth + 1);
    caseless_ = outside;
    if (!Eat(")")) return Fail();
    return inner;
  }

  void Capture(size_t open) {
    always_.push_back(true);
    openers_.emplace_back(open, i_ - open);
  }

  bool Flags() {
    bool on = true;
    for (; More(); ++i_) {
      switch (s_[i_]) {
        case '-':
          on = false;
          break;
        case 'i':
          caseless_ = on;
          break;
        case 'm':
        case 's':
        case 'U':
          break;
        default:
          return s_[i_] == ')' || s_[i_] == ':';
      }
    }
    return false;
  }

  Node Fail() {
    failed_ = true;
    return Anything();
  }

  Node Escape() {
    ++i_;
    if (!More()) return Fail();
    const char c = s_[i_++];
    switch (c) {
      case 'A':
        anchored_ = true;
        return Exactly("", false);
      case 'z':
      case 'b':
      case 'B':
        return Exactly("", false);
      case 't':
        return Character("\t");
      case 'r':
        return Character("\r");
      case 'f':
        return Character("\f");
      case 'v':
        return Character("\v");
      case 'a':
        return Character("\a");
      case 'n':
        return Anything();
      case 'Q':
        return Quoted();
      case 'x':
        return Hex();
      case 'p':
      case 'P':
        SkipProperty();
        return Anything();
      default:
        break;
    }
    if (c >= '0' && c <= '9') {
      while (More() && s_[i_] >= '0' && s_[i_] <= '9') ++i_;
      return Anything();
    }
    if (IsAlnum(c)) return Anything();  // \d \w \s \D \W \S \C
    if (static_cast<unsigned char>(c) >= 0x80) return Fail();
    return Character(std::string(1, c));
  }

  void SkipProperty() {
    if (!More()) return;
    if (s_[i_] != '{') {
      ++i_;
      return;
    }
    const size_t close = s_.find('}', i_);
    i_ = close == std::string_view::npos ? s_.size() : close + 1;
  }

  Node Quoted() {
    const size_t end = std::min(s_.find("\\E", i_), s_.size());
    Sequence sequence;
    while (i_ < end) sequence.Append(Plain());
    Eat("\\E");
    // A quantifier after \E belongs to the last character alone.
    if (More() && std::string_view("*+?{").find(s_[i_]) != std::string_view::npos) return Anything();
    return sequence.Finish();
  }

  Node Hex() {
    uint32_t value = 0;
    size_t digits = 0;
    const bool braces = Eat("{");
    for (; More() && digits < (braces ? 8 : 2); ++digits, ++i_) {
      const char c = s_[i_];
      const int digit = c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
      if (digit < 0) break;
      value = value * 16 + static_cast<uint32_t>(digit);
    }
    if (digits == 0 || (braces && !Eat("}")) || value > 0x10FFFF) return Fail();
    return Character(Utf8(value));
  }

  /// A class of at most four plain ASCII members is that many exact strings.
  Node Class() {
    ++i_;
    const bool negated = Eat("^");
    std::string members;
    bool plain = !negated;
    for (bool first = true;; first = false) {
      if (!More()) return Fail();
      const char c = s_[i_];
      if (c == ']' && !first) break;
      if (c == '[' && s_.compare(i_, 2, "[:") == 0) {
        const size_t close = s_.find(":]", i_);
        if (close == std::string_view::npos) return Fail();
        i_ = close + 2;
        plain = false;
        continue;
      }
      if (c == '\\') {
        if (!ClassEscape(members)) plain = false;
        continue;
      }
      if (static_cast<unsigned char>(c) >= 0x80 || c == '\n') plain = false;
      if (c == '-' && !first && i_ + 1 < s_.size() && s_[i_ + 1] != ']') plain = false;  // a range
      members += c;
      ++i_;
    }
    ++i_;
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    if (!plain || members.empty() || members.size() > 4) return Anything();
    Node node;
    node.exact = true;
    for (const char member : members) {
      const Node one = Character(std::string(1, member));
      if (!one.exact) return Anything();
      node.strings.insert(node.strings.end(), one.strings.begin(), one.strings.end());
    }
    SortUnique(node.strings);
    return node;
  }

  /// True when the escape is one plain ASCII character.
  bool ClassEscape(std::string& members) {
    ++i_;
    if (!More()) return false;
    const char c = s_[i_++];
    if (c == 'x') {
      Hex();
      return false;
    }
    if (c == 'p' || c == 'P') {
      SkipProperty();
      return false;
    }
    if (IsAlnum(c) || static_cast<unsigned char>(c) >= 0x80) return false;
    members += c;
    return true;
  }

  std::string_view s_;
  size_t i_ = 0;
  bool caseless_ = false;
  bool failed_ = false;
  bool anchored_ = false;
  std::vector<bool> always_;
  std::vector<std::pair<size_t, size_t>> openers_;
  std::string prefix_;
};

}  // namespace

PatternFacts FactsOf(std::string_view pattern) {
  if (auto facts = Reader(pattern).Read()) return *std::move(facts);
  return {};
}

}  // namespace attr::match

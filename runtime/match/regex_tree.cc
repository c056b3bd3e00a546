#include "runtime/match/regex_tree.h"

#include <algorithm>

namespace attr::match {

namespace {

using Kind = RegexNode::Kind;

constexpr int kDeepest = 200;  // nested groups
constexpr std::string_view kQuantifiers = "*+?{";

bool IsAlnum(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

RegexNode Of(Kind kind) {
  RegexNode node;
  node.kind = kind;
  return node;
}

std::string Utf8(uint32_t c) {
  std::string out;
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | c >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
  return out;
}

/// \d \s \w and their complements.
bool PerlClass(char letter, CharSet& set) {
  CharSet members;
  const char lower = static_cast<char>(letter | 32);
  for (int c = 0; c < 128; ++c) {
    const char ch = static_cast<char>(c);
    const bool digit = ch >= '0' && ch <= '9';
    members.ascii[static_cast<size_t>(c)] = lower == 'd' ? digit
                                            : lower == 's'
                                                ? ch == ' ' || ch == '\t' || ch == '\n' || ch == '\f' || ch == '\r'
                                                : IsAlnum(ch) || ch == '_';
  }
  if (lower != 'd' && lower != 's' && lower != 'w') return false;
  const bool negated = letter != lower;
  for (size_t c = 0; c < 128; ++c) set.ascii[c] = set.ascii[c] || members.ascii[c] != negated;
  set.others = set.others || negated;
  return true;
}

class Reader {
 public:
  explicit Reader(std::string_view pattern) : s_(pattern) {}

  std::optional<RegexTree> Read() {
    tree_.root = Alternation(0);
    if (failed_ || i_ != s_.size()) return std::nullopt;
    return std::move(tree_);
  }

 private:
  struct Flags {
    bool caseless = false, multi_line = false, dot_all = false, swapped = false;
  };

  bool More() const { return i_ < s_.size(); }
  bool Eat(std::string_view word) {
    if (s_.compare(i_, word.size(), word) != 0) return false;
    i_ += word.size();
    return true;
  }
  bool AtQuantifier() const { return More() && kQuantifiers.find(s_[i_]) != std::string_view::npos; }
  RegexNode Fail() {
    failed_ = true;
    return {};
  }

  RegexNode Alternation(int depth) {
    if (depth > kDeepest) return Fail();
    RegexNode all = Of(Kind::kAlternate);
    do {
      all.children.push_back(Concatenation(depth));
    } while (!failed_ && Eat("|"));
    if (all.children.size() > 1) return all;
    return std::move(all.children[0]);
  }

  RegexNode Concatenation(int depth) {
    RegexNode all = Of(Kind::kConcat);
    while (!failed_ && More() && s_[i_] != '|' && s_[i_] != ')') {
      RegexNode atom = Atom(depth);
      while (!failed_ && Quantify(atom)) {
      }
      all.children.push_back(std::move(atom));
    }
    return all;
  }

  bool Quantify(RegexNode& atom) {
    RegexNode repeat = Of(Kind::kRepeat);
    if (Eat("*")) {
      repeat.max = -1;
    } else if (Eat("+")) {
      repeat.min = 1;
      repeat.max = -1;
    } else if (Eat("?")) {
      repeat.max = 1;
    } else if (!Count(repeat)) {
      return false;
    }
    repeat.lazy = Eat("?") != flags_.swapped;
    repeat.children.push_back(std::move(atom));
    atom = std::move(repeat);
    return true;
  }

  /// {n} {n,} {n,m}; anything else is a literal brace.
  bool Count(RegexNode& repeat) {
    if (!More() || s_[i_] != '{') return false;
    size_t j = i_ + 1;
    const auto number = [&](int& value) {
      const size_t begin = j;
      for (value = 0; j < s_.size() && s_[j] >= '0' && s_[j] <= '9' && value < 10000; ++j)
        value = value * 10 + (s_[j] - '0');
      return j > begin;
    };
    if (!number(repeat.min)) return false;
    repeat.max = repeat.min;
    if (j < s_.size() && s_[j] == ',') {
      ++j;
      if (!number(repeat.max)) repeat.max = -1;
    }
    if (j >= s_.size() || s_[j] != '}') return false;
    i_ = j + 1;
    return true;
  }

  RegexNode Atom(int depth) {
    switch (s_[i_]) {
      case '(':
        return Group(depth);
      case '[':
        return Class();
      case '.':
        ++i_;
        return Dot();
      case '^':
        ++i_;
        return Of(flags_.multi_line ? Kind::kBeginLine : Kind::kBeginText);
      case '$':
        ++i_;
        return Of(flags_.multi_line ? Kind::kEndLine : Kind::kEndText);
      case '\\':
        return Escape();
      default:
        return Plain();
    }
  }

  RegexNode Dot() const {
    RegexNode node = Of(Kind::kSet);
    node.set.ascii.fill(true);
    node.set.ascii['\n'] = flags_.dot_all;
    node.set.others = true;
    return node;
  }

  RegexNode Plain() {
    size_t end = i_ + 1;
    while (end < s_.size() && (static_cast<unsigned char>(s_[end]) & 0xC0U) == 0x80U) ++end;
    std::string text(s_.substr(i_, end - i_));
    i_ = end;
    return Character(std::move(text));
  }

  RegexNode Character(std::string text) const {
    RegexNode node = Of(Kind::kLiteral);
    if (flags_.caseless && !IsAscii(text[0])) return Of(Kind::kUnknown);
    if (flags_.caseless && IsLetter(text[0])) {
      node.caseless = true;
      text[0] = static_cast<char>(text[0] | 32);
    }
    node.text = std::move(text);
    return node;
  }

  RegexNode Group(int depth) {
    const size_t open = i_++;
    const Flags outside = flags_;
    int capture = 0;
    if (Eat("?P<") || Eat("?<")) {
      const size_t name = i_;
      const size_t close = s_.find('>', i_);
      if (close == std::string_view::npos) return Fail();
      i_ = close + 1;
      capture = Capture(open, s_.substr(name, close - name));
    } else if (Eat("?")) {
      if (!ReadFlags()) return Fail();
      if (Eat(")")) {  // the flags last to the end of the enclosing group
        // RE2 repeats what stands before the flags.
        return AtQuantifier() ? Fail() : Of(Kind::kEmpty);
      }
      if (!Eat(":")) return Fail();
    } else {
      capture = Capture(open, {});
    }
    RegexNode inner = Alternation(depth + 1);
    flags_ = outside;
    if (!Eat(")")) return Fail();
    if (capture == 0) return inner;
    RegexNode node = Of(Kind::kCapture);
    node.capture = capture;
    node.children.push_back(std::move(inner));
    return node;
  }

  int Capture(size_t open, std::string_view name) {
    tree_.openers.emplace_back(open, i_ - open);
    tree_.names.emplace_back(name);
    return static_cast<int>(tree_.names.size());
  }

  bool ReadFlags() {
    bool on = true;
    for (; More(); ++i_) {
      switch (s_[i_]) {
        case '-':
          on = false;
          break;
        case 'i':
          flags_.caseless = on;
          break;
        case 'm':
          flags_.multi_line = on;
          break;
        case 's':
          flags_.dot_all = on;
          break;
        case 'U':
          flags_.swapped = on;
          break;
        default:
          return s_[i_] == ')' || s_[i_] == ':';
      }
    }
    return false;
  }

  RegexNode Escape() {
    ++i_;
    if (!More()) return Fail();
    const char c = s_[i_++];
    constexpr std::string_view kControls = "tnrfva";
    if (const size_t control = kControls.find(c); control != std::string_view::npos)
      return Character(std::string(1, "\t\n\r\f\v\a"[control]));
    switch (c) {
      case 'A':
        return Of(Kind::kBeginText);
      case 'z':
        return Of(Kind::kEndText);
      case 'b':
        return Of(Kind::kWordBorder);
      case 'B':
        return Of(Kind::kNoWordBorder);
      case 'Q':
        return Quoted();
      case 'x':
        return Hex();
      case 'p':
      case 'P':
        SkipProperty();
        return Of(Kind::kUnknown);
      default:
        break;
    }
    RegexNode node = Of(Kind::kSet);
    if (PerlClass(c, node.set)) return node;
    if (c >= '0' && c <= '9') {
      while (More() && s_[i_] >= '0' && s_[i_] <= '9') ++i_;
      return Of(Kind::kUnknown);
    }
    if (IsAlnum(c)) return Of(Kind::kUnknown);  // \C
    if (!IsAscii(c)) return Fail();
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

  RegexNode Quoted() {
    const size_t end = std::min(s_.find("\\E", i_), s_.size());
    RegexNode all = Of(Kind::kConcat);
    while (i_ < end) all.children.push_back(Plain());
    Eat("\\E");
    // A quantifier after \E belongs to the last character alone.
    return AtQuantifier() ? Fail() : std::move(all);
  }

  RegexNode Hex() {
    uint32_t value = 0;
    size_t digits = 0;
    const bool braces = Eat("{");
    for (; More() && digits < (braces ? 8 : 2); ++digits, ++i_) {
      const char c = s_[i_];
      const char low = static_cast<char>(c | 32);
      const int digit = c >= '0' && c <= '9' ? c - '0' : low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
      if (digit < 0) break;
      value = value * 16 + static_cast<uint32_t>(digit);
    }
    if (digits == 0 || (braces && !Eat("}")) || value > 0x10FFFF) return Fail();
    return Character(Utf8(value));
  }

  /// Only ASCII members are modelled; a class with others is unknown.
  RegexNode Class() {
    ++i_;
    RegexNode node = Of(Kind::kSet);
    const bool negated = Eat("^");
    bool modelled = true;
    for (bool first = true; first || !More() || s_[i_] != ']'; first = false) {
      if (!More()) return Fail();
      if (s_.compare(i_, 2, "[:") == 0) {
        const size_t close = s_.find(":]", i_ + 2);
        if (close == std::string_view::npos) return Fail();
        i_ = close + 2;
        modelled = false;
        continue;
      }
      int low = 0;
      if (!Member(node.set, low, modelled)) continue;
      int high = low;
      if (i_ + 1 < s_.size() && s_[i_] == '-' && s_[i_ + 1] != ']') {
        ++i_;
        if (!Member(node.set, high, modelled)) {
          modelled = false;
          continue;
        }
      }
      for (int c = low; c <= high && c < 128; ++c) node.set.ascii[static_cast<size_t>(c)] = true;
    }
    ++i_;
    if (!modelled) return Of(Kind::kUnknown);
    return Finish(std::move(node), negated);
  }

  RegexNode Finish(RegexNode node, bool negated) const {
    CharSet& set = node.set;
    if (flags_.caseless) {
      for (char c = 'a'; c <= 'z'; ++c) {
        const auto lower = static_cast<size_t>(static_cast<unsigned char>(c));
        const bool any = set.ascii[lower] || set.ascii[lower - 32];
        if (any && (c == 'k' || c == 's')) return Of(Kind::kUnknown);  // Unicode folds them to others
        set.ascii[lower] = set.ascii[lower - 32] = any;
      }
    }
    if (negated) {
      for (bool& member : set.ascii) member = !member;
      set.others = !set.others;
    }
    return node;
  }

  /// One member; false when it was a class of its own or is not modelled.
  bool Member(CharSet& set, int& value, bool& modelled) {
    if (!More()) {
      failed_ = true;
      return false;
    }
    const char c = s_[i_++];
    if (!IsAscii(c)) {
      modelled = false;
      return false;
    }
    value = static_cast<unsigned char>(c);
    if (c != '\\') return true;
    if (!More()) return false;
    const char e = s_[i_++];
    if (PerlClass(e, set)) return false;
    constexpr std::string_view kControls = "tnrfva";
    if (const size_t control = kControls.find(e); control != std::string_view::npos) {
      value = static_cast<unsigned char>("\t\n\r\f\v\a"[control]);
      return true;
    }
    if (e == 'x') {
      const RegexNode one = Hex();
      modelled = modelled && one.text.size() == 1;
      if (one.text.size() != 1) return false;
      value = static_cast<unsigned char>(one.text[0]);
      return true;
    }
    if (e == 'p' || e == 'P') SkipProperty();
    if (IsAlnum(e) || !IsAscii(e)) {
      modelled = false;
      return false;
    }
    value = static_cast<unsigned char>(e);
    return true;
  }

  std::string_view s_;
  size_t i_ = 0;
  Flags flags_;
  bool failed_ = false;
  RegexTree tree_;
};

}  // namespace

std::optional<RegexTree> ReadRegex(std::string_view pattern) { return Reader(pattern).Read(); }

}  // namespace attr::match

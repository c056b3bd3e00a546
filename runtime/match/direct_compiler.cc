// Trees to the direct matcher's instructions.
#include <algorithm>

#include "runtime/match/direct_matcher.h"

namespace attr::match {

namespace {

using Kind = RegexNode::Kind;

constexpr size_t kMostInstructions = 2000;

bool IsOneCharacter(const RegexNode& node) {
  return node.kind == Kind::kSet || (node.kind == Kind::kLiteral && node.text.size() == 1);
}

bool CanBeEmpty(const RegexNode& node) {
  switch (node.kind) {
    case Kind::kLiteral:
    case Kind::kSet:
      return false;
    case Kind::kCapture:
      return CanBeEmpty(node.children[0]);
    case Kind::kRepeat:
      return node.min == 0 || CanBeEmpty(node.children[0]);
    case Kind::kConcat:
      return std::all_of(node.children.begin(), node.children.end(), CanBeEmpty);
    case Kind::kAlternate:
      return std::any_of(node.children.begin(), node.children.end(), CanBeEmpty);
    default:
      return true;
  }
}

}  // namespace

class DirectCompiler {
 public:
  using Op = DirectMatcher::Op;
  using Instruction = DirectMatcher::Instruction;
  using Table = DirectMatcher::Table;

  DirectCompiler(DirectMatcher& out, const std::vector<int>& wanted) : out_(out), wanted_(wanted) {}

  bool Compile(const RegexTree& tree, std::string prefix) {
    if (wanted_.size() > DirectMatcher::kMostGroups) return false;
    out_.slots_ = 2 * wanted_.size();
    if (!Emit(tree.root)) return false;
    Put(Op::kMatch);
    for (uint32_t pc = 0; pc < out_.code_.size(); ++pc) Link(pc);
    const Beginnings first = BeginningsOf(0);
    out_.any_first_ = first.CanBeEmpty();
    out_.first_ = first.bytes;
    out_.prefix_ = std::move(prefix);
    const Instruction& begin = out_.code_[0];
    out_.starts_with_prefix_ = begin.op == Op::kText && begin.b == out_.prefix_.size();
    return true;
  }

 private:
  Instruction& Put(Op op) {
    out_.code_.emplace_back();
    out_.code_.back().op = op;
    return out_.code_.back();
  }
  uint32_t Here() const { return static_cast<uint32_t>(out_.code_.size()); }

  bool Emit(const RegexNode& node) {
    if (out_.code_.size() > kMostInstructions) return false;
    switch (node.kind) {
      case Kind::kEmpty:
        return true;
      case Kind::kLiteral:
        return Literal(node);
      case Kind::kSet:
        Put(Op::kSet).a = SetOf(node);
        return true;
      case Kind::kCapture:
        return Capture(node);
      case Kind::kConcat:
        return std::all_of(node.children.begin(), node.children.end(), [&](const auto& child) { return Emit(child); });
      case Kind::kAlternate:
        return Alternate(node);
      case Kind::kRepeat:
        return Repeat(node);
      case Kind::kBeginText:
        return Border(Op::kBeginText);
      case Kind::kEndText:
        return Border(Op::kEndText);
      case Kind::kBeginLine:
        return Border(Op::kBeginLine);
      case Kind::kEndLine:
        return Border(Op::kEndLine);
      case Kind::kWordBorder:
        return Border(Op::kWordBorder);
      case Kind::kNoWordBorder:  // RE2 finds it inside characters, too
      case Kind::kUnknown:
        return false;
    }
    return false;
  }

  bool Border(Op op) {
    border_ = Here() + 1;
    Put(op);
    return true;
  }

  bool Literal(const RegexNode& node) {
    if (node.caseless) {
      if (node.text == "k" || node.text == "s") return false;  // Unicode folds them to others
      Put(Op::kSet).a = SetOf(node);
      return true;
    }
    // Literals behind each other are one, unless something jumps in between.
    const bool joins = !out_.code_.empty() && out_.code_.back().op == Op::kText && border_ != Here() &&
                       out_.code_.back().a + out_.code_.back().b == out_.literals_.size();
    if (!joins) {
      Instruction& text = Put(Op::kText);
      text.a = static_cast<uint32_t>(out_.literals_.size());
    }
    out_.literals_ += node.text;
    out_.code_.back().b += static_cast<uint32_t>(node.text.size());
    return true;
  }

  bool Capture(const RegexNode& node) {
    const auto found = std::find(wanted_.begin(), wanted_.end(), node.capture);
    if (found == wanted_.end()) return Emit(node.children[0]);
    const auto slot = static_cast<uint32_t>(2 * (found - wanted_.begin()));
    const uint32_t begin = Here();
    Put(Op::kSave).a = slot;
    if (!Emit(node.children[0])) return false;
    if (Here() == begin + 2 && out_.code_.back().op == Op::kRun && out_.code_.back().slot == DirectMatcher::kNoSlot) {
      out_.code_[begin] = out_.code_.back();  // the run saves its own bounds: nothing can jump in between
      out_.code_.pop_back();
      out_.code_.back().slot = slot;
      return true;
    }
    Put(Op::kSave).a = slot + 1;
    return true;
  }

  bool Alternate(const RegexNode& node) {
    std::vector<uint32_t> exits;
    for (size_t c = 0; c < node.children.size(); ++c) {
      const bool last = c + 1 == node.children.size();
      const uint32_t split = Here();
      if (!last) Put(Op::kSplit).a = split + 1;
      border_ = Here();
      if (!Emit(node.children[c])) return false;
      if (last) break;
      exits.push_back(Here());
      Put(Op::kJump);
      out_.code_[split].b = Here();
    }
    for (const uint32_t exit : exits) out_.code_[exit].a = Here();
    border_ = Here();
    return true;
  }

  bool Repeat(const RegexNode& node) {
    const RegexNode& body = node.children[0];
    const bool caseless_special =
        body.kind == Kind::kLiteral && body.caseless && (body.text == "k" || body.text == "s");
    if (IsOneCharacter(body) && !caseless_special) {
      const uint32_t set = SetOf(body);
      Instruction& run = Put(Op::kRun);
      run.a = set;
      run.min = node.min;
      run.max = node.max;
      run.lazy = node.lazy;
      return true;
    }
    if (CanBeEmpty(body)) return false;
    border_ = Here();
    for (int i = 0; i < node.min; ++i)
      if (!Emit(body)) return false;
    if (node.max < 0) return Loop(body, node.lazy);
    std::vector<uint32_t> splits;
    for (int i = node.min; i < node.max; ++i) {
      splits.push_back(Here());
      Put(Op::kSplit);
      border_ = Here();
      if (!Emit(body)) return false;
    }
    for (const uint32_t split : splits) Choose(split, split + 1, Here(), node.lazy);
    border_ = Here();
    return true;
  }

  bool Loop(const RegexNode& body, bool lazy) {
    const uint32_t split = Here();
    Put(Op::kSplit);
    border_ = Here();
    if (!Emit(body)) return false;
    Put(Op::kJump).a = split;
    Choose(split, split + 1, Here(), lazy);
    border_ = Here();
    return true;
  }

  void Choose(uint32_t split, uint32_t more, uint32_t out, bool lazy) {
    out_.code_[split].a = lazy ? out : more;
    out_.code_[split].b = lazy ? more : out;
  }

  uint32_t SetOf(const RegexNode& node) {
    Table table{};
    if (node.kind == Kind::kLiteral) {
      const auto c = static_cast<unsigned char>(node.text[0]);
      table[c] = true;
      if (node.caseless) table[c - 32U] = true;
    } else {
      for (size_t c = 0; c < 256; ++c) table[c] = c < 128 ? node.set.ascii[c] : node.set.others;
    }
    return Known(table);
  }

  uint32_t Known(const Table& table) {
    const auto known = std::find(out_.sets_.begin(), out_.sets_.end(), table);
    if (known != out_.sets_.end()) return static_cast<uint32_t>(known - out_.sets_.begin());
    out_.sets_.push_back(table);
    return static_cast<uint32_t>(out_.sets_.size() - 1);
  }

  const Instruction& After(uint32_t pc) const {
    for (;;) {
      const Instruction& instruction = out_.code_[pc];
      if (instruction.op == Op::kSave) {
        ++pc;
      } else if (instruction.op == Op::kJump && instruction.a > pc) {
        pc = instruction.a;
      } else {
        return instruction;
      }
    }
  }

  /// How the ways from one instruction to the match can begin.
  struct Beginnings {
    Table bytes{};
    bool empty = false;            // a way holds nothing, whatever stands there
    bool empty_if_border = false;  // a way holds nothing but borders, or is not known
    bool CanBeEmpty() const { return empty || empty_if_border; }
  };

  Beginnings BeginningsOf(uint32_t from) const {
    constexpr size_t kMostLookedAt = 256;
    Beginnings all;
    std::vector<std::pair<uint32_t, bool>> open{{from, false}};  // and whether a border stands before
    std::vector<std::pair<uint32_t, bool>> seen;
    while (!open.empty()) {
      const auto [pc, border] = open.back();
      open.pop_back();
      if (std::find(seen.begin(), seen.end(), std::pair(pc, border)) != seen.end()) continue;
      if (seen.size() == kMostLookedAt) {
        all.empty_if_border = true;
        return all;
      }
      seen.emplace_back(pc, border);
      const Instruction& instruction = out_.code_[pc];
      switch (instruction.op) {
        case Op::kText:
          all.bytes[static_cast<unsigned char>(out_.literals_[instruction.a])] = true;
          break;
        case Op::kSet:
        case Op::kRun:
          for (size_t c = 0; c < 256; ++c) all.bytes[c] = all.bytes[c] || out_.sets_[instruction.a][c];
          if (instruction.op == Op::kRun && instruction.min == 0) open.emplace_back(pc + 1, border);
          break;
        case Op::kSplit:
          open.emplace_back(instruction.a, border);
          open.emplace_back(instruction.b, border);
          break;
        case Op::kJump:
          open.emplace_back(instruction.a, border);
          break;
        case Op::kMatch:
          (border ? all.empty_if_border : all.empty) = true;
          break;
        case Op::kSave:
          open.emplace_back(pc + 1, border);
          break;
        default:
          open.emplace_back(pc + 1, true);
      }
    }
    return all;
  }

  void Link(uint32_t pc) {
    if (out_.code_[pc].op == Op::kRun) LinkRun(pc);
    if (out_.code_[pc].op != Op::kSplit) return;
    const auto first_of = [&](uint32_t choice) {
      const Beginnings first = BeginningsOf(choice);
      return first.CanBeEmpty() ? DirectMatcher::kAny : Known(first.bytes);
    };
    const uint32_t first_a = first_of(out_.code_[pc].a);
    const uint32_t first_b = first_of(out_.code_[pc].b);
    out_.code_[pc].first_a = first_a;
    out_.code_[pc].first_b = first_b;
  }

  /// Whoever gives characters back goes on before a character of the set: in vain when
  /// what follows begins with none of them, and not needed when it can be empty.
  void LinkRun(uint32_t pc) {
    Instruction& run = out_.code_[pc];
    const Table& set = out_.sets_[run.a];
    const Instruction& next = After(pc + 1);
    if (next.op == Op::kText) run.next_byte = static_cast<unsigned char>(out_.literals_[next.a]);
    run.to_line_end = std::count(set.begin(), set.end(), true) == 255 && !set['\n'];
    run.bytes = std::none_of(set.begin() + 128, set.end(), [](bool in) { return in; });
    const Beginnings follow = BeginningsOf(pc + 1);
    bool apart = !follow.CanBeEmpty();
    for (size_t c = 0; c < 256; ++c) apart = apart && !(set[c] && follow.bytes[c]);
    run.possessive = follow.empty || apart;
  }

  DirectMatcher& out_;
  const std::vector<int>& wanted_;
  uint32_t border_ = UINT32_MAX;  // an instruction that something jumps to begins here
};

std::unique_ptr<DirectMatcher> DirectMatcher::Make(const RegexTree& tree, const std::vector<int>& wanted,
                                                   std::string prefix) {
  auto matcher = std::make_unique<DirectMatcher>();
  if (!DirectCompiler(*matcher, wanted).Compile(tree, std::move(prefix))) return nullptr;
  return matcher;
}

}  // namespace attr::match

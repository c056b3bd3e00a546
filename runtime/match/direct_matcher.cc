#include "runtime/match/direct_matcher.h"

#include <algorithm>
#include <cstring>

namespace attr::match {

namespace {

bool IsWord(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool Continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

/// One search: the text, the choices still open and the work done.
class DirectMatcher::Search {
 public:
  Search(const DirectMatcher& matcher, std::string_view text)
      : m_(matcher), text_(text), open_(OpenStack()), saves_(Saves()), budget_(4096 + 16 * text.size()) {
    saves_.assign(m_.slots_, -1);
  }

  Outcome Run(std::vector<Span>& spans) {
    for (size_t start = Next(0); start != std::string_view::npos; start = Next(start + 1)) {
      const Outcome outcome = At(start);
      if (outcome == Outcome::kGaveUp) return outcome;
      if (outcome == Outcome::kNo) continue;
      spans.resize(1 + m_.slots_ / 2);
      spans[0] = {static_cast<int64_t>(start), static_cast<int64_t>(end_)};
      for (size_t s = 0; s < m_.slots_; s += 2) {
        const bool whole = saves_[s] >= 0 && saves_[s + 1] >= 0;
        spans[1 + s / 2] = whole ? Span{saves_[s], saves_[s + 1]} : Span{};
      }
      return outcome;
    }
    return Outcome::kNo;
  }

 private:
  enum class Choice : uint8_t { kBranch, kShrink, kGrow, kRestore };
  struct Entry {
    Choice choice = Choice::kBranch;
    uint32_t pc = 0;      // kRestore: slot
    size_t position = 0;  // kRestore: old value plus one
    size_t bound = 0;     // kShrink: least; kGrow: characters still allowed
  };

  static std::vector<Entry>& OpenStack() {
    thread_local std::vector<Entry> stack;
    return stack;
  }
  static std::vector<int64_t>& Saves() {
    thread_local std::vector<int64_t> saves;
    return saves;
  }

  /// Where the next match can begin.
  size_t Next(size_t from) {
    if (!m_.prefix_.empty()) {
      if (from > text_.size()) return std::string_view::npos;
      const void* found = memmem(text_.data() + from, text_.size() - from, m_.prefix_.data(), m_.prefix_.size());
      if (found == nullptr) return std::string_view::npos;
      return static_cast<size_t>(static_cast<const char*>(found) - text_.data());
    }
    if (m_.any_first_) return from <= text_.size() ? from : std::string_view::npos;
    while (from < text_.size() && !m_.first_[Byte(from)]) ++from;
    return from < text_.size() ? from : std::string_view::npos;
  }

  unsigned char Byte(size_t position) const { return static_cast<unsigned char>(text_[position]); }
  size_t StepOver(size_t position) const {
    ++position;
    while (position < text_.size() && Continues(text_[position])) ++position;
    return position;
  }
  size_t StepBack(size_t position) const {
    --position;
    while (position > 0 && Continues(text_[position])) --position;
    return position;
  }
  bool Spend(size_t work) {
    if (work > budget_) return false;
    budget_ -= work;
    return true;
  }

  Outcome At(size_t start) {
    if (start < text_.size() && Continues(text_[start])) return Outcome::kNo;
    open_.clear();
    std::fill(saves_.begin(), saves_.end(), -1);
    uint32_t pc = 0;
    size_t position = start;
    for (;;) {
      if (!Spend(1)) return Outcome::kGaveUp;
      const Instruction& instruction = m_.code_[pc];
      if (instruction.op == Op::kMatch) {
        end_ = position;
        return Outcome::kYes;
      }
      if (Step(instruction, pc, position)) continue;
      if (gave_up_) return Outcome::kGaveUp;
      if (!Resume(pc, position)) return gave_up_ ? Outcome::kGaveUp : Outcome::kNo;
    }
  }

  bool Step(const Instruction& instruction, uint32_t& pc, size_t& position) {
    switch (instruction.op) {
      case Op::kText:
        if (text_.size() - position < instruction.b ||
            std::memcmp(text_.data() + position, m_.literals_.data() + instruction.a, instruction.b) != 0) {
          return false;
        }
        position += instruction.b;
        break;
      case Op::kSet:
        if (position >= text_.size() || !m_.sets_[instruction.a][Byte(position)]) return false;
        position = StepOver(position);
        break;
      case Op::kRun:
        if (!Run(instruction, pc, position)) return false;
        break;
      case Op::kSave:
        if (!open_.empty()) {
          open_.push_back({Choice::kRestore, instruction.a, static_cast<size_t>(saves_[instruction.a] + 1), 0});
        }
        saves_[instruction.a] = static_cast<int64_t>(position);
        break;
      case Op::kSplit: {
        const bool first =
            instruction.next_byte < 0 || (position < text_.size() && Byte(position) == instruction.next_byte);
        if (first) open_.push_back({Choice::kBranch, instruction.b, position, 0});
        pc = first ? instruction.a : instruction.b;
        return true;
      }
      case Op::kJump:
        pc = instruction.a;
        return true;
      default:
        if (!Holds(instruction.op, position)) return false;
    }
    ++pc;
    return true;
  }

  bool Holds(Op op, size_t position) const {
    const bool at_begin = position == 0;
    const bool at_end = position == text_.size();
    switch (op) {
      case Op::kBeginText:
        return at_begin;
      case Op::kEndText:
        return at_end;
      case Op::kBeginLine:
        return at_begin || text_[position - 1] == '\n';
      case Op::kEndLine:
        return at_end || text_[position] == '\n';
      default: {
        const bool before = !at_begin && IsWord(Byte(position - 1));
        const bool after = !at_end && IsWord(Byte(position));
        return before != after;  // a word border
      }
    }
  }

  /// Takes what the run takes first, and notes what else it could.
  bool Run(const Instruction& run, uint32_t pc, size_t& position) {
    const Table& set = m_.sets_[run.a];
    const size_t begin = position;
    size_t p = position;
    for (int32_t i = 0; i < run.min; ++i) {
      if (p >= text_.size() || !set[Byte(p)]) return false;
      p = StepOver(p);
    }
    const size_t least = p;
    if (run.lazy) {
      const size_t allowed = run.max < 0 ? SIZE_MAX : static_cast<size_t>(run.max - run.min);
      if (allowed > 0) open_.push_back({Choice::kGrow, pc, least, allowed});
      position = least;
      return true;
    }
    if (run.max < 0 && run.to_line_end) {
      const void* line_end = p < text_.size() ? std::memchr(text_.data() + p, '\n', text_.size() - p) : nullptr;
      p = line_end == nullptr ? text_.size() : static_cast<size_t>(static_cast<const char*>(line_end) - text_.data());
    } else if (run.max < 0) {
      while (p < text_.size() && set[Byte(p)]) ++p;
    } else {
      for (int32_t i = run.min; i < run.max && p < text_.size() && set[Byte(p)]; ++i) p = StepOver(p);
    }
    if (!Spend((p - begin) / 8)) {
      gave_up_ = true;
      return false;
    }
    if (p > least && !run.possessive) open_.push_back({Choice::kShrink, pc, p, least});
    position = p;
    return true;
  }

  /// The most recent choice that is still open.
  bool Resume(uint32_t& pc, size_t& position) {
    while (!open_.empty()) {
      Entry& entry = open_.back();
      switch (entry.choice) {
        case Choice::kRestore:
          saves_[entry.pc] = static_cast<int64_t>(entry.position) - 1;
          open_.pop_back();
          continue;
        case Choice::kBranch:
          pc = entry.pc;
          position = entry.position;
          open_.pop_back();
          return true;
        case Choice::kShrink:
          if (Shrink(entry, pc, position)) return true;
          break;
        case Choice::kGrow:
          if (Grow(entry, pc, position)) return true;
          break;
      }
      if (gave_up_) return false;
    }
    return false;
  }

  /// Gives characters back, to the next place where what must follow can begin.
  bool Shrink(Entry& entry, uint32_t& pc, size_t& position) {
    const int byte = m_.code_[entry.pc].next_byte;
    const size_t from = entry.position;
    size_t p = from;
    bool found = false;
    if (byte >= 0 && byte < 0x80) {  // never inside a character
      const void* last = memrchr(text_.data() + entry.bound, byte, p - entry.bound);
      found = last != nullptr;
      p = found ? static_cast<size_t>(static_cast<const char*>(last) - text_.data()) : entry.bound;
    }
    while (!found && p > entry.bound) {
      p = StepBack(p);
      found = byte < 0 || Byte(p) == byte;
    }
    if (!Spend((from - p) / 8)) gave_up_ = true;
    if (!found || gave_up_) {
      open_.pop_back();
      return false;
    }
    pc = entry.pc + 1;
    position = p;
    if (p > entry.bound) {
      entry.position = p;
    } else {
      open_.pop_back();
    }
    return true;
  }

  bool Grow(Entry& entry, uint32_t& pc, size_t& position) {
    const Instruction& run = m_.code_[entry.pc];
    if (entry.position >= text_.size() || !m_.sets_[run.a][Byte(entry.position)]) {
      open_.pop_back();
      return false;
    }
    position = StepOver(entry.position);
    pc = entry.pc + 1;
    entry.position = position;
    if (entry.bound != SIZE_MAX && --entry.bound == 0) open_.pop_back();
    return true;
  }

  const DirectMatcher& m_;
  std::string_view text_;
  std::vector<Entry>& open_;
  std::vector<int64_t>& saves_;
  size_t budget_;
  size_t end_ = 0;
  bool gave_up_ = false;
};

DirectMatcher::Outcome DirectMatcher::Match(std::string_view text, std::vector<Span>& spans) const {
  return Search(*this, text).Run(spans);
}

}  // namespace attr::match

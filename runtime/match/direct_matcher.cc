#include "runtime/match/direct_matcher.h"

#include <algorithm>
#include <cstring>

#include "runtime/match/find_text.h"

namespace attr::match {

namespace {

bool IsWord(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool Continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

/// One search: the text, the choices still open and the work done. Everything lies
/// on the stack: most searches are over before an allocation would be.
class DirectMatcher::Search {
 public:
  Search(const DirectMatcher& matcher, std::string_view text)
      : m_(matcher), begin_(text.data()), end_(begin_ + text.size()), budget_(4096 + 16 * text.size()) {}

  Outcome Run(Spans& spans) {
    for (const char* start = Next(begin_); start != nullptr; start = start < end_ ? Next(start + 1) : nullptr) {
      const Outcome outcome = At(start);
      if (outcome == Outcome::kNo) continue;
      if (outcome == Outcome::kYes) Report(start, spans);
      return outcome;
    }
    return Outcome::kNo;
  }

 private:
  enum class Choice : uint8_t { kBranch, kShrink, kGrow, kRestore };
  struct Entry {  // no initializers: the array is not touched before it is used
    Choice choice;
    uint32_t pc;           // kRestore: slot
    int32_t allowed;       // kGrow: characters still allowed; -1: no bound
    const char* position;  // kRestore: the old value
    const char* bound;     // kShrink: least
  };
  static constexpr size_t kMostOpen = 256;

  void Report(const char* start, Spans& spans) const {
    spans[0] = {start - begin_, match_end_ - begin_};
    for (size_t s = 0; s < m_.slots_; s += 2) {
      const bool whole = saves_[s] != nullptr && saves_[s + 1] != nullptr;
      spans[1 + s / 2] = whole ? Span{saves_[s] - begin_, saves_[s + 1] - begin_} : Span{-1, -1};
    }
  }

  /// Where the next match can begin; null: nowhere.
  const char* Next(const char* from) const {
    if (!m_.prefix_.empty()) return FindText(from, end_, m_.prefix_);
    if (m_.any_first_) return from;
    while (from < end_ && !Has(m_.first_, from)) ++from;
    return from < end_ ? from : nullptr;
  }

  static bool Has(const Table& set, const char* p) { return set[static_cast<unsigned char>(*p)]; }
  bool CanBegin(uint32_t set, const char* p) const { return set == kAny || (p < end_ && Has(m_.sets_[set], p)); }
  const char* StepOver(const char* p) const {
    ++p;
    while (p < end_ && Continues(*p)) ++p;
    return p;
  }
  bool Spend(size_t work) {
    if (work > budget_) {
      gave_up_ = true;
      return false;
    }
    budget_ -= work;
    return true;
  }
  void Open(Choice choice, uint32_t pc, const char* position, const char* bound, int32_t allowed) {
    if (open_count_ == kMostOpen) {
      gave_up_ = true;
      return;
    }
    open_[open_count_++] = {choice, pc, allowed, position, bound};
  }

  Outcome At(const char* start) {
    if (start < end_ && Continues(*start)) return Outcome::kNo;
    open_count_ = 0;
    std::fill_n(saves_, m_.slots_, nullptr);
    uint32_t pc = m_.starts_with_prefix_ ? 1 : 0;
    const char* position = start + (m_.starts_with_prefix_ ? m_.prefix_.size() : 0);
    for (;;) {
      const bool goes_on = Steps(pc, position);
      if (gave_up_) return Outcome::kGaveUp;
      if (goes_on) return Outcome::kYes;
      if (!Resume(pc, position)) return gave_up_ ? Outcome::kGaveUp : Outcome::kNo;
    }
  }

  /// Goes on to the match (true) or to where this way ends.
  bool Steps(uint32_t& pc_at, const char*& position) {
    const Instruction* const code = m_.code_.data();
    uint32_t pc = pc_at;
    const char* p = position;
    while (!gave_up_ && Spend(1)) {
      const Instruction& instruction = code[pc];
      switch (instruction.op) {
        case Op::kText:
          if (static_cast<size_t>(end_ - p) < instruction.b ||
              !SameBytes(p, m_.literals_.data() + instruction.a, instruction.b)) {
            return false;
          }
          p += instruction.b;
          ++pc;
          break;
        case Op::kSet:
          if (p >= end_ || !Has(m_.sets_[instruction.a], p)) return false;
          p = StepOver(p);
          ++pc;
          break;
        case Op::kRun:
          if (instruction.slot != kNoSlot) Save(instruction.slot, p);
          if (instruction.slot != kNoSlot && open_count_ != 0) KeepSaved(instruction.slot + 1);
          if (!Take(instruction, pc, p)) return false;
          EndGroup(instruction, p);
          ++pc;
          break;
        case Op::kSave:
          Save(instruction.a, p);
          ++pc;
          break;
        case Op::kSplit: {
          const bool second = CanBegin(instruction.first_b, p);
          if (CanBegin(instruction.first_a, p)) {
            if (second) Open(Choice::kBranch, instruction.b, p, nullptr, 0);
            pc = instruction.a;
          } else if (second) {
            pc = instruction.b;
          } else {
            return false;
          }
          break;
        }
        case Op::kJump:
          pc = instruction.a;
          break;
        case Op::kMatch:
          match_end_ = p;
          return true;
        default:
          if (!Holds(instruction.op, p)) return false;
          ++pc;
      }
    }
    return false;
  }

  void KeepSaved(uint32_t slot) { Open(Choice::kRestore, slot, saves_[slot], nullptr, 0); }
  void Save(uint32_t slot, const char* p) {
    if (open_count_ != 0) KeepSaved(slot);
    saves_[slot] = p;
  }
  /// A run that gives back or takes more moves the end of its group; the old one was kept before.
  void EndGroup(const Instruction& run, const char* p) {
    if (run.slot != kNoSlot) saves_[run.slot + 1] = p;
  }

  bool Holds(Op op, const char* p) const {
    const bool at_begin = p == begin_;
    const bool at_end = p == end_;
    switch (op) {
      case Op::kBeginText:
        return at_begin;
      case Op::kEndText:
        return at_end;
      case Op::kBeginLine:
        return at_begin || p[-1] == '\n';
      case Op::kEndLine:
        return at_end || *p == '\n';
      default: {
        const bool before = !at_begin && IsWord(static_cast<unsigned char>(p[-1]));
        const bool after = !at_end && IsWord(static_cast<unsigned char>(*p));
        return before != after;  // a word border
      }
    }
  }

  /// `count` characters of the set from p on, or null.
  const char* Exactly(const Instruction& run, const Table& set, const char* p, int32_t count) const {
    for (; count > 0; --count) {
      if (p >= end_ || !Has(set, p)) return nullptr;
      p = run.bytes ? p + 1 : StepOver(p);
    }
    return p;
  }

  /// Takes what the run takes first, and notes what else it could.
  bool Take(const Instruction& run, uint32_t pc, const char*& position) {
    const Table& set = m_.sets_[run.a];
    const char* const least = Exactly(run, set, position, run.min);
    if (least == nullptr) return false;
    if (run.lazy) {
      const int32_t allowed = run.max < 0 ? -1 : run.max - run.min;
      if (allowed != 0) Open(Choice::kGrow, pc, least, nullptr, allowed);
      position = least;
      return true;
    }
    const char* p = least;
    if (run.max < 0 && run.to_line_end) {
      const void* line_end = p < end_ ? std::memchr(p, '\n', static_cast<size_t>(end_ - p)) : nullptr;
      p = line_end == nullptr ? end_ : static_cast<const char*>(line_end);
    } else if (run.max < 0) {
      while (p < end_ && Has(set, p)) ++p;
    } else {
      for (int32_t i = run.min; i < run.max && p < end_ && Has(set, p); ++i) p = StepOver(p);
    }
    if (!Spend(static_cast<size_t>(p - position) / 8)) return false;
    if (p > least && !run.possessive) Open(Choice::kShrink, pc, p, least, 0);
    position = p;
    return true;
  }

  /// The most recent choice that is still open.
  bool Resume(uint32_t& pc, const char*& position) {
    while (open_count_ != 0) {
      Entry& entry = open_[open_count_ - 1];
      switch (entry.choice) {
        case Choice::kRestore:
          saves_[entry.pc] = entry.position;
          --open_count_;
          continue;
        case Choice::kBranch:
          pc = entry.pc;
          position = entry.position;
          --open_count_;
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
  bool Shrink(Entry& entry, uint32_t& pc, const char*& position) {
    const int byte = m_.code_[entry.pc].next_byte;
    const char* const from = entry.position;
    const char* p = from;
    bool found = false;
    if (byte >= 0 && byte < 0x80) {  // never inside a character
      const void* last = memrchr(entry.bound, byte, static_cast<size_t>(p - entry.bound));
      found = last != nullptr;
      p = found ? static_cast<const char*>(last) : entry.bound;
    }
    while (!found && p > entry.bound) {
      --p;
      found = !Continues(*p) && (byte < 0 || static_cast<unsigned char>(*p) == byte);
    }
    if (!Spend(static_cast<size_t>(from - p) / 8) || !found) {
      --open_count_;
      return false;
    }
    pc = entry.pc + 1;
    position = p;
    EndGroup(m_.code_[entry.pc], p);
    if (p > entry.bound) {
      entry.position = p;
    } else {
      --open_count_;
    }
    return true;
  }

  bool Grow(Entry& entry, uint32_t& pc, const char*& position) {
    const Instruction& run = m_.code_[entry.pc];
    if (entry.position >= end_ || !Has(m_.sets_[run.a], entry.position)) {
      --open_count_;
      return false;
    }
    position = StepOver(entry.position);
    pc = entry.pc + 1;
    EndGroup(run, position);
    entry.position = position;
    if (entry.allowed >= 0 && --entry.allowed == 0) --open_count_;
    return true;
  }

  const DirectMatcher& m_;
  const char* const begin_;
  const char* const end_;
  size_t budget_;
  const char* match_end_ = nullptr;
  bool gave_up_ = false;
  size_t open_count_ = 0;
  const char* saves_[2 * kMostGroups];
  Entry open_[kMostOpen];
};

DirectMatcher::Outcome DirectMatcher::Match(std::string_view text, Spans& spans) const {
  if (text.data() == nullptr) text = "";
  return Search(*this, text).Run(spans);
}

}  // namespace attr::match

// Several headers as one: fields are equal or absent, lists are unions.
#include <algorithm>
#include <tuple>

#include "runtime/ingest/header.h"
#include "runtime/model/canonical.h"
#include "runtime/model/time_text.h"

namespace attr::ingest {

namespace {

using model::kNoId;
using model::Moment;

bool InRange(int64_t nanos) { return nanos > plan::kBeforeAll && nanos < plan::kAfterAll; }

/// Where one header says one thing.
struct Said {
  const Header* header = nullptr;
  const char* at = nullptr;
};

Error Contradiction(const std::string& what, const std::string& one, const Said& first, const std::string& other,
                    const Said& second) {
  Error error = second.header->PlaceOf(second.at);
  Error before = first.header->PlaceOf(first.at);
  error.message = what + " is " + other + " here and " + one + " in " + before.file + ':' + std::to_string(before.line);
  error.help = "a set holds one attempt, or lists several in \"attempts\"";
  return error;
}

/// What a field's first header said, and where.
template <class T>
class Agreed {
 public:
  explicit Agreed(std::string what) : what_(std::move(what)) {}
  template <class Print>
  std::optional<Error> Take(const std::optional<T>& value, const Header& header, Print print) {
    if (!value) return std::nullopt;
    Said here{&header, header.places.at(what_)};
    if (!value_) {
      value_ = value;
      said_ = here;
      return std::nullopt;
    }
    if (*value_ == *value) return std::nullopt;
    return Contradiction(what_, print(*value_), said_, print(*value), here);
  }
  const std::optional<T>& value() const { return value_; }

 private:
  std::string what_;
  std::optional<T> value_;
  Said said_;
};

std::string Quoted(const std::string& text) { return '"' + text + '"'; }
std::string Digits(int64_t number) { return std::to_string(number); }
std::string Printed(const Moment& moment) { return model::FormatMoment(moment); }

Result<std::optional<Moment>> Resolve(const RawTime& time, const std::optional<int64_t>& unit) {
  std::optional<Moment> moment;
  if (time.kind == RawTime::Kind::kNone) return moment;
  if (time.kind == RawTime::Kind::kInteger && !unit) {
    Error error = time.place;
    error.message = "an integer time without \"time_unit\" in the header";
    error.help = "add \"time_unit\":\"ns\" (or us, ms, s)";
    return error;
  }
  moment = time.kind == RawTime::Kind::kText ? TimeOf(time.text) : TimeOf(time.number, *unit);
  if (!moment) {
    Error error = time.place;
    error.help = "times are RFC 3339 (2026-03-02T12:10:02Z) or integers since the epoch, between 1897 and 2043";
    return error;
  }
  return moment;
}

void MergeNames(const std::vector<std::string>& from, std::vector<std::string>* into) {
  into->insert(into->end(), from.begin(), from.end());
  std::sort(into->begin(), into->end(), NaturalLess);
  into->erase(std::unique(into->begin(), into->end()), into->end());
}

class Merger {
 public:
  Merger(const std::vector<Header>& headers, model::ObservationSet* set)
      : headers_(headers), units_(TimeUnits(headers)), set_(set) {}

  Status Run() {
    if (auto error = Attempt()) return *error;
    for (const Header& header : headers_) {
      for (const RawNode& node : header.nodes) {
        if (auto error = Node(node, header)) return *error;
      }
      for (const RawClock& clock : header.clocks) {
        if (auto error = Clock(clock, header)) return *error;
      }
    }
    SortInventory();
    if (auto clash = model::IndexInventory(set_)) {
      // The last to list nodes: before it there was nothing wrong, or they are all its own.
      const Header* last = nullptr;
      for (const Header& header : headers_) last = header.nodes.empty() ? last : &header;
      Error error = last->PlaceOf(last->places.at("attempt.nodes"));
      error.message = "in attempt.nodes, " + *clash;
      return error;
    }
    for (size_t i = 0; i < headers_.size(); ++i) {
      for (const RawCoverage& row : headers_[i].coverage) {
        if (auto error = Coverage(row, units_[i])) return *error;
      }
    }
    DropRepeatedCoverage();
    return Ok();
  }

 private:
  std::optional<Error> Attempt() {
    Agreed<std::string> id("attempt.id"), job("attempt.job"), state("attempt.state");
    Agreed<int64_t> exit_code("attempt.exit_code"), skew("skew");
    Agreed<Moment> start("attempt.start"), end("attempt.end");
    for (size_t i = 0; i < headers_.size(); ++i) {
      const Header& header = headers_[i];
      auto first = Resolve(header.start, units_[i]);
      if (!first.ok()) return first.error();
      auto last = Resolve(header.end, units_[i]);
      if (!last.ok()) return last.error();
      if (auto e = id.Take(header.id, header, Quoted)) return e;
      if (auto e = job.Take(header.job, header, Quoted)) return e;
      if (auto e = state.Take(header.state, header, Quoted)) return e;
      if (auto e = exit_code.Take(header.exit_code, header, Digits)) return e;
      if (auto e = skew.Take(header.skew, header, model::FormatDuration)) return e;
      if (auto e = start.Take(*first, header, Printed)) return e;
      if (auto e = end.Take(*last, header, Printed)) return e;
      if (start.value() && end.value() && end.value()->lo < start.value()->lo) {
        Error error = header.end.kind == RawTime::Kind::kNone ? header.start.place : header.end.place;
        error.message =
            "the attempt ends at " + Printed(*end.value()) + ", before it starts at " + Printed(*start.value());
        return error;
      }
    }
    model::Attempt& attempt = set_->attempt;
    attempt.id = id.value().value_or("");
    attempt.job = job.value().value_or("");
    attempt.state = state.value();
    attempt.exit_code = exit_code.value();
    attempt.start = start.value().value_or(Moment{});
    attempt.end = end.value().value_or(Moment{});
    set_->skew = skew.value();
    return std::nullopt;
  }

  std::optional<Error> Node(const RawNode& raw, const Header& header) {
    uint32_t name = set_->names.Intern(raw.name);
    auto it = std::find_if(set_->attempt.nodes.begin(), set_->attempt.nodes.end(),
                           [&](const model::InventoryNode& node) { return node.node == name; });
    if (it == set_->attempt.nodes.end()) it = set_->attempt.nodes.insert(it, {name, {}, {}, {}, {}});
    MergeNames(raw.aliases, &it->aliases);
    for (int64_t rank : raw.ranks) it->ranks.push_back(static_cast<int32_t>(rank));
    std::sort(it->ranks.begin(), it->ranks.end());
    it->ranks.erase(std::unique(it->ranks.begin(), it->ranks.end()), it->ranks.end());
    for (const auto& [gpu, aliases] : raw.gpus) {
      uint32_t id = set_->names.Intern(gpu);
      auto at = std::find_if(it->gpus.begin(), it->gpus.end(), [&](const auto& known) { return known.first == id; });
      if (at == it->gpus.end()) at = it->gpus.insert(at, {id, {}});
      MergeNames(aliases, &at->second);
    }
    for (const auto& [key, value] : raw.labels) {
      auto [label, added] = it->labels.emplace(key, value);
      const std::string what = "label " + key + " of " + raw.name;
      Said here{&header, raw.label_places.at(key)};
      const Said& first = first_said_.emplace(what, here).first->second;
      if (!added && label->second != value)
        return Contradiction(what, Quoted(label->second), first, Quoted(value), here);
    }
    return std::nullopt;
  }

  void SortInventory() {
    auto less = [&](uint32_t a, uint32_t b) { return NaturalLess(set_->names.Text(a), set_->names.Text(b)); };
    std::sort(set_->attempt.nodes.begin(), set_->attempt.nodes.end(),
              [&](const auto& a, const auto& b) { return less(a.node, b.node); });
    for (model::InventoryNode& node : set_->attempt.nodes) {
      std::sort(node.gpus.begin(), node.gpus.end(),
                [&](const auto& a, const auto& b) { return less(a.first, b.first); });
    }
  }

  std::optional<Error> Clock(const RawClock& raw, const Header& header) {
    const model::Clock& clock = raw.clock;
    Said here{&header, raw.place};
    const std::string what = "the clock " + Quoted(clock.name);
    const Said& first = first_said_.emplace(what, here).first->second;
    for (const model::Clock& known : set_->clocks) {
      if (known.name != clock.name) continue;
      if (known.tied == clock.tied) return std::nullopt;
      return Contradiction(what, known.tied ? "tied" : "untied", first, clock.tied ? "tied" : "untied", here);
    }
    set_->clocks.push_back(clock);
    return std::nullopt;
  }

  std::optional<Error> Coverage(const RawCoverage& raw, const std::optional<int64_t>& unit) {
    auto from = Resolve(raw.from, unit);
    if (!from.ok()) return from.error();
    auto to = Resolve(raw.to, unit);
    if (!to.ok()) return to.error();
    auto presumed = Resolve(raw.presumed_to, unit);
    if (!presumed.ok()) return presumed.error();
    model::Coverage row;
    row.source = set_->names.Intern(raw.source);
    row.metric = raw.metric;
    row.status = raw.status;
    if (raw.stream) row.stream = set_->names.Intern(*raw.stream);
    if (*from) row.from = (*from)->lo;
    if (*to) row.to = (*to)->lo;
    if (*presumed) row.presumed_to = (*presumed)->lo;
    row.reason = raw.reason;
    if (row.from > row.to) {
      Error error = raw.place;
      error.message = "a coverage row ends before it begins";
      return error;
    }
    if (raw.nodes.size() == 1) row.node = set_->ResolveNode(raw.nodes.front());
    for (int64_t rank : raw.ranks) {
      model::Coverage copy = row;
      copy.rank = static_cast<int32_t>(rank);
      if (copy.node == kNoId) copy.node = set_->NodeOfRank(copy.rank);
      set_->coverage.push_back(std::move(copy));
    }
    if (raw.nodes.size() > 1) {
      for (const std::string& node : raw.nodes) {
        row.node = set_->ResolveNode(node);
        set_->coverage.push_back(row);
      }
    } else if (raw.ranks.empty()) {
      set_->coverage.push_back(std::move(row));
    }
    return std::nullopt;
  }

  /// What two inputs say alike is said once.
  void DropRepeatedCoverage() {
    const auto key = [](const model::Coverage& row) {
      return std::tie(row.source, row.metric, row.status, row.node, row.rank, row.stream, row.from, row.to,
                      row.presumed_to, row.reason);
    };
    std::vector<model::Coverage>& rows = set_->coverage;
    std::sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    rows.erase(std::unique(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); }),
               rows.end());
  }

  const std::vector<Header>& headers_;
  std::vector<std::optional<int64_t>> units_;
  model::ObservationSet* set_;
  std::map<std::string, Said> first_said_;  // by label or clock
};

/// Insertions, deletions, replacements and swaps of neighbours.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> cost(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] =
          std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::optional<Moment> TimeOf(std::string_view text) {
  std::optional<Moment> moment = model::ParseRfc3339(text);
  if (!moment || !InRange(moment->lo)) return std::nullopt;
  return moment;
}

std::optional<Moment> TimeOf(int64_t number, int64_t unit) {
  int64_t nanos = 0;
  if (__builtin_mul_overflow(number, unit, &nanos) || !InRange(nanos)) return std::nullopt;
  return Moment{nanos, nanos, unit};
}

std::vector<std::optional<int64_t>> TimeUnits(const std::vector<Header>& headers) {
  std::optional<int64_t> shared;
  bool several = false;
  for (const Header& header : headers) {
    if (!header.time_unit) continue;
    several = several || (shared && *shared != *header.time_unit);
    shared = header.time_unit;
  }
  std::vector<std::optional<int64_t>> units;
  for (const Header& header : headers) {
    units.push_back(header.time_unit || several ? header.time_unit : shared);
  }
  return units;
}

Result<std::vector<std::string>> ListedAttempts(const std::vector<Header>& headers) {
  const std::vector<std::optional<int64_t>> units = TimeUnits(headers);
  std::map<std::string, int64_t> starts;
  for (size_t i = 0; i < headers.size(); ++i) {
    for (const Header& attempt : headers[i].attempts) {
      auto start = Resolve(attempt.start, units[i]);
      if (!start.ok()) return start.error();
      int64_t& known = starts.try_emplace(*attempt.id, plan::kAfterAll).first->second;
      if (*start) known = std::min(known, (*start)->lo);
    }
  }
  std::vector<std::string> ids;
  for (const auto& [id, start] : starts) ids.push_back(id);
  std::sort(ids.begin(), ids.end(), [&starts](const std::string& a, const std::string& b) {
    const int64_t x = starts.at(a), y = starts.at(b);
    return x != y ? x < y : NaturalLess(a, b) || (!NaturalLess(b, a) && a < b);
  });
  return ids;
}

std::vector<Header> WithAttempt(const std::vector<Header>& headers, const std::string& id) {
  std::vector<Header> out;
  for (const Header& header : headers) {
    Header one = header;
    for (const Header& attempt : header.attempts) {
      if (attempt.id != id) continue;
      one.id = attempt.id;
      one.job = attempt.job;
      one.state = attempt.state;
      one.exit_code = attempt.exit_code;
      one.start = attempt.start;
      one.end = attempt.end;
      one.nodes = attempt.nodes;
      one.places.insert(attempt.places.begin(), attempt.places.end());
    }
    one.attempts.clear();
    out.push_back(std::move(one));
  }
  return out;
}

Status MergeHeaders(const std::vector<Header>& headers, model::ObservationSet* set) {
  return Merger(headers, set).Run();
}

std::string_view NearName(std::string_view key, const std::vector<std::string_view>& candidates) {
  std::string_view best;
  size_t distance = 3;
  for (std::string_view candidate : candidates) {
    if (key.size() > candidate.size() + 2 || candidate.size() > key.size() + 2) continue;
    size_t now = EditDistance(key, candidate);
    if (now >= distance || now * 2 >= candidate.size()) continue;
    distance = now;
    best = candidate;
  }
  return best;
}

void AppendUnknownKeyWarnings(const UnknownKeys& unknown, std::string_view where,
                              const std::vector<std::string_view>& known, std::vector<std::string>* warnings) {
  constexpr size_t kShown = 20;
  size_t shown = 0;
  for (const auto& [key, count] : unknown) {
    if (++shown > kShown) {
      warnings->push_back(std::to_string(unknown.size() - kShown) + " more unknown keys of " + std::string(where) +
                          " are ignored");
      return;
    }
    std::string warning = "unknown key \"" + key + "\" of " + std::string(where) + " is ignored";
    if (std::string_view near = NearName(key, known); !near.empty())
      warning += "; did you mean \"" + std::string(near) + "\"?";
    warnings->push_back(std::move(warning));
  }
}

}  // namespace attr::ingest

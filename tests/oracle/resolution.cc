#include "tests/oracle/resolution.h"

#include <algorithm>
#include <numeric>

#include "runtime/base/interner.h"

namespace attr::oracle {

namespace {

bool At(Bits bits, int which) { return which == 0 ? bits.must : which == 1 ? bits.presumed : bits.may; }

// Unknown begins stand last.
int64_t BeginKey(const model::Moment& begin) { return begin.lo <= kBeforeAll ? kAfterAll : begin.lo; }

std::vector<uint32_t> Kept(const std::vector<Member>& members) {
  std::vector<uint32_t> all;
  for (const Row* row : SeenOf(members)) {
    all.push_back(row->records.empty() ? model::kNoId : *row->records.begin());
  }
  if (all.size() > 9) {
    all[8] = all.back();
    all.resize(9);
  }
  return all;
}

}  // namespace

int Compare(const std::string& a, const std::string& b) {
  if (a == b) return 0;
  return NaturalLess(a, b) ? -1 : 1;
}

Resolution::Resolution(World& w, const Findings& f) : world(w), pack(w.pack), found(f), precedence(w.pack) {
  std::set<uint32_t> unknown;
  for (const Finding& finding : found.findings) {
    std::vector<std::string> keys;
    for (const Value& key : finding.keys) keys.push_back(Print(key, 1));
    key_text.push_back(std::move(keys));
    const bool outcome = pack.rules[finding.rule].kind == Kind::kOutcome;
    bounds.finding.push_back(finding.event_bound && !outcome ? finding.bits : kNo);
    if (finding.event_bound) continue;
    unknown.insert(finding.rule);
    lacking[finding.rule].insert(finding.gaps.begin(), finding.gaps.end());
  }
  for (const LimitHit& limit : found.limits) unknown.insert(limit.rule);
  unevaluable.assign(unknown.begin(), unknown.end());
  bounds.outcome = OutcomeBits(pack, found);
  for (const Edge& edge : found.edges) bounds.edge.push_back(edge.bits);
  for (const std::vector<Closing>& closings : found.closings) {
    bounds.closed.push_back(kNo);
    for (const Closing& closing : closings) bounds.closed.back() = Or(bounds.closed.back(), closing.bits);
  }
  SortCanonically();
  flow = Run(bounds);
  tried = FindTried();
  bounds.tried.assign(tried.size(), kUnknown);
  flow = Run(bounds);
  terminal = oracle::TerminalOf(pack, bounds.outcome);
  nominal = Summarize(flow, 1, terminal.state);
}

void Resolution::SortCanonically() {
  canonical.resize(found.findings.size());
  std::iota(canonical.begin(), canonical.end(), 0U);
  auto less = [&](uint32_t x, uint32_t y) {
    const Finding& a = found.findings[x];
    const Finding& b = found.findings[y];
    if (BeginKey(a.begin) != BeginKey(b.begin)) return BeginKey(a.begin) < BeginKey(b.begin);
    if (a.rule != b.rule) return pack.rules[a.rule].qualified < pack.rules[b.rule].qualified;
    for (size_t k = 0; k < key_text[x].size(); ++k) {
      if (const int order = Compare(key_text[x][k], key_text[y][k]); order != 0) return order < 0;
    }
    if (a.begin.hi != b.begin.hi) return a.begin.hi < b.begin.hi;
    if (BeginKey(a.end) != BeginKey(b.end)) return BeginKey(a.end) < BeginKey(b.end);
    for (size_t s = 0; s < a.members.size(); ++s) {
      if (Kept(a.members[s]) != Kept(b.members[s])) return Kept(a.members[s]) < Kept(b.members[s]);
    }
    return false;
  };
  std::stable_sort(canonical.begin(), canonical.end(), less);
  rank.resize(canonical.size());
  for (uint32_t i = 0; i < canonical.size(); ++i) rank[canonical[i]] = i;
}

std::set<uint32_t> Resolution::TargetsOf(uint32_t rule) const {
  std::set<uint32_t> out;
  for (const Demotion& demotion : pack.demotions) {
    if (demotion.source == rule) out.insert(demotion.targets.begin(), demotion.targets.end());
  }
  return out;
}

void Resolution::FindRoots(const Reading& reading, Flow* out) const {
  const size_t findings = found.findings.size(), n = Entities();
  for (auto* list : {&out->demoted, &out->root, &out->explains, &out->bystander, &out->survivor}) list->assign(n, kNo);
  out->dropped_at.assign(n, std::nullopt);
  out->dropped_by.assign(n, kNone);
  out->dropped_clause.assign(n, "");
  for (size_t e = 0; e < found.edges.size(); ++e) {
    const Edge& edge = found.edges[e];
    out->demoted[edge.to] = Or(out->demoted[edge.to], And(reading.edge[e], reading.finding[edge.from]));
    out->explains[edge.from] = Or(out->explains[edge.from], And(reading.edge[e], reading.finding[edge.to]));
  }
  for (size_t t = 0; t < tried.size(); ++t) {
    for (size_t f = 0; f < findings; ++f) {
      if (TargetsOf(tried[t]).count(found.findings[f].rule) == 0) continue;
      out->demoted[f] = Or(out->demoted[f], reading.tried[t]);
      out->explains[findings + t] = Or(out->explains[findings + t], reading.finding[f]);
    }
  }
  for (size_t e = 0; e < n; ++e) {
    const Bits exists = e >= findings ? reading.tried[e - findings] : Is(e, Kind::kCause) ? reading.finding[e] : kNo;
    out->root[e] = And(exists, Not(out->demoted[e]));
    if (e >= findings) continue;
    out->closed.push_back(And(reading.closed[e], Not(StillExplains(reading, e))));
    out->root[e] = And(out->root[e], Not(out->closed[e]));
  }
  for (size_t e = 0; e < n; ++e) {
    Bits another = kNo;  // another root explains something
    for (size_t o = 0; o < n; ++o) {
      if (o != e) another = Or(another, And(out->root[o], out->explains[o]));
    }
    const Bits idle = And(Not(out->explains[e]), another);
    out->bystander[e] = And(out->root[e], idle);
    out->survivor[e] = And(out->root[e], Not(idle));
  }
}

/// It explains a symptom that nothing else explains (S8).
Bits Resolution::StillExplains(const Reading& reading, size_t finding) const {
  Bits out = kNo;
  for (size_t i = 0; i < found.edges.size(); ++i) {
    const Edge& edge = found.edges[i];
    if (edge.from != finding || !Is(edge.to, Kind::kSymptom)) continue;
    Bits others = kNo;
    for (size_t j = 0; j < found.edges.size(); ++j) {
      const Edge& other = found.edges[j];
      if (other.to != edge.to || other.from == finding) continue;
      others = Or(others, And(reading.edge[j], reading.finding[other.from]));
    }
    out = Or(out, And(And(reading.edge[i], reading.finding[edge.to]), Not(others)));
  }
  return out;
}

/// `prefer`: as the level of rule pairs, with a condition for each pair of findings.
void Resolution::RunPreferences(Flow* out) const {
  const std::vector<Bits> before = out->survivor;
  for (size_t x = 0; x < Entities(); ++x) {
    Bits dropped = kNo;
    for (size_t y = 0; y < Entities(); ++y) {
      for (const Preference& preference : pack.preferences) {
        if (x == y || RuleOf(x) != preference.under || RuleOf(y) != preference.over || !before[y].may) continue;
        const Bits one = And(before[y], Prefers(preference, y, x));
        dropped = Or(dropped, one);
        if (!one.presumed || !before[x].presumed || preference.over >= out->dropped_by[x]) continue;
        out->dropped_by[x] = preference.over;
        out->dropped_clause[x] = preference.text;
      }
    }
    out->survivor[x] = And(before[x], Not(dropped));
    if (before[x].presumed && !out->survivor[x].presumed) out->dropped_at[x] = Level::kPrefer;
  }
}

/// The condition over the two findings; a cause that is tried has no field.
Bits Resolution::Prefers(const Preference& preference, size_t over, size_t under) const {
  if (over >= found.findings.size() || under >= found.findings.size()) return kUnknown;
  const auto row = [&](size_t e) {
    return RowOfFinding(world, found.slots[found.findings[e].rule], found.findings[e], 0);
  };
  const Row x = row(over), y = row(under);
  const syntax::Prefer& decl = *preference.decl;
  RuleScope scope(pack, {}, false);
  scope.Add({decl.over_binding ? decl.over_binding->text : decl.over.name, kNone, &x});
  scope.Add({decl.under_binding ? decl.under_binding->text : decl.under.name, kNone, &y});
  return Evaluator(world, preference.pack, scope).Condition(*decl.when);
}

/// Roots that explain a common symptom or stand on a common node.
Bits Resolution::Share(const Reading& reading, size_t x, size_t y) const {
  const size_t findings = found.findings.size();
  // A tried cause has no place: it may share whatever a root has, and is never dropped here.
  if (x >= findings) return kNo;
  if (y >= findings) return kYes;
  Bits out = kNo;
  for (size_t i = 0; i < found.edges.size(); ++i) {
    for (size_t j = 0; j < found.edges.size(); ++j) {
      const Edge& a = found.edges[i];
      const Edge& b = found.edges[j];
      if (a.from != x || b.from != y || a.to != b.to || !Is(a.to, Kind::kSymptom)) continue;
      out = Or(out, And(And(reading.edge[i], reading.edge[j]), reading.finding[a.to]));
    }
  }
  auto nodes = [](const Finding& f) {
    std::vector<std::string> all = f.nodes;
    if (f.place_open) all.insert(all.end(), f.open_places.begin(), f.open_places.end());
    return all;
  };
  const Finding& a = found.findings[x];
  const Finding& b = found.findings[y];
  const Bits sure = a.place_open || b.place_open ? kUndecided : kYes;
  for (const std::string& one : nodes(a)) {
    for (const std::string& other : nodes(b)) out = one == other ? Or(out, sure) : out;
  }
  return out;
}

/// All drops of one level happen at once.
void Resolution::RunLevel(const Reading& reading, Level level, Flow* out) const {
  const std::vector<Bits> before = out->survivor;
  for (size_t x = 0; x < Entities(); ++x) {
    if (!before[x].may) continue;
    Bits dropped = kNo;
    for (size_t y = 0; y < Entities(); ++y) {
      if (x == y || !before[y].may || precedence.Above(level, RuleOf(y), RuleOf(x)).empty()) continue;
      const auto stay = out->stay_two.find({x, y});
      const Bits asked = stay == out->stay_two.end() ? kYes : Not(stay->second);
      const Bits one = And(And(before[y], asked), level == Level::kDomain ? Share(reading, x, y) : kYes);
      dropped = Or(dropped, one);
      if (one.presumed && before[x].presumed) out->dropped_by[x] = std::min(out->dropped_by[x], RuleOf(y));
    }
    out->survivor[x] = And(before[x], Not(dropped));
    if (before[x].presumed && !out->survivor[x].presumed) out->dropped_at[x] = level;
  }
}

Flow Resolution::Run(const Reading& reading) const {
  Flow out;
  FindRoots(reading, &out);
  RunPreferences(&out);
  RunLevel(reading, Level::kRule, &out);
  RunAmbiguity(&out);
  RunLevel(reading, Level::kTag, &out);
  RunLevel(reading, Level::kDomain, &out);
  return out;
}

Terminal Resolution::TerminalOf(const Reading& reading) const { return oracle::TerminalOf(pack, reading.outcome); }

std::vector<Bits> OutcomeBits(const Pack& pack, const Findings& found) {
  std::vector<Bits> out(pack.rules.size(), kNo);
  for (const Finding& finding : found.findings) out[finding.rule] = Or(out[finding.rule], finding.bits);
  for (const LimitHit& limit : found.limits) out[limit.rule] = Or(out[limit.rule], kUnknown);
  for (size_t r = 0; r < out.size(); ++r) {
    if (pack.rules[r].kind != Kind::kOutcome) out[r] = kNo;
  }
  return out;
}

Terminal TerminalOf(const Pack& pack, const std::vector<Bits>& outcome) {
  Terminal out;
  bool found_one = false;
  for (uint32_t r = 0; r < pack.rules.size(); ++r) {
    const Bits bits = outcome[r];
    if (pack.rules[r].kind != Kind::kOutcome || !bits.may) continue;
    out.possible.insert(pack.rules[r].state);
    if (!found_one && bits.presumed) {
      found_one = true;
      out.state = pack.rules[r].state;
    } else if (!found_one) {
      out.unknown_before.push_back(r);
    }
    if (bits.must) return out;
  }
  out.possible.insert("unknown");
  return out;
}

std::string Resolution::CommonDomain(const std::set<uint32_t>& rules) const {
  auto path_of = [&](uint32_t domain) {
    std::vector<uint32_t> path;
    for (; domain != kNone; domain = pack.domains[domain].parent) path.insert(path.begin(), domain);
    return path;
  };
  std::optional<std::set<uint32_t>> tops;
  for (uint32_t rule : rules) {
    std::set<uint32_t> own;
    for (uint32_t domain : pack.rules[rule].domains) {
      const uint32_t top = path_of(domain).front();
      if (!tops || tops->count(top) != 0) own.insert(top);
    }
    tops = own;
  }
  if (!tops || tops->size() != 1) return "";
  std::optional<std::vector<uint32_t>> common;
  for (uint32_t rule : rules) {
    for (uint32_t domain : pack.rules[rule].domains) {
      std::vector<uint32_t> path = path_of(domain);
      if (path.front() != *tops->begin()) continue;
      size_t equal = 0;
      while (common && equal < path.size() && equal < common->size() && path[equal] == (*common)[equal]) ++equal;
      if (common) path.resize(equal);
      common = path;
    }
  }
  return pack.domains[common->back()].path;
}

Answer Resolution::Summarize(const Flow& of, int which, const std::string& state) const {
  Answer out;
  out.state = state;
  if (state == "succeeded") {
    out.status = model::VerdictStatus::kNoFailure;
    return out;
  }
  for (size_t e = 0; e < Entities(); ++e) {
    if (!At(of.survivor[e], which)) continue;
    out.rules.insert(RuleOf(e));
    if (e >= found.findings.size()) continue;
    const auto& blamed = found.findings[e].blamed_nodes;
    out.blamed.insert(blamed.begin(), blamed.end());
  }
  if (out.rules.empty()) return out;
  out.domain = CommonDomain(out.rules);
  out.status = out.domain.empty() ? model::VerdictStatus::kAmbiguous : model::VerdictStatus::kAttributed;
  return out;
}

/// Unevaluable causes whose demotion names a survivor or an unexplained symptom;
/// all of them when nothing survives.
std::vector<uint32_t> Resolution::FindTried() const {
  std::set<uint32_t> asked;
  bool any_survivor = false;
  for (size_t f = 0; f < found.findings.size(); ++f) {
    const bool survives = flow.survivor[f].presumed;
    const bool open = Is(f, Kind::kSymptom) && bounds.finding[f].presumed && !flow.demoted[f].presumed;
    if (survives || open) asked.insert(found.findings[f].rule);
    any_survivor = any_survivor || survives;
  }
  std::vector<uint32_t> out;
  for (uint32_t rule : unevaluable) {
    if (pack.rules[rule].kind != Kind::kCause) continue;
    const std::set<uint32_t> targets = TargetsOf(rule);
    const bool named = std::any_of(targets.begin(), targets.end(), [&](uint32_t t) { return asked.count(t) != 0; });
    if (!any_survivor || named) out.push_back(rule);
  }
  return out;
}

bool Resolution::IsSettled(const Reading& reading) const {
  const Terminal end = TerminalOf(reading);
  if (end.possible.size() != 1) return false;
  const Flow of = Run(reading);
  return Summarize(of, 0, end.state) == Summarize(of, 2, end.state);
}

std::optional<bool> Resolution::IsSettledByAllCombinations(size_t most) const {
  Reading reading = bounds;
  std::vector<Bits*> unknown;
  for (auto* list : {&reading.finding, &reading.edge, &reading.tried, &reading.outcome, &reading.closed}) {
    for (Bits& bits : *list) {
      if (!IsKnown(bits)) unknown.push_back(&bits);
    }
  }
  if (unknown.size() > most) return std::nullopt;
  std::optional<Answer> first;
  for (uint32_t combination = 0; combination < 1U << unknown.size(); ++combination) {
    for (size_t i = 0; i < unknown.size(); ++i) *unknown[i] = Known((combination >> i & 1U) != 0);
    const Answer answer = Summarize(Run(reading), 1, TerminalOf(reading).state);
    if (first && !(*first == answer)) return false;
    first = answer;
  }
  return true;
}

}  // namespace attr::oracle

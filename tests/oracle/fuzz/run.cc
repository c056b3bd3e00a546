#include "tests/oracle/fuzz/run.h"

#include <fmt/format.h>

#include <cstdio>

#include "tests/oracle/fuzz/files.h"

namespace attr::oracle {

namespace {

using Kind = Comparison::Kind;

bool Contains(const std::string& json, const char* what) { return json.find(what) != std::string::npos; }

std::string Show(const Draft& draft) {
  const Case of = draft.ToCase();
  std::string out;
  for (const auto& [name, text] : of.pack.rules) out += "--- " + name + "\n" + text;
  for (const auto& [name, text] : of.pack.tables) out += "--- " + name + "\n" + text;
  for (const auto& [pack, texts] : of.imports) {
    for (const auto& [name, text] : texts.rules) out += "--- " + pack + "/" + name + "\n" + text;
    for (const auto& [name, text] : texts.tables) out += "--- " + pack + "/" + name + "\n" + text;
  }
  return out + "--- observations.ndjson\n" + of.observations;
}

class Runner {
 public:
  explicit Runner(const RunOptions& options) : options_(options) {}

  RunResult Run() {
    for (uint64_t i = 0; options_.more(i) && result_.different < options_.stop_after; ++i) One(options_.seed + i, i);
    return std::move(result_);
  }

 private:
  void One(uint64_t seed, uint64_t index) {
    const Draft draft = Generate(seed, options_.constructs);
    if (options_.print) std::printf("=== seed %llu\n%s", static_cast<unsigned long long>(seed), Show(draft).c_str());
    CompareOptions how;
    how.native = options_.native_every != 0 && index % options_.native_every == 0;
    const Comparison result = Compare(draft.ToCase(), how);
    ++result_.pairs;
    if (result.kind == Kind::kNotYet) {
      ++result_.refused_pairs;
      ++result_.refused[result.why];
    }
    if (result.kind == Kind::kUnread) {
      ++result_.unread_pairs;
      ++result_.unread[result.why];
    }
    if (result.kind == Kind::kRejected) {
      if (options_.show_rejected) {
        std::printf("=== seed %llu rejected: %s\n%s", static_cast<unsigned long long>(seed), result.why.c_str(),
                    Show(draft).c_str());
      }
      ++result_.rejected;
      ++result_.errors[result.why];
    }
    if (result.kind == Kind::kDifferent) return Fail(seed, draft, how, result.why);
    if (result.kind != Kind::kEqual) return;
    Count(result, how);
    for (const std::string& construct : draft.uses) ++result_.uses[construct];
    if (options_.metamorphic_every == 0 || index % options_.metamorphic_every != 0) return;
    ++result_.metamorphic;
    const std::string broken = CheckMetamorphic(draft, seed);
    if (!broken.empty()) Fail(seed, draft, how, broken);
  }

  void Count(const Comparison& result, const CompareOptions& how) {
    ++result_.equal;
    result_.native += how.native ? 1 : 0;
    static const std::pair<const char*, const char*> kFeatures[] = {
        {"attributed", "\"status\": \"attributed\""},
        {"ambiguous", "\"status\": \"ambiguous\""},
        {"unattributed", "\"status\": \"unattributed\""},
        {"no failure", "\"status\": \"no_failure\""},
        {"provisional", "\"certainty\": \"provisional\""},
        {"jointly", "\"verdict\": \"jointly\""},
        {"demoted by", "\"because\":"},
        {"outranked", "\"by_rule\":"},
        {"open places", "\"open_places\": [\""},
        {"presumed", "\"truth\": \"presumed\""},
        {"terminal state unknown", "\"terminal_state_unknown_before\": [\""},
        {"candidates", "\"suggested_by\":"},
        {"lacking", "\"lacked\":"},
    };
    for (const auto& [name, text] : kFeatures) result_.features[name] += Contains(result.oracle, text) ? 1 : 0;
    result_.features["bystanders"] += Contains(result.oracle, "\"bystanders\": []") ? 0 : 1;
    result_.features["all combinations tried"] += result.by_all ? 1 : 0;
  }

  void Fail(uint64_t seed, const Draft& draft, const CompareOptions& how, const std::string& why) {
    ++result_.different;
    Draft small = draft;
    std::string reason = why;
    if (options_.minimize) {
      const bool metamorphic = Compare(draft.ToCase(), how).kind == Kind::kEqual;
      small = Minimize(draft, [&](const Draft& d) {
        const Comparison one = Compare(d.ToCase(), how);
        return metamorphic ? one.kind == Kind::kEqual && !CheckMetamorphic(d, seed).empty()
                           : one.kind == Kind::kDifferent;
      });
      reason = metamorphic ? CheckMetamorphic(small, seed) : Compare(small.ToCase(), how).why;
    }
    std::printf("=== seed %llu differs\n%s%s\n", static_cast<unsigned long long>(seed), Show(small).c_str(),
                reason.c_str());
    std::fflush(stdout);
    if (!options_.out.empty()) WriteCase(fmt::format("{}/seed-{}", options_.out, seed), small.ToCase());
    result_.failures.push_back(fmt::format("seed {}: {}", seed, reason));
  }

  const RunOptions& options_;
  RunResult result_;
};

}  // namespace

std::string RunResult::Summary() const {
  std::string out = fmt::format(
      "{} pairs: {} equal, {} different, {} refused, {} unread, {} rejected\n"
      "of the equal ones: {} by native code too, {} with metamorphic checks\n",
      pairs, equal, different, refused_pairs, unread_pairs, rejected, native, metamorphic);
  for (const auto& [what, count] : features) out += fmt::format("  {:6}  {}\n", count, what);
  for (const auto& [what, count] : uses) out += fmt::format("  uses     {:6}  {}\n", count, what);
  for (const auto& [what, count] : refused) out += fmt::format("  refused  {:6}  {}\n", count, what);
  for (const auto& [what, count] : unread) out += fmt::format("  unread   {:6}  {}\n", count, what);
  for (const auto& [what, count] : errors) out += fmt::format("  rejected {:6}  {}\n", count, what);
  return out;
}

RunResult RunPairs(const RunOptions& options) { return Runner(options).Run(); }

}  // namespace attr::oracle

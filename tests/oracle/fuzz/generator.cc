#include "tests/oracle/fuzz/generator.h"

#include <algorithm>

namespace attr::oracle {

namespace {

std::string Join(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : ",") + part;
  return out;
}

void MakePackHead(Gen* gen) {
  Part head{"pack fuzz.site 1.0", {"requires language 1"}, true};
  Random& r = gen->random;
  if (r.Chance(30)) head.clauses.push_back("skew " + r.Word({"0s", "1s", "5s", "20s"}));
  if (r.Chance(20)) head.clauses.push_back("skew wall " + r.Word({"0s", "30s", "2m"}));
  if (r.Chance(30)) head.clauses.push_back("grace " + r.Word({"0s", "10s", "1m"}));
  gen->draft.pack.push_back(head);
  for (const std::string& domain : gen->domains) gen->draft.pack.push_back({"domain " + domain + " \"t\"", {}, false});
  gen->draft.pack.push_back({"source extra \"more\"", {}, false});
  if (!r.Chance(40)) return;
  gen->table = true;
  gen->draft.pack.push_back(
      {"table tab from \"tab.csv\" key k { k: int, word: text, num: int?, place: node?, dom: domain }", {}, false});
  gen->draft.tables["tab.csv"] = "k,word,num,place,dom\n0,aa,1,n1,hw.gpu\n1,bb,,n2,net\n2,aa,3,,hw\n";
}

/// A constant that nothing uses is refused.
void DeclareConstants(std::vector<Part>* parts, const std::vector<Part>& imported) {
  const std::pair<const char*, const char*> constants[] = {{" two", "const two = 2"}, {" span", "const span = 15s"}};
  auto has = [](const std::vector<Part>& in, auto&& test) {
    return std::any_of(in.begin(), in.end(), [&](const Part& part) {
      return test(part.head) || std::any_of(part.clauses.begin(), part.clauses.end(), test);
    });
  };
  for (const auto& [use, declaration] : constants) {
    const std::string word = use, text = declaration;
    const bool used = has(*parts, [&](const std::string& clause) { return clause.find(word) != std::string::npos; });
    const bool there = has(imported, [&](const std::string& clause) { return clause == text; });
    if (used && !there) parts->push_back({text, {}, false});
  }
}

bool StartsWith(const std::string& text, const char* word) { return text.rfind(word, 0) == 0; }

/// Vocabulary, tables, events, symptoms and the last cause move to a pack that the
/// root imports: no rule of theirs names one that stays.
void SplitPack(Gen* gen) {
  Random& r = gen->random;
  std::vector<Part> root, library{{"pack base.lib 1.2", {"requires language 1"}, true}};
  std::string last_cause;
  for (const Part& part : gen->draft.pack) {
    const size_t at = part.head.find("cause ca");
    if (at != std::string::npos) last_cause = part.head.substr(at + 6, 3);
  }
  std::vector<std::string> rules;
  std::set<std::string> reads_span;
  for (Part& part : gen->draft.pack) {
    const size_t symptom = part.head.find("symptom sy"), cause = part.head.find("cause " + last_cause + " ");
    const bool rule = symptom != std::string::npos || (!last_cause.empty() && cause != std::string::npos);
    const bool base = StartsWith(part.head, "domain ") || StartsWith(part.head, "source ") ||
                      StartsWith(part.head, "table ") || StartsWith(part.head, "event ");
    if (rule) {
      rules.push_back(symptom != std::string::npos ? part.head.substr(symptom + 8, 3) : last_cause);
      for (const std::string& clause : part.clauses) {
        if (clause.find(" span") != std::string::npos) reads_span.insert(rules.back());
      }
    }
    (rule || base ? library : root).push_back(std::move(part));
  }
  root[0].clauses.push_back("import base.lib 1");
  if (!rules.empty() && r.Chance(30)) {
    const std::string rule = r.Of(rules);
    // What a star that names a disabled rule still says is not agreed on yet.
    const bool starred = std::any_of(root.begin(), root.end(), [&](const Part& part) {
      return std::any_of(part.clauses.begin(), part.clauses.end(),
                         [&](const std::string& clause) { return clause == "* > " + rule || clause == rule + " > *"; });
    });
    if (!starred) root.push_back({"disable base.lib::" + rule, {}, false});
  }
  if (!rules.empty() && r.Chance(60)) {
    const std::string rule = r.Of(rules);
    Part part{"override base.lib::" + rule, {}, true};
    if (rule[0] == 'c' && r.Chance(60)) part.clauses.push_back("domain " + r.Of(gen->domains));
    if (rule[0] == 'c' && r.Chance(40)) part.clauses.push_back("advise other, words");
    if (reads_span.count(rule) != 0 && r.Chance(80)) part.clauses.push_back("const span = 2s");
    if (!part.clauses.empty()) {
      if (r.Chance(40)) part.clauses.push_back("because \"ours\"");
      root.push_back(std::move(part));
    }
  }
  gen->draft.pack = std::move(root);
  gen->draft.library = std::move(library);
}

std::string TextOf(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts) {
    text += part.head;
    if (part.body) {
      text += " {\n";
      for (const std::string& clause : part.clauses) text += "  " + clause + "\n";
      text += "}";
    }
    text += "\n";
  }
  return text;
}

}  // namespace

Case Draft::ToCase() const {
  Case out;
  out.pack.rules["pack.attr"] = TextOf(pack);
  if (library.empty()) {
    out.pack.tables = tables;
  } else {
    out.imports["base.lib"] = {{{"pack.attr", TextOf(library)}}, tables};
  }
  std::vector<std::string> members{"\"schema\":\"attribution/observations/v1\""};
  std::vector<std::string> of_attempt = attempt;
  if (!nodes.empty()) of_attempt.push_back("\"nodes\":[" + Join(nodes) + "]");
  if (other_attempts.empty()) {
    members.push_back("\"attempt\":{" + Join(of_attempt) + "}");
  } else {
    members.push_back("\"attempts\":[{" + Join(of_attempt) + "}," + Join(other_attempts) + "]");
  }
  if (!coverage.empty()) members.push_back("\"coverage\":[" + Join(coverage) + "]");
  if (!clocks.empty()) members.push_back("\"clocks\":[" + Join(clocks) + "]");
  members.insert(members.end(), header.begin(), header.end());
  out.observations = "{" + Join(members) + "}\n";
  for (const std::string& line : observations) out.observations += line + "\n";
  return out;
}

Draft Generate(uint64_t seed, const std::set<std::string>& constructs) {
  Gen gen(seed, constructs);
  static const std::vector<std::string> kWide = {"three", "unless", "without", "with", "or"};
  if (gen.random.Chance(33)) gen.wide = gen.random.Of(kWide);
  MakePackHead(&gen);
  MakeEvents(&gen);
  MakeRules(&gen);
  if (gen.Use("packs", 15)) {
    SplitPack(&gen);
    DeclareConstants(&gen.draft.library, {});
  }
  DeclareConstants(&gen.draft.pack, gen.draft.library);
  MakeSet(&gen);
  return std::move(gen.draft);
}

}  // namespace attr::oracle

#include "tests/oracle/fuzz/generator.h"

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
void DeclareConstants(Draft* draft) {
  const std::pair<const char*, const char*> constants[] = {{" two", "const two = 2"}, {" span", "const span = 15s"}};
  for (const auto& [use, declaration] : constants) {
    bool used = false;
    for (const Part& part : draft->pack) {
      used = used || part.head.find(use) != std::string::npos;
      for (const std::string& clause : part.clauses) used = used || clause.find(use) != std::string::npos;
    }
    if (used) draft->pack.push_back({declaration, {}, false});
  }
}

}  // namespace

Case Draft::ToCase() const {
  Case out;
  std::string text;
  for (const Part& part : pack) {
    text += part.head;
    if (part.body) {
      text += " {\n";
      for (const std::string& clause : part.clauses) text += "  " + clause + "\n";
      text += "}";
    }
    text += "\n";
  }
  out.pack.rules["pack.attr"] = text;
  out.pack.tables = tables;
  std::vector<std::string> members{"\"schema\":\"attribution/observations/v1\""};
  std::vector<std::string> of_attempt = attempt;
  if (!nodes.empty()) of_attempt.push_back("\"nodes\":[" + Join(nodes) + "]");
  members.push_back("\"attempt\":{" + Join(of_attempt) + "}");
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
  DeclareConstants(&gen.draft);
  MakeSet(&gen);
  return std::move(gen.draft);
}

}  // namespace attr::oracle

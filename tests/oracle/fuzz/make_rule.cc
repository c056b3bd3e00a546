// Causes, symptoms, outcomes, precedence. Rules demote only later ones, so that
// most packs are free of cycles.
#include <fmt/format.h>

#include "tests/oracle/fuzz/generator.h"

namespace attr::oracle {

namespace {

using Bindings = std::vector<std::pair<std::string, uint32_t>>;

class RuleMaker {
 public:
  explicit RuleMaker(Gen* gen) : gen_(*gen), r_(gen->random) {}

  void Make() {
    causes_ = 1 + r_.Below(4);
    symptoms_ = r_.Below(4);
    for (size_t i = 0; i < causes_; ++i) MakeOne(true, i);
    for (size_t i = 0; i < symptoms_; ++i) MakeOne(false, i);
    if (gen_.constructs.count("finding") != 0 && r_.Chance(35)) MakeLate();
    Outcomes();
    if (r_.Chance(60)) Precedence();
    if (r_.Chance(20)) Ambiguity();
    if (symptoms_ > 0 && r_.Chance(15)) {
      Add({fmt::format("demote sy{} by ca{} within 30s because \"from afar\"", r_.Below(symptoms_), r_.Below(causes_)),
           {},
           false});
    }
  }

 private:
  void Add(Part part) { gen_.draft.pack.push_back(std::move(part)); }
  std::string Tag() { return r_.Word({"ta", "tb", "tc"}); }
  std::string Window() { return r_.Word({"0s", "5s", "10s", "span", "1m"}); }

  std::string Relation(const std::string& to) {
    switch (r_.Below(5)) {
      case 0:
        return "after " + to;
      case 1:
        return "before " + to;
      default:
        return fmt::format("within {} {} {}", Window(), r_.Word({"of", "after", "before"}), to);
    }
  }

  std::string Binding(const std::string& word, Bindings* bindings) {
    static const char* const kNames[] = {"x", "y", "w", "u"};
    const uint32_t event = EventToBind();
    const std::string name = kNames[bindings->size()];
    std::string out = fmt::format("{} {}: {}", word, name, gen_.events[event].name);
    bindings->emplace_back(name, event);
    const bool joined = bindings->size() > 1;
    if (joined && r_.Chance(60)) out += " " + Relation((*bindings)[r_.Below(bindings->size() - 1)].first);
    const bool open =
        word != "with" && word != "unless" && word != "without" && gen_.events[event].closes && gen_.Use("open", 40);
    if (open) out += " where open(" + name + ")";
    const size_t conditions = open ? 0 : r_.Below(joined ? 3 : 2);
    for (size_t i = 0; i < conditions; ++i) {
      out += (i == 0 ? " where " : " and ") + MakeCondition(&gen_, *bindings, 2);
    }
    return out;
  }

  /// What lines match; of late rules mostly what earlier rules found.
  uint32_t EventToBind() {
    const auto findings = static_cast<uint32_t>(findings_.size());
    if (late_ && findings > 0 && r_.Chance(70)) {
      gen_.draft.uses.insert("finding");
      return findings_[r_.Below(findings)];
    }
    return static_cast<uint32_t>(r_.Below(gen_.matched));
  }

  /// Two alternatives that bind x; what both have may be used after them.
  std::string Either(const std::string& first, Bindings* bindings) {
    Bindings other;
    const std::string second = Binding("", &other);
    const uint32_t a = (*bindings)[0].second, b = other[0].second;
    if (a != b) {
      GenEvent common;
      common.standing = gen_.events[a].standing || gen_.events[b].standing;
      for (const GenField& field : gen_.events[a].fields) {
        for (const GenField& one : gen_.events[b].fields) {
          if (one.name == field.name && one.type == field.type) common.fields.push_back(field);
        }
      }
      (*bindings)[0].second = static_cast<uint32_t>(gen_.events.size());
      gen_.events.push_back(std::move(common));
    }
    return "when {" + first.substr(4) + " } or {" + second + " }";
  }

  /// The clause, and the bindings that may be used after it.
  std::string When(Bindings* bindings) {
    std::string out = Binding("when", bindings);
    if (gen_.wide == "or" && gen_.Use("or", 50)) {
      out = Either(out, bindings);
      return r_.Chance(30) ? out + "\n       " + Binding("and", bindings) : out;
    }
    if (r_.Chance(45)) out += "\n       " + Binding("and", bindings);
    if (gen_.wide == "three" && bindings->size() == 2) out += "\n       " + Binding("and", bindings);
    if ((gen_.wide == "unless" || gen_.wide == "without" || gen_.wide == "with") && r_.Chance(60)) {
      Bindings with = *bindings;
      out += "\n       " + Binding(gen_.wide, &with);
    }
    return out;
  }

  std::string Keys(const Bindings& bindings) {
    const std::string x = r_.Of(bindings).first;
    if (gen_.Use("label", 10)) return "per label(" + x + ".node, rack)";
    switch (r_.Below(8)) {
      case 0:
        return "per attempt";
      case 1:
        return fmt::format("per {}.node, {}.gpu", x, x);
      case 2:
        return fmt::format("per {}.node", x);
      case 3:
        return "per rank";
      case 4:
        return "per gpu, node";
      default:
        break;
    }
    for (const auto& [name, event] : bindings) {
      for (const GenField& field : gen_.events[event].fields) {
        if (field.type == Type::kInt && r_.Chance(50)) {
          return fmt::format("per {}.{}{}", name, field.name, r_.Chance(30) ? " % 2" : "");
        }
        if (field.type == Type::kText && r_.Chance(40))
          return fmt::format("per {}.{}, {}.node", name, field.name, name);
      }
    }
    return "per node";
  }

  std::string Count(const Bindings& bindings) {
    const std::string x = "count(" + r_.Of(bindings).first + ")";
    switch (r_.Below(5)) {
      case 0:
        return x + " in 2..3";
      case 1:
        return "not (" + x + " in {1, 3})";
      case 2:
        return fmt::format("{} {} {}", r_.Below(4), r_.Word({"<", "<=", "=="}), x);
      default:
        return fmt::format("{} {} {}", x, r_.Word({">=", ">", "<", "<=", "==", "!="}), r_.Below(4));
    }
  }

  std::string Explain(const Bindings& bindings) {
    const auto& [x, event] = r_.Of(bindings);
    std::string out =
        "explain \"{count} at {first}..{last} on {nodes}, {gpus}, {ranks}; {" + x + ".node} {" + x + ".end}";
    for (const GenField& field : gen_.events[event].fields) out += " {" + x + "." + field.name + "}";
    return out + " {{x}} {count(" + x + ")}\"";
  }

  std::string OverTarget(const Bindings& bindings) {
    const auto& [x, event] = r_.Of(bindings);
    const std::string op = r_.Word({"==", "!=", "<", ">="});
    switch (r_.Below(4)) {
      case 0:
        return fmt::format("it.count {} {}", op, r_.Below(3));
      case 1:
        return fmt::format("it.first {} {}.begin", op, x);
      case 2:
        return fmt::format("it.last - {}.end {} 10s", x, op);
      default:
        break;
    }
    for (const GenField& field : gen_.events[event].fields) {
      if (field.type == Type::kInt) return fmt::format("it.count {} {}.{}", op, x, field.name);
    }
    return fmt::format("{}.node == \"n1\" or it.count {} 1", x, op);
  }

  std::string ClosedBy(const Bindings& bindings) {
    const auto event = static_cast<uint32_t>(r_.Below(gen_.matched));
    std::string out = fmt::format("closed by c: {}", gen_.events[event].name);
    if (r_.Chance(70)) out += r_.Chance(70) ? " same node" : " same node, gpu";
    if (r_.Chance(30)) {
      Bindings with = bindings;
      with.emplace_back("c", event);
      out += " where " + MakeCondition(&gen_, with, 1);
    }
    if (r_.Chance(30)) out += " after " + Window();
    return out;
  }

  std::string Export(const Bindings& bindings, GenEvent* finding) {
    const auto& [x, event] = r_.Of(bindings);
    for (const GenField& field : gen_.events[event].fields) {
      if (!r_.Chance(40)) continue;
      finding->fields.push_back({"made", field.type});
      return "export made = " + x + "." + field.name;
    }
    finding->fields.push_back({"made", Type::kInt});
    return "export made = count(" + x + ")";
  }

  /// Rules over what others found, and over how the attempt ended.
  void MakeLate() {
    late_ = true;
    for (const size_t finding : made_) findings_.push_back(static_cast<uint32_t>(finding));
    if (gen_.Use("finding tag", 30)) {
      GenEvent tagged{"finding tag " + tags_used_,
                      0,
                      {},
                      {{"first", Type::kTime}, {"last", Type::kTime}, {"count", Type::kInt}},
                      true};
      if (!tags_used_.empty()) {
        findings_.push_back(static_cast<uint32_t>(gen_.events.size()));
        gen_.events.push_back(std::move(tagged));
      }
    }
    const size_t count = 1 + r_.Below(2);
    for (size_t i = 0; i < count; ++i) MakeOne(r_.Chance(70), 50 + i);
  }

  std::string Demote(bool cause, size_t index, const Bindings& bindings) {
    std::string target;
    std::string on;
    if (r_.Chance(50)) on = " on " + r_.Word({"node", "gpu", "attempt"});
    if (gen_.Use("demote on rack", 10)) on = " on rack";
    if (gen_.Use("self after", 8)) return "demote self after" + on + (r_.Chance(50) ? " within " + Window() : "");
    if (cause && r_.Chance(25) && index + 1 < causes_) {
      target = fmt::format("ca{}", r_.Between(static_cast<int64_t>(index) + 1, static_cast<int64_t>(causes_) - 1));
      if (on.empty()) on = " on node";
    } else if (cause && r_.Chance(50)) {
      target = "tag " + Tag();
    } else {
      const size_t first = cause ? 0 : index + 1;
      if (first >= symptoms_) return "";
      target = fmt::format("sy{}", r_.Between(static_cast<int64_t>(first), static_cast<int64_t>(symptoms_) - 1));
    }
    std::string out = "demote " + target + on;
    if (gen_.Use("demote where", 15)) out += " where " + OverTarget(bindings);
    if (r_.Chance(60)) out += " within " + Window();
    if (r_.Chance(20)) out += " lead " + Window();
    if (r_.Chance(30)) out += fmt::format(" because \"b{}\"", r_.Below(3));
    return out;
  }

  void MakeOne(bool cause, size_t index) {
    Part part{
        fmt::format("{} {}{} \"title {}\"", cause ? "cause" : "symptom", cause ? "ca" : "sy", index, index), {}, true};
    if (r_.Chance(30)) part.head = "/// Says something.\n" + part.head;
    auto add = [&](const std::string& clause) {
      if (!clause.empty()) part.clauses.push_back(clause);
    };
    if (cause) add("domain " + r_.Of(gen_.domains) + (r_.Chance(20) ? " | " + r_.Of(gen_.domains) : ""));
    if (r_.Chance(60)) {
      const std::string tag = late_ ? "tl" : Tag();
      if (!late_) tags_used_ = tag;
      add("tags " + tag + (r_.Chance(30) && !late_ && tag != "tc" ? ", tc" : ""));
    }
    Bindings bindings;
    add(When(&bindings));
    if (r_.Chance(60)) add(Keys(bindings) + (r_.Chance(20) ? " gap " + Window() : ""));
    for (int i = 0; i < 2; ++i) {
      if (r_.Chance(12)) add(MakeExtreme(&gen_, bindings));
    }
    if (r_.Chance(20))
      add("having " + MakeHaving(&gen_, bindings));
    else if (r_.Chance(20))
      add("having " + Count(bindings) + (r_.Chance(25) ? " or " + Count(bindings) : ""));
    if (cause && gen_.Use("closed by", 15)) add(ClosedBy(bindings));
    GenEvent finding{fmt::format("finding {}{}", cause ? "ca" : "sy", index), 0, {}, {}, true};
    finding.fields = {{"first", Type::kTime}, {"last", Type::kTime}, {"count", Type::kInt}};
    if (gen_.Use("export", 30)) add(Export(bindings, &finding));
    if (!late_) {
      made_.push_back(gen_.events.size());
      gen_.events.push_back(std::move(finding));
    }
    const std::string& x = r_.Of(bindings).first;
    if (r_.Chance(70)) add(fmt::format("blame node {}.node{}", x, r_.Chance(30) ? ", gpu " + x + ".gpu" : ""));
    if (r_.Chance(10)) add(fmt::format("blame rank {}.rank", x));
    for (int i = 0; i < 2; ++i) {
      if (r_.Chance(cause ? 50 : 25)) add(Demote(cause, index, bindings));
    }
    if (!cause && r_.Chance(60)) add("suggests " + r_.Of(gen_.domains) + ", " + r_.Of(gen_.domains));
    if (cause && r_.Chance(30)) add("advise drain, look");
    if (r_.Chance(40)) add(Explain(bindings));
    Add(std::move(part));
  }

  void Outcomes() {
    const auto event = static_cast<uint32_t>(gen_.matched - 1);
    const bool job = gen_.events[event].name == "job";
    if (job && r_.Chance(40)) Add({"outcome succeeded when x: job where x.state == \"COMPLETED\"", {}, false});
    if (job) Add({"outcome failed when x: job where x.state ~ /FAIL/", {}, false});
    if (r_.Chance(30)) {
      Bindings bindings;
      Add({r_.Word({"outcome hung ", "outcome killed ", "outcome succeeded "}) + Binding("when", &bindings),
           {},
           false});
    }
    if (!made_.empty() && gen_.Use("finding", 10)) {
      Add({"outcome degraded when f: " + gen_.events[r_.Of(made_)].name, {}, false});
    }
    if (gen_.Use("stalled", 15)) {
      Add({fmt::format("outcome hung when stalled({}, {})", gen_.events[r_.Below(gen_.matched)].name, Window()),
           {},
           false});
    }
    if (gen_.Use("when outcome", 15)) {
      Add({"cause ended \"t\"",
           {"domain " + r_.Of(gen_.domains), "when outcome " + r_.Word({"failed", "hung", "succeeded"}), "per attempt"},
           true});
    }
    if (job && r_.Chance(30)) {
      Add({"outcome timed_out when x: job where " + MakeCondition(&gen_, {{"x", event}}, 1), {}, false});
    }
  }

  std::string RulePair() {
    const size_t above = r_.Below(causes_);
    return fmt::format("ca{} > ca{}", above, (above + 1 + r_.Below(causes_ - 1)) % causes_);
  }

  void Precedence() {
    Part part{"precedence", {}, true};
    const size_t pairs = 1 + r_.Below(4);
    for (size_t i = 0; i < pairs; ++i) {
      switch (r_.Below(6)) {
        case 0:
        case 1:
          if (causes_ > 1) part.clauses.push_back(RulePair());
          break;
        case 2:
          part.clauses.push_back(r_.Word({"tag ta > tag tb", "tag tb > tag tc", "tag tc > tag ta", "tag ta > tag tc"}));
          break;
        case 3:
          part.clauses.push_back(r_.Chance(50) ? "* > tag " + Tag() : "tag " + Tag() + " > *");
          break;
        case 4:
          part.clauses.push_back(r_.Chance(50) ? fmt::format("* > ca{}", r_.Below(causes_))
                                               : fmt::format("ca{} > *", r_.Below(causes_)));
          break;
        default: {
          const std::string above = r_.Of(gen_.domains);
          std::string below = r_.Of(gen_.domains);
          if (below == above) below = above == "store" ? "net" : "store";
          part.clauses.push_back("domain " + above + " > domain " + below);
          break;
        }
      }
    }
    if (causes_ > 1 && gen_.Use("prefer", 15)) {
      const size_t above = r_.Below(causes_);
      part.clauses.push_back(fmt::format("prefer x: ca{} over y: ca{} when {}", above,
                                         (above + 1 + r_.Below(causes_ - 1)) % causes_,
                                         r_.Word({"x.first < y.first", "x.count >= y.count", "x.last <= y.first",
                                                  "y.count == 1", "not x.count > 2", "x.first - y.first < 10s"})));
    }
    Add(std::move(part));
  }

  std::string Side() {
    switch (r_.Below(3)) {
      case 0:
        return fmt::format("ca{}", r_.Below(causes_));
      case 1:
        return "tag " + Tag();
      default:
        return r_.Of(gen_.domains);
    }
  }

  void Ambiguity() {
    Part part{"ambiguity", {}, true};
    const size_t clauses = 1 + r_.Below(3);
    for (size_t i = 0; i < clauses; ++i) {
      const bool star = r_.Chance(20);
      std::string clause = "between " + Side() + ", " + (star ? "*" : Side());
      if (r_.Chance(20)) clause += " within " + Window();
      if (r_.Chance(50)) clause += " unless apart " + Window();
      if (r_.Chance(50)) clause += r_.Word({" then earliest", " then latest"});
      if (r_.Chance(20)) clause += " because \"both\"";
      part.clauses.push_back(clause);
    }
    Add(std::move(part));
  }

  Gen& gen_;
  Random& r_;
  size_t causes_ = 0, symptoms_ = 0;
  bool late_ = false;               // over findings of the others
  std::vector<size_t> made_;        // events that are findings of one rule
  std::vector<uint32_t> findings_;  // what late rules may bind
  std::string tags_used_;
};

}  // namespace

void MakeRules(Gen* gen) { RuleMaker(gen).Make(); }

}  // namespace attr::oracle

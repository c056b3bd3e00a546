// Events: one line shape each, `evK c=… s=… …`, with a random choice of fields.
#include <fmt/format.h>

#include <algorithm>

#include "tests/oracle/fuzz/generator.h"

namespace attr::oracle {

namespace {

struct Shape {
  const char* group;
  const char* pattern;
  const char* declared;  // type in the pack
  Type type;
};
// Order is the order in the line.
constexpr Shape kShapes[] = {
    {"c", "-?\\w+", "int", Type::kInt},        {"s", "\\w+", "text", Type::kText},
    {"f", "\\S+", "float", Type::kFloat},      {"d", "\\S+", "duration(ms)", Type::kDuration},
    {"z", "\\S+", "size(KiB)", Type::kSize},   {"b", "\\w+", "bool", Type::kBool},
    {"t", "\\S+", "time(epoch)", Type::kTime}, {"m", "\\S+", "domain", Type::kDomain},
    {"node", "\\S+", "node", Type::kNode},     {"rank", "\\d+", "rank", Type::kRank},
    {"gpu", "\\S+", "gpu", Type::kGpu},
};

std::string MakeSources(Gen* gen, GenEvent* event) {
  Random& r = gen->random;
  const std::string one = r.Word({"kernel", "application", "syslog", "extra", "scheduler"});
  event->sources.push_back(one);
  if (r.Chance(25)) {
    const std::string other = r.Word({"kernel", "application", "syslog", "fabric"});
    if (other != one) {
      event->sources.push_back(other);
      return one + (r.Chance(50) ? " | " : ", ") + other;
    }
  }
  return one;
}

void AddComputed(Gen* gen, GenEvent* event, std::vector<std::string>* clauses) {
  Random& r = gen->random;
  auto has = [&](const char* name) {
    for (const GenField& field : event->fields) {
      if (field.name == name) return true;
    }
    return false;
  };
  if (has("c") && r.Chance(20)) {
    clauses->push_back("field h: int? = " + r.Word({"c * 2 + 1", "c % 2", "10 / c", "c << 62", "c ^ 3", "-c"}));
    event->fields.push_back({"h", Type::kInt});
  }
  if (has("f") && r.Chance(20)) {
    clauses->push_back("field q: float? = " + r.Word({"f * 3", "f / 3", "f - 0.3", "f + 1", "1.0 / f"}));
    event->fields.push_back({"q", Type::kFloat});
  }
  if (r.Chance(25)) {
    clauses->push_back("field a: int? = attrs.a");
    event->fields.push_back({"a", Type::kInt});
  }
  if (r.Chance(15)) {
    clauses->push_back("field k: text? = attrs.k.l");
    event->fields.push_back({"k", Type::kText});
  }
  if (r.Chance(15)) {
    clauses->push_back("field v: float? = value");
    event->fields.push_back({"v", Type::kFloat});
  }
  if (r.Chance(20)) {
    clauses->push_back("where " +
                       r.Word({"attrs.a != 1", "severity == \"err\"", "not (attrs.a == 2)", "has attrs.a",
                               "name != \"x\" or attrs.a < 2", "node != \"n2\"", "time >= 2026-01-01T12:00:10Z"}));
  }
  if (has("d") && r.Chance(40)) clauses->push_back("since time - d");
}

bool Has(const GenEvent& event, const char* name) {
  return std::any_of(event.fields.begin(), event.fields.end(), [&](const GenField& f) { return f.name == name; });
}

/// What matching has beyond one text: `each`, `scope`, fields of fields, look-ups.
void AddMatching(Gen* gen, GenEvent* event, std::vector<std::string>* clauses) {
  Random& r = gen->random;
  if (gen->Use("each", 12)) {
    clauses->push_back("each /it=(?P<it>\\w+)/");
    clauses->push_back(r.Chance(50) ? "field it: int?" : "field it: int");
    event->fields.push_back({"it", Type::kInt});
  }
  if (gen->Use("scope", 8)) {
    clauses->push_back("scope time " + r.Word({"-7d .. 1h", "-30s .. 0s", "-1h .. 2m", "0s .. 2h"}));
  }
  if (gen->Use("scope", 5)) clauses->push_back("scope nodes any");
  if (Has(*event, "s") && gen->Use("text field", 15)) {
    clauses->push_back(r.Word({"text? s /^(?P<sub>[ab])/", "text s /(?P<sub>[abc])/", "text? s /x/, /(?P<sub>b+)/"}));
    clauses->push_back("field sub: text?");
    event->fields.push_back({"sub", Type::kText});
  }
  if (Has(*event, "s") && gen->Use("event ~", 10)) clauses->push_back("where s " + r.Word({"~ /^[ab]/", "not ~ /b/"}));
  if (!gen->table || !Has(*event, "c")) return;
  if (gen->Use("event look-up", 20)) {
    clauses->push_back("field lk: text? = tab[c].word");
    event->fields.push_back({"lk", Type::kText});
  }
  if (gen->Use("event look-up", 15)) {
    clauses->push_back("where " +
                       r.Word({"tab[c].num != 3", "has tab[c]", "not (tab[c].word == \"bb\")", "c not in tab"}));
  }
}

void AddFields(GenEvent* event) {
  for (const char* name : {"first", "last"}) event->fields.push_back({name, Type::kTime});
  event->fields.push_back({"count", Type::kInt});
}

/// Bursts, recoveries, windows: one of them.
void AddFolding(Gen* gen, GenEvent* event, std::vector<std::string>* clauses) {
  Random& r = gen->random;
  // An optional field that names the place: what a key of that name reads is not agreed on yet.
  const bool own_place = std::any_of(clauses->begin(), clauses->end(), [](const std::string& clause) {
    return clause.rfind("field node", 0) == 0 || clause.rfind("field rank", 0) == 0 ||
           clause.rfind("field gpu", 0) == 0;
  });
  if (own_place) return;
  auto keys = [&] {
    std::string out = r.Word({"node", "node, gpu", "gpu", "rank"});
    if (Has(*event, "s") && r.Chance(30)) out += ", s";
    return out;
  };
  if (Has(*event, "c") && gen->Use("over", 8)) {
    clauses->push_back("over " + r.Word({"10s", "20s", "1m", "2", "3"}) + " per " + keys());
    clauses->push_back("where " +
                       r.Word({"increase(c) >= 1", "max(c) > 1 and min(c) < 2", "avg(c) > 0.9", "portion(c > 0) > 0.5",
                               "last(c) == 1", "rate(c) > 0.05", "max(c) >= peers(max(c))", "avg(c) < peers(avg(c))"}));
    if (r.Chance(50)) {
      clauses->push_back("field w: int? = " + r.Word({"increase(c)", "max(c)", "peers(last(c))", "min(c)"}));
      event->fields.push_back({"w", Type::kInt});
    }
    AddFields(event);
    if (r.Chance(20)) clauses->push_back("having count >= 2");
    return;
  }
  const bool episode = gen->Use("episode", 15);
  if (episode)
    clauses->push_back("episode gap " + r.Word({"5s", "15s", "1m"}) + (r.Chance(70) ? " per " + keys() : ""));
  if (episode) AddFields(event);
  if (episode && r.Chance(20)) clauses->push_back("having " + r.Word({"count >= 2", "count < 3", "first < last"}));
  if (!gen->events.empty() && gen->Use("event closed by", episode ? 40 : 8)) {
    const GenEvent& by = r.Of(gen->events);
    std::string same = r.Word({"", " same node", " same node, gpu"});
    if (Has(*event, "s") && Has(by, "s") && r.Chance(50)) same += same.empty() ? " same s" : ", s";
    clauses->push_back("closed by " + by.name + same);
    event->closes = true;
  }
}

void MakeEvent(Gen* gen, size_t index) {
  Random& r = gen->random;
  GenEvent event;
  event.name = fmt::format("ev{}", index);
  event.root = static_cast<uint32_t>(index);
  Part part{"event " + event.name + " from " + MakeSources(gen, &event), {}, true};
  std::string text = fmt::format("/ev{}\\b", index);
  for (const Shape& shape : kShapes) {
    const bool place = shape.type == Type::kNode || shape.type == Type::kRank || shape.type == Type::kGpu;
    if (!r.Chance(shape.type == Type::kInt ? 80 : place ? 20 : 25)) continue;
    const bool required = r.Chance(25);
    const std::string group = fmt::format(" {}=(?P<{}>{})", shape.group, shape.group, shape.pattern);
    text += required ? ".*" + group : "(?:.*" + group + ")?";
    part.clauses.push_back(fmt::format("field {}: {}{}", shape.group, shape.declared, required ? "" : "?"));
    if (!place) event.fields.push_back({shape.group, shape.type});
  }
  part.clauses.insert(part.clauses.begin(), "text " + text + "/");
  if (r.Chance(15)) part.clauses.push_back("unless /s=cc/");
  if (r.Chance(10)) {
    part.clauses.push_back("text? /tail=(?P<tail>\\w+)/");
    part.clauses.push_back("field tail: text?");
    event.fields.push_back({"tail", Type::kText});
  }
  AddMatching(gen, &event, &part.clauses);
  AddComputed(gen, &event, &part.clauses);
  AddFolding(gen, &event, &part.clauses);
  gen->events.push_back(std::move(event));
  gen->draft.pack.push_back(std::move(part));
}

void MakeChild(Gen* gen) {
  Random& r = gen->random;
  const GenEvent& parent = r.Of(gen->events);
  GenEvent event = parent;
  event.closes = false;
  std::erase_if(event.fields, [](const GenField& f) {
    return f.name == "first" || f.name == "last" || f.name == "count" || f.name == "w";
  });
  event.name = "child_of_" + parent.name;
  Part part{"event " + event.name + " extends " + parent.name, {}, true};
  if (r.Chance(60))
    part.clauses.push_back("where " + r.Word({"attrs.a != 0", "node != \"n1\"", "severity == \"err\""}));
  if (r.Chance(40)) part.clauses.push_back("text /c=[01]/");
  if (r.Chance(30)) {
    part.clauses.push_back("field own: int? = attrs.a");
    event.fields.push_back({"own", Type::kInt});
  }
  gen->events.push_back(std::move(event));
  gen->draft.pack.push_back(std::move(part));
}

/// The fields that all members have with one type.
void MakeUnion(Gen* gen) {
  Random& r = gen->random;
  if (gen->events.size() < 2) return;
  std::vector<size_t> members;
  for (size_t i = 0; i < gen->events.size(); ++i) {
    // A record that is of two members has two rows; of more than nine rows evaluation keeps too few records.
    const bool again = std::any_of(members.begin(), members.end(),
                                   [&](size_t m) { return gen->events[m].root == gen->events[i].root; });
    if (!again && r.Chance(60)) members.push_back(i);
  }
  if (members.size() < 2) return;
  GenEvent event = gen->events[r.Of(members)];
  event.name = "either";
  std::string head = "event either =";
  for (const size_t member : members) {
    const GenEvent& of = gen->events[member];
    head += (member == members[0] ? " " : " | ") + of.name;
    std::erase_if(event.fields, [&](const GenField& field) {
      return std::none_of(of.fields.begin(), of.fields.end(),
                          [&](const GenField& other) { return other.name == field.name && other.type == field.type; });
    });
  }
  gen->events.push_back(std::move(event));
  gen->draft.pack.push_back({head, {}, false});
}

}  // namespace

void MakeEvents(Gen* gen) {
  Random& r = gen->random;
  const size_t count = 1 + r.Below(4);
  for (size_t i = 0; i < count; ++i) MakeEvent(gen, i);
  if (r.Chance(30)) MakeChild(gen);
  if (r.Chance(20)) {
    GenEvent gauge{"gauge", 100, {"metric"}, {{"v", Type::kFloat}}};
    Part part{"event gauge from metric \"temp\"", {"field v: float = value"}, true};
    if (gen->Use("over", 60)) {
      const std::string of = r.Word({"value", "v"});
      part.clauses.push_back("over " + r.Word({"10s", "30s", "2", "4"}) + " per " +
                             r.Word({"node", "node, gpu", "rank"}));
      part.clauses.push_back("where " + r.Word({"increase(", "rate(", "min(", "max(", "avg(", "last("}) + of + ") " +
                             r.Word({">=", "<"}) + " " + r.Word({"0.1", "0.3", "0.0", "1.0"}));
      if (r.Chance(50)) {
        part.clauses.push_back("field up: float? = " +
                               r.Word({"increase(value)", "peers(avg(value))", "rate(value)", "portion(value > 0.2)"}));
        gauge.fields.push_back({"up", Type::kFloat});
      }
      if (r.Chance(20)) part.clauses.push_back("where value " + r.Word({"> 0.0", "< 1.0"}));
      AddFields(&gauge);
    }
    gen->draft.pack.push_back(std::move(part));
    gen->events.push_back(std::move(gauge));
  }
  if (gen->Use("history", 6)) {
    gen->draft.pack.push_back(
        {"event prior from history",
         {"where name == \"verdict\"", "field s: text? = attrs.domain", "field k: text? = attrs.nodes",
          "field causes: text? = attrs.causes", "field st: text? = attrs.status"},
         true});
    gen->events.push_back({"prior",
                           102,
                           {"history"},
                           {{"s", Type::kText}, {"k", Type::kText}, {"causes", Type::kText}, {"st", Type::kText}}});
  }
  if (r.Chance(20)) MakeUnion(gen);
  if (r.Chance(3)) MakeChild(gen);  // also of a union
  if (r.Chance(70)) {
    gen->draft.pack.push_back(
        {"event job from scheduler", {"where name == \"job_end\"", "field state: text? = attrs.state"}, true});
    gen->events.push_back({"job", 101, {"scheduler"}, {{"state", Type::kText}}});
  }
  gen->matched = gen->events.size();
}

}  // namespace attr::oracle

#include "tests/oracle/pack_reader.h"
#include "tests/oracle/event_scope.h"

#include <re2/re2.h>

#include <algorithm>
#include <stdexcept>

#include "compiler/syntax/parse.h"

namespace attr::oracle {

namespace {

std::string LongVersion(std::string version) {
  for (auto dots = std::count(version.begin(), version.end(), '.'); dots < 2; ++dots) version += ".0";
  return version;
}

const std::map<std::string, int64_t>& Units(Type type) {
  constexpr int64_t kS = 1'000'000'000;
  static const std::map<std::string, int64_t> durations = {
      {"ns", 1}, {"us", 1000}, {"ms", 1'000'000}, {"s", kS}, {"m", 60 * kS}, {"h", 3600 * kS}, {"d", 86'400 * kS}};
  static const std::map<std::string, int64_t> sizes = {
      {"B", 1},      {"KiB", 1 << 10},  {"MiB", 1 << 20},      {"GiB", 1 << 30},         {"TiB", int64_t{1} << 40},
      {"KB", 1'000}, {"MB", 1'000'000}, {"GB", 1'000'000'000}, {"TB", 1'000'000'000'000}};
  static const std::map<std::string, int64_t> times = {
      {"epoch", kS}, {"epoch_ms", 1'000'000}, {"epoch_us", 1'000}, {"epoch_ns", 1}};
  return type == Type::kSize ? sizes : type == Type::kTime ? times : durations;
}

int64_t UnitOf(const syntax::TypeRef& type) {
  return type.unit.empty() ? 1 : Units(*TypeNamed(type.name)).at(type.unit);
}

bool IsProperty(const std::string& name) {
  static const std::set<std::string> names = {"name", "value", "unit", "severity", "text", "source", "job", "attempt"};
  return names.count(name) != 0;
}

}  // namespace

template <class Node>
std::vector<PackReader::Declared<Node>> PackReader::All() const {
  std::vector<Declared<Node>> out;
  for (uint32_t p = 0; p < pack_.files.size(); ++p) {
    for (const syntax::File& file : pack_.files[p]) {
      for (const syntax::Item& item : file.items) {
        if (const auto* node = std::get_if<Node>(&item.node)) out.push_back({p, node, &item});
      }
    }
  }
  return out;
}

void PackReader::Load(const PackText& text) {
  std::vector<syntax::File> files;
  for (const auto& [path, source] : text.rules) {
    files.push_back(syntax::Parse(pack_.sources_map, pack_.sources_map.Add(path, source), pack_.sink));
  }
  if (pack_.sink.HasErrors()) throw std::runtime_error("the pack does not parse");
  Pack::Names names;
  for (const syntax::File& file : files) {
    for (const syntax::Item& item : file.items) {
      const auto* decl = std::get_if<syntax::PackDecl>(&item.node);
      if (decl == nullptr) continue;
      names.pack = decl->name.text;
      const std::string version = LongVersion(decl->version.value);
      if (pack_.files.empty()) {
        pack_.name = names.pack;
        pack_.version = version;
        pack_.skews = decl->skews;
        if (decl->grace) pack_.grace = *decl->grace;
      } else {
        pack_.imports.push_back({names.pack, version});
      }
    }
  }
  by_name_[names.pack] = static_cast<uint32_t>(pack_.names.size());
  pack_.names.push_back(std::move(names));
  pack_.files.push_back(std::move(files));
  loaded_.push_back(&text);
}

void PackReader::Read(const PackText& root) {
  Load(root);
  for (uint32_t p = 0; p < pack_.files.size(); ++p) {
    std::vector<std::string> wanted;
    for (const syntax::File& file : pack_.files[p]) {
      for (const syntax::Item& item : file.items) {
        const auto* decl = std::get_if<syntax::PackDecl>(&item.node);
        if (decl == nullptr) continue;
        for (const syntax::Import& import : decl->imports) wanted.push_back(import.pack.text);
      }
    }
    for (const std::string& name : wanted) {
      if (by_name_.count(name) == 0) Load(texts_.at(name));
      pack_.names[p].imports.push_back(by_name_.at(name));
    }
  }
  ReadVocabulary();
  ReadDisabled();
  ReadTables();
  DeclareEvents();
  DeclareRules();
  ApplyOverrides();
  for (Rule& rule : pack_.rules) ReadRule(rule);
  for (uint32_t r = 0; r < pack_.rules.size(); ++r) {
    if (pack_.rules[r].decl == nullptr) continue;
    for (const syntax::Demote& demote : pack_.rules[r].decl->demotes) ReadDemotion(pack_.rules[r].pack, r, demote);
  }
  for (const auto& d : All<syntax::Demote>()) {
    const uint32_t by = pack_.FindRule(d.pack, *d.node->by);
    if (by != kNone) ReadDemotion(d.pack, by, *d.node);  // else disabled
  }
  ReadOrder();
}

void PackReader::ReadVocabulary() {
  pack_.sources = {"application", "fabric", "health",    "history", "kernel",
                   "kubernetes",  "metric", "scheduler", "syslog"};
  for (const auto& source : All<syntax::SourceDecl>()) pack_.sources.insert(source.node->name.text);
  for (const auto& domain : All<syntax::DomainDecl>()) pack_.domain_index[domain.node->path.text] = 0;
  for (auto& [path, index] : pack_.domain_index) {
    index = static_cast<uint32_t>(pack_.domains.size());
    const size_t dot = path.rfind('.');
    pack_.domains.push_back({path, dot == std::string::npos ? kNone : pack_.domain_index.at(path.substr(0, dot))});
  }
  for (const auto& constant : All<syntax::ConstDecl>()) {
    pack_.names[constant.pack].constants[constant.node->name.text] = &constant.node->value;
  }
}

std::vector<std::vector<std::string>> ReadCsv(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row;
  std::string cell;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
        cell += text[++i];
      } else if (c == '"') {
        quoted = false;
      } else {
        cell += c;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',' || c == '\n') {
      row.push_back(std::move(cell));
      cell.clear();
      if (c == '\n') rows.push_back(std::exchange(row, {}));
    } else if (c != '\r') {
      cell += c;
    }
  }
  if (!cell.empty() || !row.empty()) {
    row.push_back(cell);
    rows.push_back(row);
  }
  return rows;
}

void PackReader::ReadTables() {
  for (const auto& declared : All<syntax::TableDecl>()) {
    const syntax::TableDecl& decl = *declared.node;
    Table table;
    for (const syntax::FieldDef& column : decl.columns) {
      table.columns.push_back(column.name.text);
      table.types.push_back(*TypeNamed(column.type.name));
    }
    const auto csv = ReadCsv(loaded_[declared.pack]->tables.at(decl.file.value));
    for (size_t r = 1; r < csv.size(); ++r) {
      std::vector<Value> row;
      for (size_t c = 0; c < table.columns.size(); ++c) {
        const auto at = std::find(csv[0].begin(), csv[0].end(), table.columns[c]) - csv[0].begin();
        const std::string& cell = csv[r][static_cast<size_t>(at)];
        row.push_back(cell.empty() ? Missing(table.types[c])
                                   : FromText(table.types[c], cell, UnitOf(decl.columns[c].type)));
      }
      table.rows.push_back(std::move(row));
    }
    if (!decl.keys.empty()) table.key = table.Column(decl.keys[0].text);
    pack_.names[declared.pack].tables[decl.name.text] = static_cast<uint32_t>(pack_.tables.size());
    pack_.tables.push_back(std::move(table));
  }
}

void PackReader::DeclareEvents() {
  for (const auto& declared : All<syntax::EventDecl>()) {
    if (IsDisabled(declared.pack, declared.node->name.text)) continue;
    Event event;
    event.qualified = pack_.names[declared.pack].pack + "::" + declared.node->name.text;
    event.pack = declared.pack;
    event.decl = declared.node;
    pack_.names[declared.pack].events[declared.node->name.text] = static_cast<uint32_t>(pack_.events.size());
    pack_.events.push_back(std::move(event));
  }
  event_read_.assign(pack_.events.size(), false);
  for (Event& event : pack_.events) ReadEvent(event);
}

void PackReader::ReadEvent(Event& event) {
  const auto index = static_cast<uint32_t>(&event - pack_.events.data());
  if (event_read_[index]) return;
  event_read_[index] = true;
  const syntax::EventDecl& decl = *event.decl;
  if (!decl.union_of.empty()) return Unite(event);
  event.roots = {index};
  if (decl.extends) {
    event.parent = pack_.FindEvent(event.pack, *decl.extends);
    Event& parent = pack_.events[event.parent];
    ReadEvent(parent);
    event.roots = parent.roots;
    for (Field field : parent.fields) {
      const bool window = field.value != nullptr && AsksWindow(*field.value);
      if (field.from == From::kFold || window) continue;  // it refines lines
      field.from = From::kInherited;
      event.fields.push_back(std::move(field));
    }
  }
  for (const syntax::TextClause& text : decl.texts) {
    for (const syntax::Text& regex : text.regexes) {
      const RE2 re2(Re2Text(regex.value), RE2::Quiet);
      for (const auto& [name, number] : re2.NamedCapturingGroups()) event.groups.insert(name);
    }
  }
  for (const syntax::FieldDef& def : decl.fields) ReadField(event, def);
  if (decl.closed_by) event.closed_by = pack_.FindEvent(event.pack, decl.closed_by->event);
  if (!decl.episode && !decl.over) return;
  auto add = [&](const char* name, Type type) {
    Field field;
    field.name = name;
    field.type = type;
    field.optional = type == Type::kTime;
    field.from = From::kFold;
    event.fields.push_back(std::move(field));
  };
  add("first", Type::kTime);
  add("last", Type::kTime);
  add("count", Type::kInt);
}

/// The fields that every member has under one name and with one type.
void PackReader::Unite(Event& event) {
  for (const syntax::QName& name : event.decl->union_of) {
    event.members.push_back(pack_.FindEvent(event.pack, name));
    Event& member = pack_.events[event.members.back()];
    ReadEvent(member);
    event.roots.insert(member.roots.begin(), member.roots.end());
  }
  for (Field field : pack_.events[event.members[0]].fields) {
    bool common = true;
    for (uint32_t member : event.members) {
      const Field* other = pack_.events[member].Find(field.name);
      common = common && other != nullptr && other->type == field.type;
      field.optional = field.optional || other == nullptr || other->optional;
    }
    field.from = From::kInherited;
    if (common) event.fields.push_back(std::move(field));
  }
}

void PackReader::ReadField(Event& event, const syntax::FieldDef& def) const {
  Field field;
  field.name = def.name.text;
  field.type = *TypeNamed(def.type.name);
  field.optional = def.type.optional;
  field.unit = UnitOf(def.type);
  auto read_name = [&](const std::string& name) {
    field.source = name;
    if (event.groups.count(name) != 0) {
      field.from = From::kGroup;
    } else if (IsProperty(name) && event.Find(name) == nullptr) {
      field.from = From::kBuiltin;
    } else {
      return false;
    }
    return true;
  };
  const auto* ref = def.value ? std::get_if<syntax::RefExpr>(&def.value->node) : nullptr;
  if (!def.value) {
    read_name(def.name.text);
  } else if (ref != nullptr && ref->parts.size() > 1 && ref->parts[0].text == "attrs") {
    field.from = From::kAttribute;
    for (size_t i = 1; i < ref->parts.size(); ++i) field.source += (i > 1 ? "." : "") + ref->parts[i].text;
  } else if (ref == nullptr || ref->parts.size() != 1 || !read_name(ref->parts[0].text)) {
    field.from = From::kExpression;
    field.value = def.value.get();
  }
  event.fields.push_back(std::move(field));
}

}  // namespace attr::oracle

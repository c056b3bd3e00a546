#include "tests/oracle/pack.h"

#include <algorithm>
#include <stdexcept>

#include "compiler/syntax/parse.h"
#include "tests/oracle/pack_reader.h"

namespace attr::oracle {

namespace {

/// Own pack first, then its direct imports in order; `pack::name` says which.
template <class Get>
auto FindNamed(const Pack& pack, uint32_t from, const std::string& in, Get get) {
  decltype(get(pack.names[from])) found{};
  auto look = [&](uint32_t p) {
    if (!found && (in.empty() || pack.names[p].pack == in)) found = get(pack.names[p]);
  };
  look(from);
  for (uint32_t import : pack.names[from].imports) look(import);
  return found;
}

template <class Map>
auto Getter(Map Pack::Names::*map, const std::string& name) {
  return [map, name](const Pack::Names& names) -> std::optional<typename Map::mapped_type> {
    auto it = (names.*map).find(name);
    if (it == (names.*map).end()) return std::nullopt;
    return it->second;
  };
}

}  // namespace

const Field* Event::Find(const std::string& name) const {
  for (const Field& field : fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

uint32_t Table::Column(const std::string& name) const {
  for (uint32_t i = 0; i < columns.size(); ++i) {
    if (columns[i] == name) return i;
  }
  throw std::runtime_error("no column " + name);
}

uint32_t Pack::FindEvent(uint32_t from, const syntax::QName& item) const {
  return FindNamed(*this, from, item.pack, Getter(&Names::events, item.name)).value_or(kNone);
}
uint32_t Pack::FindTable(uint32_t from, const std::string& in, const std::string& item) const {
  return FindNamed(*this, from, in, Getter(&Names::tables, item)).value_or(kNone);
}
uint32_t Pack::FindRule(uint32_t from, const syntax::QName& item) const {
  return FindNamed(*this, from, item.pack, Getter(&Names::rules, item.name)).value_or(kNone);
}
const syntax::Literal* Pack::FindConstant(uint32_t from, const std::string& in, const std::string& item) const {
  return FindNamed(*this, from, in, Getter(&Names::constants, item)).value_or(nullptr);
}

int64_t Pack::Duration(uint32_t from, const syntax::DurationRef& ref) const {
  if (ref.nanos) return *ref.nanos;
  const syntax::Literal* constant = FindConstant(from, "", ref.constant);
  if (constant == nullptr) throw std::runtime_error("no constant " + ref.constant);
  return LiteralValue(*constant).number;
}

bool Pack::IsWithin(uint32_t domain, uint32_t ancestor) const {
  for (; domain != kNone; domain = domains[domain].parent) {
    if (domain == ancestor) return true;
  }
  return false;
}

Value LiteralValue(const syntax::Literal& literal) {
  struct Visitor {
    Value operator()(bool v) const { return Number(Type::kBool, v ? 1 : 0); }
    Value operator()(int64_t v) const { return Number(Type::kInt, v); }
    Value operator()(double v) const { return Real(v); }
    Value operator()(const syntax::SizeValue& v) const { return Number(Type::kSize, v.bytes); }
    Value operator()(const syntax::DurationValue& v) const { return Number(Type::kDuration, v.nanos); }
    Value operator()(const syntax::DateTimeValue& v) const { return Number(Type::kTime, v.nanos); }
    Value operator()(const std::string& v) const { return Text(Type::kText, v); }
  };
  return std::visit(Visitor{}, literal.value);
}

std::string Re2Text(const std::string& regex) {
  std::string out;
  bool in_class = false;
  for (size_t i = 0; i < regex.size(); ++i) {
    out += regex[i];
    if (regex[i] == '\\' && i + 1 < regex.size()) {
      out += regex[++i];
    } else if (in_class) {
      in_class = regex[i] != ']';
    } else if (regex[i] == '[') {
      in_class = true;
      if (i + 1 < regex.size() && regex[i + 1] == '^') out += regex[++i];
      if (i + 1 < regex.size() && regex[i + 1] == ']') out += regex[++i];
    } else if (regex.compare(i, 3, "(?<") == 0) {
      out += "?P";
      ++i;
    }
  }
  return out;
}

std::unique_ptr<Pack> ReadPack(const PackText& root, const std::map<std::string, PackText>& imports) {
  auto pack = std::make_unique<Pack>();
  PackReader(*pack, imports).Read(root);
  ReadFindingFields(pack.get());
  return pack;
}

}  // namespace attr::oracle

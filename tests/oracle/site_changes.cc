// What a pack changes of those that it imports: `disable` and `override`
// (docs/language/packs.md).
#include <fmt/format.h>

#include "tests/oracle/pack_reader.h"

namespace attr::oracle {

namespace {

/// The documentation, which verdicts print, says who changed what.
void Document(const syntax::OverrideDecl& decl, const std::string& by, Rule* rule) {
  std::vector<std::string> what;
  if (decl.domain) what.emplace_back("domain");
  if (!decl.advise.empty()) what.emplace_back("advise");
  for (const syntax::ConstDecl& constant : decl.constants) what.push_back(constant.name.text);
  if (!rule->doc.empty()) rule->doc += "\n";
  rule->doc += fmt::format("Overridden by {}: {}{}.", by, fmt::join(what, ", "),
                           decl.because ? ", because " + decl.because->value : "");
}

}  // namespace

void PackReader::ReadDisabled() {
  for (uint32_t p = 0; p < pack_.files.size(); ++p) {
    for (const syntax::File& file : pack_.files[p]) {
      for (const syntax::Item& item : file.items) {
        const auto* decl = std::get_if<syntax::DisableDecl>(&item.node);
        if (decl == nullptr) continue;
        if (!decl->item.pack.empty()) pack_.disabled.insert(decl->item.pack + "::" + decl->item.name);
        if (!decl->item.pack.empty()) continue;
        for (const uint32_t import : pack_.names[p].imports) {
          pack_.disabled.insert(pack_.names[import].pack + "::" + decl->item.name);
        }
      }
    }
  }
}

bool PackReader::IsDisabled(uint32_t pack, const std::string& name) const {
  return pack_.disabled.count(pack_.names[pack].pack + "::" + name) != 0;
}

/// Packs stand in the order of their distance from the root: the first override is heard.
void PackReader::ApplyOverrides() {
  std::set<uint32_t> done;
  for (uint32_t p = 0; p < pack_.files.size(); ++p) {
    for (const syntax::File& file : pack_.files[p]) {
      for (const syntax::Item& item : file.items) {
        const auto* decl = std::get_if<syntax::OverrideDecl>(&item.node);
        if (decl == nullptr) continue;
        const uint32_t index = pack_.FindRule(p, decl->item);
        if (index == kNone || !done.insert(index).second) continue;
        Rule& rule = pack_.rules[index];
        Document(*decl, pack_.names[p].pack, &rule);
        if (decl->domain) rule.domains = {pack_.domain_index.at(decl->domain->text)};
        for (const syntax::Name& word : decl->advise) rule.advise.push_back(word.text);
        if (!decl->constants.empty()) {
          // Names of its own, which differ in these constants alone.
          Pack::Names own = pack_.names[rule.pack];
          for (const syntax::ConstDecl& constant : decl->constants) own.constants[constant.name.text] = &constant.value;
          rule.pack = static_cast<uint32_t>(pack_.names.size());
          pack_.names.push_back(std::move(own));
        }
      }
    }
  }
}

}  // namespace attr::oracle

// The oracle's resolver, declaration by declaration.
#pragma once

#include "tests/oracle/pack.h"

namespace attr::oracle {

class PackReader {
 public:
  PackReader(Pack& pack, const std::map<std::string, PackText>& imports) : pack_(pack), texts_(imports) {}
  void Read(const PackText& root);

 private:
  template <class Node>
  struct Declared {
    uint32_t pack;
    const Node* node;
    const syntax::Item* item;
  };
  template <class Node>
  std::vector<Declared<Node>> All() const;

  void Load(const PackText& text);
  void ReadVocabulary();
  void ReadTables();
  void DeclareEvents();
  void ReadEvent(Event& event);
  void Unite(Event& event);
  void ReadField(Event& event, const syntax::FieldDef& def) const;
  void ReadDisabled();
  bool IsDisabled(uint32_t pack, const std::string& name) const;
  void ApplyOverrides();
  void DeclareRules();
  void ReadRule(Rule& rule);
  void ReadCondition(Rule& rule, const syntax::Condition& when);
  uint32_t EventOf(const Rule& rule, const syntax::Binding& decl);
  uint32_t EventOfFindings(uint32_t rule, const std::string& tag);
  uint32_t EventOfOutcome(const std::string& state);
  uint32_t EventOfTable(uint32_t table);
  uint32_t EventOfInventory(const std::string& what);
  uint32_t AddEvent(Event event);
  void ReadKeys(Rule& rule);
  void ReadExplain(Rule& rule);
  void ReadDemotion(uint32_t pack, uint32_t source, const syntax::Demote& decl);
  void ReadOrder();
  Side ReadSide(uint32_t pack, const syntax::OrderRef& ref) const;

  Pack& pack_;
  const std::map<std::string, PackText>& texts_;
  std::vector<const PackText*> loaded_;
  std::map<std::string, uint32_t> by_name_;
  std::vector<bool> event_read_;
};

/// Rows of cells; quotes as RFC 4180 has them.
std::vector<std::vector<std::string>> ReadCsv(const std::string& text);

}  // namespace attr::oracle

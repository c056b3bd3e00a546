// Tables: the declared columns found in the CSV's header, cells typed, keys
// unique. Every error stands at its cell or row in the CSV itself.
#include <algorithm>
#include <set>

#include "compiler/sema/cells.h"
#include "compiler/sema/context.h"
#include "compiler/sema/csv.h"
#include "fmt/format.h"
#include "runtime/base/json_text.h"

namespace attr::sema {

namespace {

constexpr size_t kMaxCells = 1'000'000;
constexpr size_t kMaxUnkeyedRows = 10'000;  // every row of an event meets every row of the table

class TableReader {
 public:
  TableReader(Context& context, Table& table) : context_(context), table_(table), decl_(*table.decl) {}

  void Read() {
    table_.poisoned = true;  // until all of it is sound
    const bool columns = ReadColumns();
    const TableFile* file = FindFile();
    if (!columns || !file) return;
    source_ = file->source;
    if (!IsText()) return;
    const Csv csv = ReadCsv(context_.sources.file(source_).text());
    for (const CsvError& error : csv.errors) {
      context_.Error(Code::kTableRow, {source_, error.begin, error.end}, error.message);
    }
    if (!csv.errors.empty() || !FindHeader(csv)) return;
    if ((csv.rows.size() - 1) * table_.columns.size() > kMaxCells) {
      context_.Error(
          Code::kTableTooLarge, decl_.file.span,
          fmt::format("table `{}` has {} cells", decl_.name.text, (csv.rows.size() - 1) * table_.columns.size()));
      return;
    }
    if (table_.keys.empty() && csv.rows.size() - 1 > kMaxUnkeyedRows) {
      context_.Error(Code::kTableTooLarge, decl_.file.span,
                     fmt::format("table `{}` has {} rows and no key; at most {} are allowed", decl_.name.text,
                                 csv.rows.size() - 1, kMaxUnkeyedRows));
      return;
    }
    bool sound = true;
    for (size_t row = 1; row < csv.rows.size(); ++row) sound = ReadRow(csv.rows[row], csv.rows[0].size()) && sound;
    table_.poisoned = !sound;
  }

 private:
  bool ReadColumns() {
    bool sound = true;
    std::set<std::string> names;
    for (const syntax::FieldDef& def : decl_.columns) {
      if (!names.insert(def.name.text).second) {
        sound = false;
        context_.Error(Code::kDuplicateName, def.name.span,
                       fmt::format("column `{}` is declared twice", def.name.text));
      }
      const auto type = ResolveType(context_, def.type);
      if (def.value) {
        sound = false;
        context_.Error(Code::kComputedColumn, def.value->span,
                       fmt::format("column `{}` stands in the CSV or nowhere", def.name.text));
      }
      if (type && plan::IsSet(type->type)) {
        context_.Error(Code::kNoSetOf, def.type.span, "the cells of a table are no sets");
      }
      if (!type || plan::IsSet(type->type)) {
        sound = false;
        continue;
      }
      table_.columns.push_back({def.name.text, type->type, type->optional, type->unit, def.name.span, {}});
    }
    return FindKeys(sound) && sound;
  }

  bool FindKeys(bool columns_sound) {
    std::vector<std::string_view> names;
    for (const TableColumn& column : table_.columns) names.push_back(column.name);
    bool sound = true;
    for (const syntax::Name& key : decl_.keys) {
      const auto it = std::find(names.begin(), names.end(), key.text);
      if (it != names.end()) {
        const auto index = static_cast<uint32_t>(it - names.begin());
        if (std::find(table_.keys.begin(), table_.keys.end(), index) != table_.keys.end()) {
          context_.Error(Code::kDuplicateName, key.span, fmt::format("key `{}` is named twice", key.text));
          sound = false;
          continue;
        }
        if (table_.columns[index].type == plan::Type::kFloat) {
          context_.Error(Code::kTableColumn, key.span,
                         fmt::format("key `{}` is a float; keys are compared exactly", key.text));
          sound = false;
        }
        table_.columns[index].optional = false;
        table_.keys.push_back(index);
        continue;
      }
      sound = false;
      if (!columns_sound) continue;
      context_.Error(Code::kTableColumn, key.span, fmt::format("key `{}` is not a column of the table", key.text), "",
                     DidYouMean(key.text, names));
    }
    return sound;
  }

  const TableFile* FindFile() {
    const std::string& name = decl_.file.value;
    const auto& tables = context_.program.packs[table_.pack].input->tables;
    const bool escapes = name.empty() || name[0] == '/' || name.find('\\') != std::string::npos || name == ".." ||
                         name.rfind("../", 0) == 0 || name.find("/../") != std::string::npos ||
                         (name.size() > 3 && name.compare(name.size() - 3, 3, "/..") == 0);
    if (escapes) {
      context_.Error(Code::kTableFile, decl_.file.span, fmt::format("`{}` lies outside the pack's folder", name));
      return nullptr;
    }
    const auto it = tables.find(name);
    if (it != tables.end()) return &it->second;
    std::vector<std::string_view> names;
    for (const auto& [key, file] : tables) names.push_back(key);
    context_.Error(Code::kTableFile, decl_.file.span, fmt::format("the pack has no file `{}`", name), "",
                   DidYouMean(name, names));
    return nullptr;
  }

  /// UTF-8 without NUL, as every text of a pack.
  bool IsText() {
    const std::string_view text = context_.sources.file(source_).text();
    for (size_t at = 0; at < text.size();) {
      const size_t length = text[at] == '\0' ? 0 : Utf8SequenceLength(text, at);
      if (length == 0) {
        const auto byte = static_cast<uint32_t>(at);
        context_.Error(
            Code::kTableFile, {source_, byte, byte + 1},
            fmt::format("byte {} of the file, 0x{:02x}, is not UTF-8 text", at, static_cast<unsigned char>(text[at])),
            "", "save the file as UTF-8; a text file holds no NUL");
        return false;
      }
      at += length;
    }
    return true;
  }

  bool FindHeader(const Csv& csv) {
    if (csv.rows.empty()) {
      context_.Error(Code::kTableRow, {source_, 0, 0}, "the file is empty; its first row names the columns");
      return false;
    }
    std::vector<std::string_view> names;
    std::set<std::string_view> seen;
    bool sound = true;
    for (const CsvCell& cell : csv.rows[0]) {
      names.push_back(cell.text);
      if (seen.insert(cell.text).second) continue;
      sound = false;
      context_.Error(Code::kTableColumn, {source_, cell.begin, cell.end},
                     fmt::format("the header names column `{}` twice", cell.text));
    }
    for (const TableColumn& column : table_.columns) {
      const auto it = std::find(names.begin(), names.end(), column.name);
      where_.push_back(static_cast<size_t>(it - names.begin()));
      if (it != names.end()) continue;
      sound = false;
      diagnostics::Diagnostic diagnostic;
      diagnostic.code = Code::kTableColumn;
      diagnostic.message = fmt::format("`{}` has no column `{}`", decl_.file.value, column.name);
      diagnostic.primary = {column.span, ""};
      diagnostic.secondary.push_back(
          {{source_, csv.rows[0].front().begin, csv.rows[0].back().end}, "the columns that it has"});
      diagnostic.help = DidYouMean(column.name, names);
      context_.sink.Add(std::move(diagnostic));
    }
    return sound;
  }

  bool ReadRow(const std::vector<CsvCell>& row, size_t width) {
    const Span span{source_, row.front().begin, row.back().end};
    if (row.size() != width) {
      context_.Error(Code::kTableRow, span, fmt::format("the row has {} cells, the header {}", row.size(), width));
      return false;
    }
    bool sound = true;
    for (size_t i = 0; i < table_.columns.size(); ++i) {
      const bool key = std::find(table_.keys.begin(), table_.keys.end(), i) != table_.keys.end();
      std::optional<Cell> cell = ReadCell(table_.columns[i], row[where_[i]], key);
      if (!cell) sound = false;
      table_.columns[i].cells.push_back(cell ? std::move(*cell) : Cell{});
    }
    return sound && (table_.keys.empty() || CheckKey(span));
  }

  std::optional<Cell> ReadCell(const TableColumn& column, const CsvCell& text, bool key) {
    const Span span{source_, text.begin, std::max(text.end, text.begin + 1)};
    if (text.text.empty()) {
      if (column.optional && !key) return Cell{};
      context_.Error(Code::kTableCell, span,
                     fmt::format("the cell of {} `{}` is empty", key ? "key" : "column", column.name));
      return std::nullopt;
    }
    std::optional<Cell> cell = ParseCell(column.type, column.unit, text.text);
    if (!cell) {
      context_.Error(Code::kTableCell, span,
                     fmt::format("`{}` is not {}, as column `{}` needs", text.text, Article(column.type), column.name));
      return std::nullopt;
    }
    if (column.type == plan::Type::kDomain && FindDomain(context_, table_.pack, cell->text, span) == plan::kNone) {
      return std::nullopt;
    }
    return cell;
  }

  bool CheckKey(Span span) {
    std::vector<std::pair<int64_t, std::string>> key;
    for (uint32_t column : table_.keys) {
      const Cell& cell = table_.columns[column].cells.back();
      key.emplace_back(cell.slot, cell.text);
    }
    const auto [it, inserted] = keys_.try_emplace(std::move(key), span);
    if (inserted) return true;
    diagnostics::Diagnostic diagnostic;
    diagnostic.code = Code::kTableDuplicateKey;
    diagnostic.message = fmt::format("two rows of table `{}` have the same key", decl_.name.text);
    diagnostic.primary = {span, ""};
    diagnostic.secondary.push_back({it->second, "the first row with this key"});
    context_.sink.Add(std::move(diagnostic));
    return false;
  }

  Context& context_;
  Table& table_;
  const syntax::TableDecl& decl_;
  uint32_t source_ = 0;
  std::vector<size_t> where_;  // of each column, in the header
  std::map<std::vector<std::pair<int64_t, std::string>>, Span> keys_;
};

}  // namespace

void AnalyzeTables(Context& context) {
  for (Table& table : context.program.tables) TableReader(context, table).Read();
}

}  // namespace attr::sema

// Conditions that are well typed, over the fields that the bindings have.
#include <fmt/format.h>

#include "tests/oracle/fuzz/generator.h"

namespace attr::oracle {

namespace {

using Bindings = std::vector<std::pair<std::string, uint32_t>>;

class ConditionMaker {
 public:
  ConditionMaker(Gen* gen, const Bindings& bindings) : gen_(*gen), r_(gen->random), bindings_(bindings) {}

  std::string Make(int depth) {
    if (depth > 0 && r_.Chance(35)) {
      switch (r_.Below(3)) {
        case 0:
          return "not (" + Make(depth - 1) + ")";
        case 1:
          return "(" + Make(depth - 1) + " and " + Make(depth - 1) + ")";
        default:
          return "(" + Make(depth - 1) + " or " + Make(depth - 1) + ")";
      }
    }
    return Leaf();
  }

 private:
  struct Read {
    std::string text;
    Type type;
  };

  std::vector<Read> FieldsOf(const std::pair<std::string, uint32_t>& binding) const {
    std::vector<Read> out;
    for (const GenField& field : gen_.events[binding.second].fields) {
      out.push_back({binding.first + "." + field.name, field.type});
    }
    return out;
  }

  /// A field of this type elsewhere, or "".
  std::string Another(Type type, const std::string& than) {
    std::vector<std::string> found;
    for (const auto& binding : bindings_) {
      for (const Read& read : FieldsOf(binding)) {
        if (read.type == type && read.text != than) found.push_back(read.text);
      }
    }
    return found.empty() ? "" : r_.Of(found);
  }

  std::string Comparison() { return r_.Word({"==", "!=", "<", "<=", ">", ">="}); }
  std::string Equality() { return r_.Word({"==", "!="}); }

  std::string Leaf() {
    const auto& own = bindings_.back();
    if (bindings_.size() > 1 && r_.Chance(55)) return Between(r_.Below(bindings_.size() - 1));
    std::vector<Read> fields = FieldsOf(own);
    if (fields.empty() || r_.Chance(15)) return Place(own.first, gen_.events[own.second].standing);
    const Read read = r_.Of(fields);
    if (r_.Chance(10)) return "has " + read.text;
    if (gen_.table && read.type == Type::kInt && r_.Chance(35)) return Table(read.text);
    const std::string other = r_.Chance(20) ? Another(read.type, read.text) : "";
    return OfType(read, other);
  }

  std::string Table(const std::string& key) {
    switch (r_.Below(5)) {
      case 0:
        return fmt::format("has tab[{}]", key);
      case 1:
        return fmt::format("tab[{}].word {} \"aa\"", key, Equality());
      case 2:
        return fmt::format("tab[{}].num {} {}", key, Comparison(), r_.Below(4));
      case 3:
        return fmt::format("{}{} in tab", r_.Chance(30) ? "not " : "", key);
      default:
        return fmt::format("tab[{}].dom {} hw", key, Equality());
    }
  }

  std::string OfType(const Read& read, const std::string& other) {
    const std::string& x = read.text;
    switch (read.type) {
      case Type::kInt:
        return OfInt(x, other);
      case Type::kFloat:
        return OfFloat(x, other);
      case Type::kText:
        if (!other.empty()) return fmt::format("{} {} {}", x, Equality(), other);
        if (r_.Chance(30)) return fmt::format("{} {}~ /^[ab]/", x, r_.Chance(30) ? "not " : "");
        if (r_.Chance(30)) return fmt::format("{} {}in {{\"aa\", \"bb\"}}", x, r_.Chance(30) ? "not " : "");
        return fmt::format("{} {} \"{}\"", x, Equality(), r_.Word({"aa", "bb", "cc"}));
      case Type::kBool:
        return r_.Chance(50) ? x : fmt::format("{} {} {}", x, Equality(), r_.Word({"true", "false"}));
      case Type::kDuration:
        return fmt::format("{} {} {}", x, Comparison(), r_.Word({"100ms", "2s", "span"}));
      case Type::kSize:
        return fmt::format("{} {} {}", x, Comparison(), r_.Word({"1KiB", "3MiB"}));
      case Type::kTime:
        return fmt::format("{} {} 2026-01-01T12:00:20Z", x, Comparison());
      case Type::kDomain:
        return fmt::format("{} {} {}", x, Equality(), r_.Of(gen_.domains));
      default:
        return "true";
    }
  }

  std::string OfInt(const std::string& x, const std::string& other) {
    const std::string y = other.empty() ? std::to_string(r_.Below(4)) : other;
    switch (r_.Below(7)) {
      case 0:
        return fmt::format("{} in {{1, 2}}", x);
      case 1:
        return fmt::format("{} {}in 1..2", x, r_.Chance(30) ? "not " : "");
      case 2:
        return fmt::format("({} & 1) == {}", x, r_.Below(2));
      case 3:
        return fmt::format("{} {} 1 {} {}", x, r_.Word({"+", "-", "*", "%", "<<"}), Comparison(), y);
      case 4:
        return fmt::format("{} {} two", x, Comparison());
      default:
        return fmt::format("{} {} {}", x, Comparison(), y);
    }
  }

  std::string OfFloat(const std::string& x, const std::string& other) {
    if (!other.empty()) return fmt::format("{} {} {}", x, Comparison(), other);
    const std::string number = Another(Type::kInt, x);
    if (!number.empty() && r_.Chance(30)) return fmt::format("{} {} {}", number, Comparison(), x);
    return r_.Word({"", "not "}) + fmt::format("{} {} {} {}", x, r_.Word({"* 3", "- 0.3", "+ 0.0", "/ 0.1"}),
                                               Comparison(),
                                               r_.Word({"0.3", "0.0", "1", "3.0", "0.30000000000000004"}));
  }

  std::string Place(const std::string& x, bool standing) {
    if (gen_.Use("label", 20)) {
      return fmt::format("label({}.node, {}) {} \"{}\"", x, r_.Word({"rack", "driver"}), Equality(),
                         r_.Word({"r1", "r2", "d1"}));
    }
    switch (r_.Below(standing ? 3 : 6)) {
      case 0:
        return fmt::format("has {}.node", x);
      case 1:
        return fmt::format("{}.rank {} {}", x, Comparison(), r_.Below(4));
      case 2:
        return fmt::format("{}.gpu {} \"g0\"", x, Equality());
      case 3:
        return fmt::format("{}.observer {} \"n1\"", x, Equality());
      case 4:
        return fmt::format("{}.begin {} 2026-01-01T12:00:15Z", x, Comparison());
      default:
        return fmt::format("{}.node {} \"{}\"", x, Equality(), r_.Word({"n1", "n2", "n1.cluster"}));
    }
  }

  std::string Between(size_t with) {
    const std::string& x = bindings_[with].first;
    const std::string& y = bindings_.back().first;
    if (gen_.Use("same rack", 10)) return r_.Word({"", "not "}) + fmt::format("same rack({}, {})", y, x);
    if (gen_.events[bindings_[with].second].standing || gen_.events[bindings_.back().second].standing) {
      if (r_.Chance(50)) return fmt::format("{}.node {} {}.node", y, r_.Chance(80) ? "==" : "!=", x);
    } else if (gen_.Use("same event", 8)) {
      return fmt::format("same event({}, {})", y, x);
    }
    switch (r_.Below(10)) {
      case 0:
        return fmt::format("same {}({}, {})", r_.Word({"node", "rank", "gpu"}), y, x);
      case 1:
        return fmt::format("{}.rank {} {}.rank", y, Equality(), x);
      case 2:
        return fmt::format("{}.gpu {} {}.gpu", y, Equality(), x);
      case 3:
        return fmt::format("{}.end - {}.end {} 10s", y, x, Comparison());
      case 4:
      case 5:
      case 6:
        return fmt::format("{}.node {} {}.node", y, r_.Chance(80) ? "==" : "!=", x);
      default:
        break;
    }
    std::vector<Read> fields = FieldsOf(bindings_.back());
    if (fields.empty()) return fmt::format("{}.node == {}.node", y, x);
    const Read read = r_.Of(fields);
    for (const Read& other : FieldsOf(bindings_[with])) {
      if (other.type == read.type) return OfType(read, other.text);
    }
    return OfType(read, "");
  }

  Gen& gen_;
  Random& r_;
  const Bindings& bindings_;
};

}  // namespace

std::string MakeCondition(Gen* gen, const Bindings& bindings, int depth) {
  return ConditionMaker(gen, bindings).Make(depth);
}

}  // namespace attr::oracle

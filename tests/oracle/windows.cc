// `over`: a window at each sample, one event of each run of true windows
// (docs/language/windows.md, semantics.md S16).
#include <algorithm>
#include <bit>
#include <stdexcept>

#include "tests/oracle/event_scope.h"

namespace attr::oracle {

namespace {

bool IsWindowAggregate(const std::string& name) {
  static const std::set<std::string> names = {"increase", "rate", "min", "max", "avg", "last", "portion", "peers"};
  return names.count(name) != 0;
}

using Samples = std::vector<const Row*>;  // of one key, canonical order
struct Window {
  Samples samples;  // the last one is where it ends
};

class WindowFolder;

/// Names of the sample at which a window ends, and aggregates of the window.
class WindowScope : public EventScope {
 public:
  WindowScope(const WindowFolder& folder, const Candidate& candidate, const Row& row, size_t key, size_t number);
  std::optional<Operand> Call(const syntax::CallExpr& call) const override;

 private:
  const WindowFolder& folder_;
  size_t key_, number_;
};

class WindowFolder {
 public:
  WindowFolder(World& world, const Event& event) : world_(world), event_(event), decl_(*event.decl) {
    if (decl_.over->duration) length_ = world.pack.Duration(event.pack, *decl_.over->duration);
  }

  std::vector<Row> Fold(const std::vector<Row>& lines) {
    for (const Row& line : lines) Key(line).push_back(&line);
    for (const Samples& of : keys_) windows_.push_back(WindowsOf(of));
    std::vector<Row> out;
    for (size_t k = 0; k < keys_.size(); ++k) Runs(k, &out);
    std::stable_sort(out.begin(), out.end(), [](const Row& a, const Row& b) { return a.observation < b.observation; });
    return out;
  }

  World& world() const { return world_; }
  Value Aggregate(const syntax::CallExpr& call, size_t key, size_t number) const {
    if (call.callee.text == "peers") return Peers(std::get<syntax::CallExpr>(call.arguments[0]->node), key, number);
    return OverWindow(call, windows_[key][number]);
  }

 private:
  struct Taken {
    const Row* row;
    Value value;
  };

  Samples& Key(const Row& line) {
    for (Samples& of : keys_) {
      bool same = of.front()->span.tie == line.span.tie;
      for (const syntax::Name& key : decl_.over->per) {
        same = same && SameValue(ColumnOf(*of.front(), key.text), ColumnOf(line, key.text));
      }
      if (same) return of;
    }
    keys_.emplace_back();
    return keys_.back();
  }

  static bool HasStamp(const Row& row) { return row.span.end_lo == row.span.end_hi; }

  std::vector<Window> WindowsOf(const Samples& of) const {
    std::vector<Window> out;
    for (size_t i = 0; i < of.size(); ++i) {
      Window window;
      if (decl_.over->duration && !HasStamp(*of[i])) continue;
      for (size_t j = 0; j < of.size(); ++j) {
        if (j == i) continue;
        const bool counted = decl_.over->duration ? HasStamp(*of[j]) && of[j]->span.end_lo <= of[i]->span.end_lo &&
                                                        of[i]->span.end_lo - of[j]->span.end_lo <= length_
                                                  : j < i && j + static_cast<size_t>(*decl_.over->records) > i;
        if (counted) window.samples.push_back(of[j]);
      }
      window.samples.push_back(of[i]);
      std::sort(window.samples.begin(), window.samples.end());  // rows of one list: canonical order
      window.samples.erase(std::find(window.samples.begin(), window.samples.end(), of[i]));
      // Others of its moment that stand behind it count as well; it is the one that the window is of.
      window.samples.push_back(of[i]);
      out.push_back(std::move(window));
    }
    return out;
  }

  Value On(const Row& row, const syntax::Expr& expr) const {
    const Candidate candidate{&event_, &world_.set.observations[row.observation], nullptr, {}};
    const EventScope scope(world_, candidate, row);
    return Evaluator(world_, event_.pack, scope).Eval(expr).value;
  }

  Samples InOrder(const Window& window) const {
    Samples out = window.samples;
    std::sort(out.begin(), out.end());
    return out;
  }

  std::vector<Taken> Take(const syntax::Expr& expr, const Window& window, Type* type) const {
    std::vector<Taken> out;
    for (const Row* row : InOrder(window)) {
      Value value = On(*row, expr);
      *type = value.type;
      if (value.present) out.push_back({row, std::move(value)});
    }
    return out;
  }

  std::string SeriesOf(const Row& row) const {
    const model::Observation& o = world_.set.observations[row.observation];
    if (world_.Name(o.source) != "metric") {
      return row.span.clock.substr(0, row.span.clock.find(" clock ")) + " " + row.span.stream;  // who wrote it
    }
    std::string out =
        world_.Name(o.node) + "|" + world_.Name(o.gpu) + "|" + std::to_string(o.rank) + "|" + world_.Name(o.observer);
    for (uint32_t a = o.attributes_begin; a < o.attributes_end; ++a) {
      const model::Attribute& attribute = world_.set.attributes[a];
      out += "|" + std::string(attribute.key) + "=" + std::to_string(static_cast<int>(attribute.kind)) + ":" +
             std::to_string(attribute.number) + ":" + std::string(attribute.text);
    }
    return out;
  }

  Value OverWindow(const syntax::CallExpr& call, const Window& window) const {
    const std::string& name = call.callee.text;
    const syntax::Expr& argument = *call.arguments[0];
    if (name == "portion") return Portion(argument, window);
    Type type = Type::kFloat;
    const std::vector<Taken> taken = Take(argument, window, &type);
    const bool real = name == "rate" || (name == "avg" && type == Type::kInt);
    if (taken.size() < 2) return Missing(real ? Type::kFloat : type);
    if (name == "increase" || name == "rate") return Increase(taken, type, name == "rate");
    if (name == "avg") return Mean(taken, type);
    if (name == "last") return taken.back().value;
    Value best = taken[0].value;
    for (const Taken& one : taken) {
      const int order = Order(one.value, best);
      if (name == "min" ? order < 0 : order > 0) best = one.value;
    }
    return best;
  }

  Value Portion(const syntax::Expr& condition, const Window& window) const {
    int64_t known = 0, holds = 0;
    for (const Row* row : InOrder(window)) {
      const Candidate candidate{&event_, &world_.set.observations[row->observation], nullptr, {}};
      const EventScope scope(world_, candidate, *row);
      const Bits bits = Evaluator(world_, event_.pack, scope).Condition(condition);
      known += IsKnown(bits) ? 1 : 0;
      holds += bits.must ? 1 : 0;
    }
    if (known < 2) return Missing(Type::kFloat);
    return Real(static_cast<double>(holds) / static_cast<double>(known));
  }

  Value Increase(const std::vector<Taken>& taken, Type type, bool per_second) const {
    std::vector<std::pair<std::string, std::vector<const Taken*>>> series;
    for (const Taken& one : taken) {
      const std::string name = SeriesOf(*one.row);
      auto at = std::find_if(series.begin(), series.end(), [&](const auto& s) { return s.first == name; });
      if (at == series.end()) at = series.insert(at, {name, {}});
      at->second.push_back(&one);
    }
    std::optional<Value> total;
    for (const auto& [name, of] : series) {
      if (of.size() < 2) continue;
      Value rise = type == Type::kFloat ? Real(0) : Number(type, 0);
      for (size_t i = 1; i < of.size(); ++i) {
        const Value &before = of[i - 1]->value, &now = of[i]->value;
        const Value step = Order(now, before) < 0 ? now : Calculate(Arith::kSub, now, before);
        rise = Calculate(Arith::kAdd, rise, step);
      }
      if (per_second) {
        const int64_t nanos = of.back()->row->span.end_lo - of.front()->row->span.end_lo;
        const double by = rise.type == Type::kFloat ? rise.real : static_cast<double>(rise.number);
        const bool stamps = HasStamp(*of.front()->row) && HasStamp(*of.back()->row);
        rise =
            rise.present && stamps && nanos > 0 ? Real(by / (static_cast<double>(nanos) / 1e9)) : Missing(Type::kFloat);
      }
      total = total ? Calculate(Arith::kAdd, *total, rise) : rise;
    }
    return total.value_or(Missing(per_second ? Type::kFloat : type));
  }

  static Value Mean(const std::vector<Taken>& taken, Type type) {
    const auto n = static_cast<int64_t>(taken.size());
    if (type == Type::kFloat || type == Type::kInt) {
      double sum = 0;
      for (const Taken& one : taken)
        sum += type == Type::kFloat ? one.value.real : static_cast<double>(one.value.number);
      return Real(sum / static_cast<double>(n));
    }
    __int128 sum = 0;
    for (const Taken& one : taken) sum += one.value.number;
    return Number(type, static_cast<int64_t>(sum / n));
  }

  /// The lower median of what the other keys have.
  Value Peers(const syntax::CallExpr& call, size_t key, size_t number) const {
    const Row& now = *windows_[key][number].samples.back();
    std::vector<Value> values;
    Type type = OverWindow(call, windows_[key][number]).type;
    for (size_t k = 0; k < keys_.size(); ++k) {
      if (k == key || keys_[k].front()->span.tie != keys_[key].front()->span.tie) continue;
      const Window* last = nullptr;
      if (!decl_.over->duration && number < windows_[k].size()) last = &windows_[k][number];
      for (const Window& window : windows_[k]) {
        if (!decl_.over->duration) break;
        const int64_t t = window.samples.back()->span.end_lo;
        if (t <= now.span.end_lo && now.span.end_lo - t <= length_ &&
            (last == nullptr || t >= last->samples.back()->span.end_lo)) {
          last = &window;
        }
      }
      if (last == nullptr) continue;
      Value value = OverWindow(call, *last);
      if (value.present) values.push_back(std::move(value));
    }
    if (values.empty()) return Missing(type);
    std::stable_sort(values.begin(), values.end(), [](const Value& a, const Value& b) { return Order(a, b) < 0; });
    return values[(values.size() - 1) / 2];
  }

  bool IsTrue(size_t key, size_t number) const {
    const Row& row = *windows_[key][number].samples.back();
    const Candidate candidate{&event_, &world_.set.observations[row.observation], nullptr, {}};
    const WindowScope scope(*this, candidate, row, key, number);
    return std::all_of(decl_.where.begin(), decl_.where.end(), [&](const syntax::ExprPtr& where) {
      return !AsksWindow(*where) || Evaluator(world_, event_.pack, scope).Condition(*where).must;
    });
  }

  void Runs(size_t key, std::vector<Row>* out) const {
    const std::vector<Window>& windows = windows_[key];
    for (size_t begin = 0; begin < windows.size();) {
      if (!IsTrue(key, begin)) {
        ++begin;
        continue;
      }
      size_t end = begin + 1;
      while (end < windows.size() && IsTrue(key, end)) ++end;
      if (auto row = RowOfRun(key, begin, end)) out->push_back(std::move(*row));
      begin = end;
    }
  }

  std::optional<Row> RowOfRun(size_t key, size_t begin, size_t end) const {
    const Row &at = *windows_[key][begin].samples.back(), &last = *windows_[key][end - 1].samples.back();
    Row row = at;
    const Candidate candidate{&event_, &world_.set.observations[at.observation], nullptr, {}};
    const WindowScope scope(*this, candidate, at, key, begin);
    for (const Field& field : event_.fields) {
      if (field.from != From::kExpression || !AsksWindow(*field.value)) continue;
      Value value = Evaluator(world_, event_.pack, scope).Eval(*field.value, field.type).value;
      if (field.type == Type::kFloat && value.type != Type::kFloat) {
        value = value.present ? Real(static_cast<double>(value.number)) : Missing(Type::kFloat);
      }
      value.type = field.type;
      if (!value.present && !field.optional) return std::nullopt;
      row.fields[field.name] = std::move(value);
    }
    auto stamp = [](const Row& of) {
      return HasStamp(of) ? Number(Type::kTime, of.span.end_lo) : Missing(Type::kTime);
    };
    row.fields["first"] = stamp(at);
    row.fields["last"] = stamp(last);
    row.fields["count"] = Number(Type::kInt, static_cast<int64_t>(end - begin));
    const Row& earliest = *InOrder(windows_[key][begin]).front();
    row.span.begin_lo = earliest.span.begin_lo;
    row.span.begin_hi = earliest.span.begin_hi;
    row.span.end_lo = last.span.end_lo;
    row.span.end_hi = last.span.end_hi;
    row.span.precision = std::max({row.span.precision, earliest.span.precision, last.span.precision});
    return row;
  }

  World& world_;
  const Event& event_;
  const syntax::EventDecl& decl_;
  int64_t length_ = 0;
  std::vector<Samples> keys_;
  std::vector<std::vector<Window>> windows_;
};

WindowScope::WindowScope(const WindowFolder& folder, const Candidate& candidate, const Row& row, size_t key,
                         size_t number)
    : EventScope(folder.world(), candidate, row), folder_(folder), key_(key), number_(number) {}

std::optional<Operand> WindowScope::Call(const syntax::CallExpr& call) const {
  if (!IsWindowAggregate(call.callee.text)) return std::nullopt;
  return Operand{folder_.Aggregate(call, key_, number_)};
}

}  // namespace

bool AsksWindow(const syntax::Expr& expr) {
  auto any = [](const std::vector<syntax::ExprPtr>& parts) {
    return std::any_of(parts.begin(), parts.end(), [](const syntax::ExprPtr& part) { return AsksWindow(*part); });
  };
  if (const auto* call = std::get_if<syntax::CallExpr>(&expr.node)) {
    return IsWindowAggregate(call->callee.text) || any(call->arguments);
  }
  if (const auto* chain = std::get_if<syntax::ChainExpr>(&expr.node)) return any(chain->operands);
  if (const auto* unary = std::get_if<syntax::UnaryExpr>(&expr.node)) return AsksWindow(*unary->operand);
  if (const auto* in = std::get_if<syntax::InExpr>(&expr.node)) return AsksWindow(*in->operand);
  const auto* binary = std::get_if<syntax::BinaryExpr>(&expr.node);
  return binary != nullptr && (AsksWindow(*binary->left) || AsksWindow(*binary->right));
}

std::vector<Row> FoldWindows(World& world, const Event& event, const std::vector<Row>& lines) {
  return WindowFolder(world, event).Fold(lines);
}

}  // namespace attr::oracle

#include "runtime/match/windows.h"

#include <algorithm>
#include <map>
#include <string>

#include "runtime/eval/value_ops.h"

namespace attr::match {

namespace {

using eval::FloatOf;
using eval::SlotOf;
using plan::WindowKind;

using Sum128 = __int128;

/// A number that is no NaN, or nothing.
bool PutNumber(double value, int64_t* out) { return eval::FloatResult(value, out); }
bool PutNumber(Sum128 value, int64_t* out) {
  if (value < INT64_MIN || value > INT64_MAX) return false;
  *out = static_cast<int64_t>(value);
  return true;
}

std::string LabelsOf(const model::ObservationSet& set, const model::Observation& sample) {
  std::string key = std::to_string(sample.node) + ' ' + std::to_string(sample.observer) + ' ' +
                    std::to_string(sample.gpu) + ' ' + std::to_string(sample.rank) + ' ' +
                    std::to_string(sample.source) + ' ' + std::string(sample.name) + '\0';
  if (!sample.has_value) return key + std::to_string(sample.stream);
  for (uint32_t a = sample.attributes_begin; a < sample.attributes_end; ++a) {
    const model::Attribute& attribute = set.attributes[a];
    key += std::string(attribute.key) + '\0' + std::to_string(static_cast<int>(attribute.kind)) +
           std::to_string(attribute.number) + '\0' + std::string(attribute.text) + '\0';
  }
  return key;
}

}  // namespace

/// One window's samples that have a value, read as T: double or 128 bits.
class WindowReader {
 public:
  using Samples = Windows::Samples;
  /// `series`: by row; null: nobody asks.
  WindowReader(const Samples& samples, const eval::Column& values, const std::vector<uint32_t>* series)
      : samples_(samples), values_(values) {
    if (series == nullptr) return;
    for (const Windows::Sample& sample : samples) series_.push_back((*series)[sample.row]);
    std::vector<uint32_t> here = series_;
    std::sort(here.begin(), here.end());
    here.erase(std::unique(here.begin(), here.end()), here.end());
    for (uint32_t& id : series_) {
      id = static_cast<uint32_t>(std::lower_bound(here.begin(), here.end(), id) - here.begin());
    }
    numbers_.assign(here.size(), 0);
  }

  template <class T>
  bool Read(const Windows::Sample& at, WindowKind kind, int64_t* out) {
    if (kind == WindowKind::kIncrease || kind == WindowKind::kRate) {
      return Increase<T>(at, kind == WindowKind::kRate, out);
    }
    size_t count = 0;
    T sum{}, low{}, high{}, last{};
    for (uint32_t i = at.from; i < at.to; ++i) {
      if (!values_.Has(samples_[i].row)) continue;
      last = ValueAt<T>(samples_[i].row);
      low = count == 0 ? last : std::min(low, last);
      high = count == 0 ? last : std::max(high, last);
      sum += last;
      ++count;
    }
    if (count < 2) return false;
    switch (kind) {
      case WindowKind::kMin:
        return PutNumber(low, out);
      case WindowKind::kMax:
        return PutNumber(high, out);
      case WindowKind::kLast:
        return PutNumber(last, out);
      default:
        return PutNumber(sum / static_cast<T>(count), out);
    }
  }

  /// A mean that is a float whatever its parts: of ints, or of how often a condition holds.
  bool Mean(const Windows::Sample& at, int64_t* out) {
    size_t count = 0;
    Sum128 sum = 0;
    for (uint32_t i = at.from; i < at.to; ++i) {
      if (!values_.Has(samples_[i].row)) continue;
      sum += values_.slots[samples_[i].row];
      ++count;
    }
    return count >= 2 && PutNumber(static_cast<double>(sum) / static_cast<double>(count), out);
  }

 private:
  template <class T>
  T ValueAt(uint32_t row) const {
    if constexpr (std::is_same_v<T, double>) {
      return FloatOf(values_.slots[row]);
    } else {
      return values_.slots[row];
    }
  }

  /// Of each series what its samples rise by; where one falls the counter began at 0 again.
  template <class T>
  bool Increase(const Windows::Sample& at, bool rate, int64_t* out) {
    struct One {
      uint32_t series = 0;
      T last{}, grown{};
      int64_t first_time = 0, last_time = 0;
      size_t count = 0;
    };
    std::vector<One> all;  // in order of their first samples
    for (uint32_t i = at.from; i < at.to; ++i) {
      const uint32_t row = samples_[i].row;
      if (!values_.Has(row)) continue;
      uint32_t& number = numbers_[series_[i]];
      if (number == 0) {
        all.push_back({series_[i], {}, {}, samples_[i].time});
        number = static_cast<uint32_t>(all.size());
      }
      One& one = all[number - 1];
      const T value = ValueAt<T>(row);
      if (one.count != 0) one.grown += value < one.last ? value : value - one.last;
      one.last = value;
      one.last_time = samples_[i].time;
      ++one.count;
    }
    T sum{};
    double per_second = 0;
    bool any = false;
    for (const One& one : all) {
      numbers_[one.series] = 0;
      if (one.count < 2 || (rate && one.last_time == one.first_time)) continue;
      any = true;
      sum += one.grown;
      const double seconds = static_cast<double>(one.last_time - one.first_time) / static_cast<double>(plan::kSecond);
      if (rate) per_second += static_cast<double>(one.grown) / seconds;
    }
    return any && (rate ? PutNumber(per_second, out) : PutNumber(sum, out));
  }

  const Samples& samples_;
  const eval::Column& values_;
  std::vector<uint32_t> series_;   // of each sample, among those of this key
  std::vector<uint32_t> numbers_;  // by series, in the window under way: from 1; 0 between windows
};

Windows::Windows(const eval::Context& context, const plan::Fold& fold, const eval::Table& lines,
                 const std::vector<uint32_t>& observation)
    : context_(context), fold_(fold), lines_(lines), observation_(observation) {
  const eval::Column& stamps = lines.columns[plan::kEnd];
  for (std::vector<uint32_t>& rows : KeyedLines(lines, fold.keys)) {
    Samples samples;
    if (fold.records != 0) std::sort(rows.begin(), rows.end());
    for (const uint32_t row : rows) {
      const bool stamped = stamps.Has(row);
      if (stamped || fold.records != 0) samples.push_back({row, stamped ? stamps.slots[row] : 0});
    }
    if (fold.records == 0) {
      std::sort(samples.begin(), samples.end(),
                [](const Sample& a, const Sample& b) { return a.time != b.time ? a.time < b.time : a.row < b.row; });
    }
    Bound(samples);
    if (!samples.empty()) keys_.push_back(std::move(samples));
  }
}

/// [t - length, t], both ends in it; or the last so many of the key.
void Windows::Bound(Samples& samples) {
  uint32_t from = 0, to = 0;
  for (uint32_t i = 0; i < samples.size(); ++i) {
    if (fold_.records != 0) {
      from = i + 1 > fold_.records ? i + 1 - fold_.records : 0;
      to = i + 1;
    } else {
      while (samples[i].time - samples[from].time > fold_.span) ++from;
      while (to < samples.size() && samples[to].time <= samples[i].time) ++to;
    }
    samples[i].from = from;
    samples[i].to = to;
    largest_ = std::max<uint64_t>(largest_, to - from);
  }
}

/// A metric's series is told by all its labels, a log's by who wrote it.
const std::vector<uint32_t>& Windows::Series() {
  if (!series_.empty()) return series_;
  std::map<std::string, uint32_t> known;
  for (const uint32_t observation : observation_) {
    std::string labels = LabelsOf(*context_.set, context_.set->observations[observation]);
    series_.push_back(known.try_emplace(std::move(labels), static_cast<uint32_t>(known.size())).first->second);
  }
  return series_;
}

eval::Column Windows::Aggregate(const plan::Field& field, plan::Type operand, const eval::Column& values) {
  eval::Column own;
  own.slots.assign(lines_.rows, 0);
  own.present.assign(eval::WordsFor(lines_.rows), 0);
  const bool rises = field.window == WindowKind::kIncrease || field.window == WindowKind::kRate;
  const std::vector<uint32_t>* series = rises ? &Series() : nullptr;
  const bool mean =
      field.window == WindowKind::kPortion || (field.window == WindowKind::kAvg && operand == plan::Type::kInt);
  for (const Samples& samples : keys_) {
    WindowReader reader(samples, values, series);
    for (const Sample& at : samples) {
      int64_t slot = 0;
      const bool some = mean                            ? reader.Mean(at, &slot)
                        : operand == plan::Type::kFloat ? reader.Read<double>(at, field.window, &slot)
                                                        : reader.Read<Sum128>(at, field.window, &slot);
      if (!some) continue;
      own.slots[at.row] = slot;
      eval::Set(own.present, at.row);
    }
  }
  return field.peers ? Peers(own, field.type) : own;
}

eval::Column Windows::Peers(const eval::Column& own, plan::Type type) const {
  std::vector<PeerValue> values;
  for (uint32_t key = 0; key < keys_.size(); ++key) {
    for (uint32_t i = 0; i < keys_[key].size(); ++i) {
      const Sample& at = keys_[key][i];
      values.push_back({key, at.row, i, at.time, own.Has(at.row), own.slots[at.row]});
    }
  }
  eval::Column out;
  out.slots.assign(lines_.rows, 0);
  out.present.assign(eval::WordsFor(lines_.rows), 0);
  FillPeers(std::move(values), fold_.records != 0, fold_.span, type, &out);
  return out;
}

std::vector<FoldedRow> Windows::Runs(const eval::Bitmap& is_true) const {
  std::vector<FoldedRow> runs;
  for (const Samples& samples : keys_) {
    bool open = false;
    for (const Sample& at : samples) {
      if (!eval::Test(is_true, at.row)) {
        open = false;
        continue;
      }
      if (!open) runs.push_back({at.row, samples[at.from].row, at.row, at.row});
      open = true;
      FoldedRow& run = runs.back();
      run.last = run.span_last = at.row;
      ++run.count;
      for (uint32_t i = at.from; i < at.to; ++i) {
        const uint32_t row = samples[i].row;
        run.one_clock =
            run.one_clock && lines_.columns[plan::kClock].slots[row] == lines_.columns[plan::kClock].slots[run.first];
        run.skew = std::max(run.skew, lines_.columns[plan::kSkew].slots[row]);
      }
    }
  }
  std::sort(runs.begin(), runs.end(), [](const FoldedRow& a, const FoldedRow& b) { return a.first < b.first; });
  return runs;
}

}  // namespace attr::match

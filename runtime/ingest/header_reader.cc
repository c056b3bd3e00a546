#include <algorithm>
#include <utility>

#include "runtime/ingest/header.h"
#include "runtime/model/time_text.h"

namespace attr::ingest {

namespace {

using Value = simdjson::ondemand::value;

constexpr int64_t kMaxRank = INT32_MAX;

class HeaderReader {
 public:
  HeaderReader(Cursor* cursor, Header* header, UnknownKeys* unknown)
      : cursor_(cursor), header_(header), unknown_(unknown) {}

  bool Run(simdjson::ondemand::object object) {
    const char* begin = cursor_->Begin();
    bool looks_like_observation = false;
    bool good = Fields(object, "", [&](std::string_view key, Value value) {
      looks_like_observation = looks_like_observation || key == "source";
      return Top(key, value);
    });
    if (!good) return false;
    if (schema_ && header_->places.count("attempts") != 0 && header_->places.count("attempt") != 0) {
      return cursor_->Fail(header_->places.at("attempts"), "the header has both \"attempt\" and \"attempts\"");
    }
    if (schema_) return true;
    return cursor_->Fail(
        begin, looks_like_observation ? "the first line is an observation, not a header" : "there is no \"schema\"",
        "the header is the first line (NDJSON) or the whole object (JSON) and says "
        "{\"schema\":\"attribution/observations/v1\", ...}");
  }

 private:
  /// Calls f(key, value) for each field; a key that comes twice is an error.
  template <class F>
  bool Fields(simdjson::ondemand::object object, std::string_view path, F f) {
    std::vector<std::string> seen;
    for (auto item : object) {
      simdjson::ondemand::field field;
      if (auto code = std::move(item).get(field)) return cursor_->FailJson(code, cursor_->Begin());
      std::string_view view;
      const char* at = field.key().raw();
      if (!cursor_->Key(&field, &view)) return false;
      std::string key(view);
      if (std::find(seen.begin(), seen.end(), key) != seen.end()) {
        return cursor_->Fail(at, "the key \"" + std::string(path) + key + "\" stands twice");
      }
      seen.push_back(key);
      if (path.empty() || path == "attempt.") header_->places[std::string(path) + key] = at;
      if (!f(key, field.value())) return false;
    }
    return true;
  }
  template <class F>
  bool Object(Value value, const std::string& what, F f) {
    const char* at = cursor_->Token(value);
    if (*at == 'n') return cursor_->Skip(value);
    if (!cursor_->IsObject(value)) return cursor_->WrongType(value, what, "an object");
    simdjson::ondemand::object object;
    if (auto code = value.get_object().get(object)) return cursor_->FailJson(code, at);
    return Fields(object, what + '.', f);
  }
  template <class F>
  bool List(Value value, const std::string& what, F f) {
    const char* at = cursor_->Token(value);
    if (*at == 'n') return cursor_->Skip(value);
    if (!cursor_->IsArray(value)) return cursor_->WrongType(value, what, "a list");
    simdjson::ondemand::array array;
    if (auto code = value.get_array().get(array)) return cursor_->FailJson(code, at);
    for (auto item : array) {
      Value element;
      if (auto code = std::move(item).get(element)) return cursor_->FailJson(code, at);
      if (!f(element)) return false;
    }
    return true;
  }
  bool Unknown(const std::string& path, std::string_view key, Value value) {
    ++(*unknown_)[path + std::string(key)];
    return cursor_->Skip(value);
  }

  bool Text(Value value, std::string_view what, std::optional<std::string>* out) {
    std::optional<std::string_view> text;
    if (!cursor_->ReadText(value, what, &text)) return false;
    if (text) *out = std::string(*text);
    return true;
  }
  bool Text(Value value, std::string_view what, std::string* out) {
    std::optional<std::string> text;
    if (!Text(value, what, &text)) return false;
    if (text) *out = std::move(*text);
    return true;
  }
  bool Texts(Value value, const std::string& what, std::vector<std::string>* out) {
    return List(value, what, [&](Value element) {
      const char* at = cursor_->Token(element);
      std::optional<std::string> text;
      if (!Text(element, what + "[]", &text)) return false;
      if (!text || text->empty()) return cursor_->Fail(at, "a name in \"" + what + "\" is empty");
      out->push_back(std::move(*text));
      return true;
    });
  }
  bool Ranks(Value value, const std::string& what, std::vector<int64_t>* out) {
    return List(value, what, [&](Value element) {
      const char* at = cursor_->Token(element);
      std::optional<int64_t> rank;
      if (!cursor_->ReadInt(element, what + "[]", &rank)) return false;
      if (!rank || *rank < 0 || *rank > kMaxRank)
        return cursor_->Fail(at, "a rank in \"" + what + "\" is out of range");
      out->push_back(*rank);
      return true;
    });
  }
  bool Time(Value value, const std::string& what, RawTime* out) {
    out->place = cursor_->PlaceOf(cursor_->Token(value));
    if (cursor_->IsObject(value) || cursor_->IsArray(value)) {
      return cursor_->WrongType(value, what, "an RFC 3339 string or an integer");
    }
    ScalarValue scalar;
    if (!cursor_->Read(value, &scalar)) return false;
    if (scalar.kind == Scalar::kNull) return true;
    out->place.message = '"' + what + "\" is not a time";
    if (scalar.kind == Scalar::kText) {
      out->kind = RawTime::Kind::kText;
      out->text = std::string(scalar.text);
      out->place.message += ": " + out->text;
      return true;
    }
    if (scalar.kind != Scalar::kInt) return cursor_->WrongType(value, what, "an RFC 3339 string or an integer");
    out->kind = RawTime::Kind::kInteger;
    out->number = scalar.integer;
    out->place.message += ": " + std::to_string(out->number);
    return true;
  }

  bool Top(std::string_view key, Value value) {
    if (key == "schema") return Schema(value);
    if (key == "attempt") return Object(value, "attempt", [&](auto k, Value v) { return Attempt(k, v); });
    if (key == "attempts") return List(value, "attempts", [&](Value v) { return ListedAttempt(v); });
    if (key == "time_unit") return TimeUnit(value);
    if (key == "skew") return Skew(value);
    if (key == "clocks") return List(value, "clocks", [&](Value v) { return Clock(v); });
    if (key == "coverage") return List(value, "coverage", [&](Value v) { return Coverage(v); });
    if (key == "observations") {
      if (!cursor_->IsArray(value)) return cursor_->WrongType(value, key, "a list");
      header_->has_observations = true;
      return true;  // read later, when every header is known; the iterator skips it
    }
    if (!schema_ && NearName(key, {"schema"}) == "schema") {
      return cursor_->Fail(cursor_->Token(value), "unknown key \"" + std::string(key) + "\"",
                           "did you mean \"schema\"?");
    }
    return Unknown("", key, value);
  }

  bool Schema(Value value) {
    const char* at = cursor_->Token(value);
    std::optional<std::string> schema;
    if (!Text(value, "schema", &schema)) return false;
    schema_ = true;
    if (schema && *schema == kSchema) return true;
    return cursor_->Fail(at, "schema \"" + schema.value_or("") + "\" is not one that this version reads",
                         "it reads \"" + std::string(kSchema) + '"');
  }

  bool TimeUnit(Value value) {
    const char* at = cursor_->Token(value);
    std::optional<std::string> unit;
    if (!Text(value, "time_unit", &unit) || !unit) return !cursor_->error;
    if (*unit == "ns") header_->time_unit = 1;
    if (*unit == "us") header_->time_unit = 1'000;
    if (*unit == "ms") header_->time_unit = 1'000'000;
    if (*unit == "s") header_->time_unit = plan::kSecond;
    if (header_->time_unit) return true;
    return cursor_->Fail(at, "\"time_unit\" is \"" + *unit + '"', "it is one of \"ns\", \"us\", \"ms\", \"s\"");
  }

  bool Skew(Value value) {
    const char* at = cursor_->Token(value);
    std::optional<std::string> skew;
    if (!Text(value, "skew", &skew) || !skew) return !cursor_->error;
    header_->skew = model::ParseDuration(*skew);
    // A tolerance beyond a day would make every relation true, and its sums must not overflow.
    if (header_->skew && *header_->skew <= 86'400 * plan::kSecond) return true;
    return cursor_->Fail(at, "\"skew\" is \"" + *skew + "\", not a duration of at most a day",
                         "write it as \"5s\", \"200ms\" or \"1m30s\"");
  }

  /// One of several attempts: read as `attempt` is, into a header of its own.
  bool ListedAttempt(Value value) {
    const char* at = cursor_->Token(value);
    if (!cursor_->IsObject(value)) return cursor_->WrongType(value, "attempts[]", "an object");
    Header part;
    part.file = header_->file;
    part.piece = header_->piece;
    Header* const whole = std::exchange(header_, &part);
    const bool good = Object(value, "attempt", [&](auto k, Value v) { return Attempt(k, v); });
    header_ = whole;
    if (!good) return false;
    if (!part.id || part.id->empty()) {
      return cursor_->Fail(at, "an attempt without \"id\"", "of several attempts each has an id");
    }
    for (const Header& known : whole->attempts) {
      if (known.id == part.id) return cursor_->Fail(at, "the attempt \"" + *part.id + "\" stands twice");
    }
    whole->attempts.push_back(std::move(part));
    return true;
  }

  bool Attempt(std::string_view key, Value value) {
    if (key == "id") return Text(value, "attempt.id", &header_->id);
    if (key == "job") return Text(value, "attempt.job", &header_->job);
    if (key == "state") return Text(value, "attempt.state", &header_->state);
    if (key == "exit_code") return cursor_->ReadInt(value, "attempt.exit_code", &header_->exit_code);
    if (key == "start") return Time(value, "attempt.start", &header_->start);
    if (key == "end") return Time(value, "attempt.end", &header_->end);
    if (key == "nodes") return List(value, "attempt.nodes", [&](Value v) { return Node(v); });
    return Unknown("attempt.", key, value);
  }

  bool Node(Value value) {
    RawNode node;
    const char* at = cursor_->Token(value);
    const std::string path = "attempt.nodes[]";
    bool good = true;
    if (*at == '"') {
      good = Text(value, path, &node.name);
    } else {
      if (!cursor_->IsObject(value)) return cursor_->WrongType(value, path, "a name or an object");
      good = Object(value, path, [&](std::string_view key, Value v) {
        if (key == "name") return Text(v, path + ".name", &node.name);
        if (key == "aliases") return Texts(v, path + ".aliases", &node.aliases);
        if (key == "ranks") return Ranks(v, path + ".ranks", &node.ranks);
        if (key == "gpus") return List(v, path + ".gpus", [&](Value gpu) { return Gpu(gpu, &node); });
        if (key == "labels") return Labels(v, &node);
        return Unknown(path + '.', key, v);
      });
    }
    if (!good) return false;
    if (node.name.empty()) return cursor_->Fail(at, "a node without a name");
    header_->nodes.push_back(std::move(node));
    return true;
  }

  bool Gpu(Value value, RawNode* node) {
    const char* at = cursor_->Token(value);
    const std::string path = "attempt.nodes[].gpus[]";
    std::pair<std::string, std::vector<std::string>> gpu;
    bool good = true;
    if (*at == '"') {
      good = Text(value, path, &gpu.first);
    } else {
      if (!cursor_->IsObject(value)) return cursor_->WrongType(value, path, "a name or an object");
      good = Object(value, path, [&](std::string_view key, Value v) {
        if (key == "name") return Text(v, path + ".name", &gpu.first);
        if (key == "aliases") return Texts(v, path + ".aliases", &gpu.second);
        return Unknown(path + '.', key, v);
      });
    }
    if (!good) return false;
    if (gpu.first.empty()) return cursor_->Fail(at, "a GPU without a name");
    node->gpus.push_back(std::move(gpu));
    return true;
  }

  bool Labels(Value value, RawNode* node) {
    if (*cursor_->Token(value) == 'n') return cursor_->Skip(value);
    return Object(value, "attempt.nodes[].labels", [&](std::string_view key, Value v) {
      const char* at = cursor_->Token(v);
      std::optional<std::string> label;
      if (!Text(v, "attempt.nodes[].labels." + std::string(key), &label)) return false;
      if (!label) return true;
      node->label_places.emplace(key, at);
      node->labels.emplace(key, std::move(*label));
      return true;
    });
  }

  bool Clock(Value value) {
    const char* at = cursor_->Token(value);
    model::Clock clock;
    std::optional<bool> tied;
    bool good = Object(value, "clocks[]", [&](std::string_view key, Value v) {
      if (key == "name") return Text(v, "clocks[].name", &clock.name);
      if (key == "tied") return cursor_->ReadBool(v, "clocks[].tied", &tied);
      return Unknown("clocks[].", key, v);
    });
    if (!good) return false;
    if (clock.name.empty()) return cursor_->Fail(at, "a clock without a name");
    clock.tied = tied.value_or(true);
    if (clock.name == "utc" && !clock.tied) return cursor_->Fail(at, "the clock \"utc\" is always tied");
    for (const RawClock& known : header_->clocks) {
      if (known.clock.name == clock.name) return cursor_->Fail(at, "the clock \"" + clock.name + "\" stands twice");
    }
    header_->clocks.push_back({std::move(clock), at});
    return true;
  }

  bool Coverage(Value value) {
    const char* at = cursor_->Token(value);
    RawCoverage row;
    row.place = cursor_->PlaceOf(at);
    bool good = Object(value, "coverage[]", [&](std::string_view key, Value v) { return CoverageField(key, v, &row); });
    if (!good) return false;
    if (row.source.empty()) return cursor_->Fail(at, "a coverage row without \"source\"");
    if (row.nodes.size() > 1 && !row.ranks.empty()) {
      return cursor_->Fail(at, "a coverage row with several nodes and ranks", "write one row for each node");
    }
    header_->coverage.push_back(std::move(row));
    return true;
  }

  /// An empty list would read as everywhere, and is nowhere.
  bool NotEmpty(const char* at, std::string_view key, bool empty) {
    if (!empty || *at == 'n') return true;
    return cursor_->Fail(at, "coverage[]." + std::string(key) + " is empty",
                         "leave the key out for everywhere; what reached nothing has status \"absent\"");
  }

  bool CoverageField(std::string_view key, Value value, RawCoverage* row) {
    const char* at = cursor_->Token(value);
    if (key == "source") return Text(value, "coverage[].source", &row->source);
    if (key == "metric") return Text(value, "coverage[].metric", &row->metric);
    if (key == "status") return CoverageStatus(value, row);
    if (key == "nodes") return Texts(value, "coverage[].nodes", &row->nodes) && NotEmpty(at, key, row->nodes.empty());
    if (key == "ranks") return Ranks(value, "coverage[].ranks", &row->ranks) && NotEmpty(at, key, row->ranks.empty());
    if (key == "stream") return Text(value, "coverage[].stream", &row->stream);
    if (key == "from") return Time(value, "coverage[].from", &row->from);
    if (key == "to") return Time(value, "coverage[].to", &row->to);
    if (key == "presumed_to") return Time(value, "coverage[].presumed_to", &row->presumed_to);
    if (key == "reason") return Text(value, "coverage[].reason", &row->reason);
    return Unknown("coverage[].", key, value);
  }

  bool CoverageStatus(Value value, RawCoverage* row) {
    const char* at = cursor_->Token(value);
    std::string status;
    if (!Text(value, "coverage[].status", &status)) return false;
    using S = model::CoverageStatus;
    for (S candidate : {S::kOk, S::kEmpty, S::kPartial, S::kError, S::kAbsent}) {
      if (model::Name(candidate) != status) continue;
      row->status = candidate;
      return true;
    }
    return cursor_->Fail(at, "coverage status \"" + status + '"',
                         "it is one of \"ok\", \"empty\", \"partial\", \"error\", \"absent\"");
  }

  Cursor* cursor_;
  Header* header_;
  UnknownKeys* unknown_;
  bool schema_ = false;
};

}  // namespace

bool ReadHeader(Cursor* cursor, simdjson::ondemand::object object, Header* header, UnknownKeys* unknown) {
  return HeaderReader(cursor, header, unknown).Run(object);
}

const std::vector<std::string_view>& HeaderKeys() {
  static const std::vector<std::string_view> kKeys{"schema", "attempt", "attempts", "time_unit",
                                                   "skew",   "clocks",  "coverage", "observations"};
  return kKeys;
}

}  // namespace attr::ingest

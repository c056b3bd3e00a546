// See allows.h.
#include "compiler/allows.h"

#include <algorithm>
#include <map>

#include "fmt/format.h"
#include "runtime/model/time_text.h"

namespace attr::compiler {

namespace {

using diagnostics::Code;
using diagnostics::Diagnostic;
using diagnostics::Span;

constexpr int64_t kDay = 86'400 * plan::kSecond;

struct Allowance {
  const syntax::Allow* decl = nullptr;
  Span where;                   // whatever lies inside
  uint32_t pack = plan::kNone;  // or: all of this pack
  bool over = false;
  bool used = false;
};

class Allows {
 public:
  Allows(const std::vector<sema::PackInput>& packs, std::optional<int64_t> today, const diagnostics::SourceMap& sources,
         diagnostics::Sink* sink)
      : packs_(packs), today_(today), sink_(*sink) {
    pack_of_file_.assign(sources.size(), plan::kNone);
  }

  void Collect() {
    for (uint32_t pack = 0; pack < packs_.size(); ++pack) {
      for (const syntax::File* file : packs_[pack].files) {
        pack_of_file_[file->source] = pack;
        CollectFile(pack, *file);
      }
    }
  }

  void Apply() {
    sink_.ReviewWarnings([this](Diagnostic& warning) { return Stays(warning); });
    if (sink_.HasErrors()) return;  // what was not analysed gave no warning either
    for (const auto& [code, list] : by_code_) {
      for (const Allowance& allowance : list) {
        if (allowance.used || pack_of_file_[allowance.decl->code.span.file] != 0) continue;
        sink_.Add(Code::kUselessAllow, allowance.decl->code.span,
                  fmt::format("no {} is given here", allowance.decl->code.text));
      }
    }
  }

 private:
  void CollectFile(uint32_t pack, const syntax::File& file) {
    std::vector<const syntax::Allow*> above;  // the next declaration
    for (const syntax::Item& item : file.items) {
      if (const auto* allow = std::get_if<syntax::Allow>(&item.node)) {
        above.push_back(allow);
        continue;
      }
      const bool whole = std::holds_alternative<syntax::PackDecl>(item.node);
      for (const syntax::Allow* allow : above) Add(*allow, item.span, whole ? pack : plan::kNone);
      above.clear();
      if (const auto* rule = std::get_if<syntax::RuleDecl>(&item.node)) {
        for (const syntax::Allow& allow : rule->allows) Add(allow, item.span, plan::kNone);
      }
      if (const auto* event = std::get_if<syntax::EventDecl>(&item.node)) {
        for (const syntax::Allow& allow : event->allows) Add(allow, item.span, plan::kNone);
      }
    }
    // Above nothing: it holds nowhere, and is said to be useless.
    for (const syntax::Allow* allow : above) Add(*allow, Span{file.source, 0, 0}, plan::kNone);
  }

  void Add(const syntax::Allow& decl, Span where, uint32_t pack) {
    const std::vector<diagnostics::CodeInfo>& all = diagnostics::AllCodes();
    const auto info = std::find_if(all.begin(), all.end(), [&decl](const diagnostics::CodeInfo& code) {
      return diagnostics::CodeText(code.code) == decl.code.text;
    });
    if (info == all.end()) {
      std::vector<std::string> texts;
      for (const diagnostics::CodeInfo& code : all) {
        if (code.severity != diagnostics::Severity::kError && code.code != Code::kUselessAllow)
          texts.push_back(diagnostics::CodeText(code.code));
      }
      sink_.Add(Code::kBadAllow, decl.code.span, fmt::format("there is no diagnostic `{}`", decl.code.text), "",
                fmt::format("warnings are {}", fmt::join(texts, ", ")));
      return;
    }
    if (info->severity == diagnostics::Severity::kError || info->code == Code::kUselessAllow) {
      sink_.Add(Code::kBadAllow, decl.code.span,
                info->code == Code::kUselessAllow ? "an `allow` that suppresses nothing cannot be allowed"
                                                  : fmt::format("{} is an error", decl.code.text));
      return;
    }
    Allowance allowance{&decl, where, pack};
    if (decl.until && !ReadUntil(*decl.until, &allowance.over)) return;
    by_code_[info->code].push_back(allowance);
  }

  /// The day itself is the last one on which it holds.
  bool ReadUntil(const syntax::Text& until, bool* over) {
    const auto day = until.value.size() == 10 ? model::ParseRfc3339(until.value + "T00:00:00Z") : std::nullopt;
    if (!day) {
      sink_.Add(Code::kBadDateTime, until.span, fmt::format("`{}` is no date", until.value), "",
                "write a day that exists, as `until \"2027-01-31\"`");
      return false;
    }
    *over = today_ && *today_ >= day->lo + kDay;
    return true;
  }

  bool Holds(const Allowance& allowance, Span at) const {
    if (allowance.pack != plan::kNone) return pack_of_file_[at.file] == allowance.pack;
    return allowance.where.file == at.file && at.begin >= allowance.where.begin && at.end <= allowance.where.end;
  }

  bool Stays(Diagnostic& warning) {
    const auto list = by_code_.find(warning.code);
    if (list == by_code_.end() || warning.primary.span.file >= pack_of_file_.size()) return true;
    bool stays = true;
    for (Allowance& allowance : list->second) {
      if (!Holds(allowance, warning.primary.span)) continue;
      allowance.used = true;
      if (!allowance.over) {
        stays = false;
      } else if (stays) {
        warning.secondary.push_back({allowance.decl->until->span, "allowed no longer than until then"});
      }
    }
    return stays;
  }

  const std::vector<sema::PackInput>& packs_;
  std::optional<int64_t> today_;
  diagnostics::Sink& sink_;
  std::map<Code, std::vector<Allowance>> by_code_;
  std::vector<uint32_t> pack_of_file_;
};

}  // namespace

void ApplyAllows(const std::vector<sema::PackInput>& packs, std::optional<int64_t> today,
                 const diagnostics::SourceMap& sources, diagnostics::Sink* sink) {
  Allows allows(packs, today, sources, sink);
  allows.Collect();
  allows.Apply();
}

}  // namespace attr::compiler

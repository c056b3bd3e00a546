// For this folder's tests: text in, tree and diagnostics out.
#pragma once

#include <string>

#include "compiler/diagnostics/render.h"
#include "compiler/syntax/parse.h"

namespace attr::syntax {

struct Parsed {
  diagnostics::SourceMap sources;
  diagnostics::Sink sink;
  File file;

  explicit Parsed(std::string text, const ParseLimits& limits = {}) {
    sources.Add("a.attr", std::move(text));
    file = Parse(sources, 0, sink, limits);
  }
  std::string rendered() const { return diagnostics::RenderAll(sink.Sorted(), sources); }
  /// "A0101 A0102", in the order of the file.
  std::string Codes() const {
    std::string codes;
    for (const auto& d : sink.Sorted()) codes += (codes.empty() ? "" : " ") + diagnostics::CodeText(d.code);
    return codes;
  }
  std::string Text(Span span) const { return std::string(sources.Text(span)); }
  std::string DumpAll() const {
    std::string out;
    for (const Item& item : file.items) out += Dump(item);
    return out;
  }
};

}  // namespace attr::syntax

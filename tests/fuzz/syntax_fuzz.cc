// Any bytes as a rule file, and as a placeholder's expression: no crash, no hang,
// and what is reported can be rendered. Seeds: tests/golden/**/*.attr.
#include <cstddef>
#include <cstdint>
#include <string>

#include "compiler/diagnostics/render.h"
#include "compiler/syntax/parse.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace attr;
  std::string text(reinterpret_cast<const char*>(data), size);
  diagnostics::SourceMap sources;
  diagnostics::Sink sink;
  const uint32_t file = sources.Add("fuzz.attr", text);
  const syntax::File parsed = syntax::Parse(sources, file, sink);
  for (const syntax::Item& item : parsed.items) syntax::Dump(item);
  syntax::ParseExpression(text, {file, 0, static_cast<uint32_t>(size)}, sink);
  diagnostics::RenderAll(sink.Sorted(), sources);
  diagnostics::RenderJsonLines(sink.Sorted(), sources);
  return 0;
}

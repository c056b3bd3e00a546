// Rule text to syntax tree. The only room that meets ANTLR. Recovers at the next
// declaration, so that one file with ten mistakes gives ten diagnostics and the
// declarations that are sound. Caps (docs/limits) are checked on the token
// stream before the recursive parser starts.
#pragma once

#include <memory>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/syntax/ast.h"

namespace attr::syntax {

struct ParseLimits {
  size_t file_bytes = 16u << 20;
  size_t nesting = 256;           // open brackets plus runs of prefix operators
  size_t operators = 4096;        // in one expression
  size_t item_tokens = 1u << 20;  // in one declaration: what ANTLR's tree costs at most, about 1 KB each
  size_t errors_per_file = 100;
};

/// Never throws, never returns null. Declarations with an error are left out.
File Parse(const diagnostics::SourceMap& sources, uint32_t file, diagnostics::Sink& sink,
           const ParseLimits& limits = {});

/// Parses one expression that stands inside a string literal (placeholders of
/// `explain`); `span` is where its text lies in the file. Null on error.
ExprPtr ParseExpression(std::string_view text, Span span, diagnostics::Sink& sink, const ParseLimits& limits = {});

/// A readable, indented dump for `attrc inspect --emit=ast`.
std::string Dump(const Item& item);

}  // namespace attr::syntax

// `///` lines: which declaration they belong to, and which hang in the air.
#pragma once

#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/syntax/tokens.h"

namespace attr::syntax {

/// Hands out doc lines in the order of the file.
class DocComments {
 public:
  DocComments(const Input& input, const std::vector<DocLine>& lines) : input_(input), lines_(lines) {}

  /// The text above the item whose first token is `token`, markers removed. Lines
  /// before it that belong to no item are reported, unless `silent` (they stand in
  /// an item that has an error already).
  std::string Take(size_t token, bool silent, diagnostics::Sink& sink);
  /// Lines before token `end` belong to nothing.
  void Finish(size_t end, bool silent, diagnostics::Sink& sink);

 private:
  const Input& input_;
  const std::vector<DocLine>& lines_;
  size_t next_ = 0;
};

}  // namespace attr::syntax

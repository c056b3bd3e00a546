// The one way this room makes an RE2: options and budget are the same wherever a
// pattern is compiled, so that what the compiler accepted runs.
#pragma once

#include <re2/re2.h>

#include <string_view>

namespace attr::match {

/// 1 MB each (RE2's default of 8 MB times hundreds of patterns is gigabytes), silent.
RE2::Options RegexOptions();

inline re2::StringPiece Piece(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace attr::match

// Text as a JSON string literal. Invalid UTF-8 becomes U+FFFD, so that what is
// written can always be read again.
#pragma once

#include <string>
#include <string_view>

namespace attr {

/// Appends `text` in double quotes, escaped; C0 and DEL as \u00XX.
void AppendJsonString(std::string& out, std::string_view text);
std::string JsonString(std::string_view text);

/// Length of the UTF-8 sequence at `i`, 0 at the end and when it is malformed (overlong,
/// surrogate, truncated).
size_t Utf8SequenceLength(std::string_view text, size_t i);

}  // namespace attr

#include "runtime/base/result.h"

namespace attr {

std::string Error::ToString() const {
  std::string out = file;
  if (line != 0) out += (out.empty() ? "line " : ":") + std::to_string(line);
  if (byte) out += (out.empty() ? "byte " : " (byte ") + std::to_string(*byte) + (file.empty() && line == 0 ? "" : ")");
  if (!out.empty()) out += ": ";
  out += message;
  if (!help.empty()) out += "\n  = help: " + help;
  return out;
}

}  // namespace attr

#include "cli/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cli/commands.h"
#include "compiler/diagnostics/render.h"

namespace attr::cli {

int WriteOut(std::string_view text) {
  bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written) return kClean;
  std::fprintf(stderr, "attrc: cannot write the output: %s\n", std::strerror(errno));
  return kInput;
}

void WriteError(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

int Fail(const Error& error) {
  // What a file or a log said reaches a terminal here.
  Error shown = error;
  for (std::string* text : {&shown.message, &shown.file, &shown.help}) *text = diagnostics::EscapeForTerminal(*text);
  WriteError("attrc: " + shown.ToString() + "\n");
  return static_cast<int>(error.kind);
}

bool UseColour(const std::string& choice, int descriptor) {
  if (choice == "always") return true;
  if (choice == "never") return false;
  const char* no_color = std::getenv("NO_COLOR");
  bool refused = no_color != nullptr && *no_color != '\0';
  const char* term = std::getenv("TERM");
  bool dumb = term != nullptr && std::strcmp(term, "dumb") == 0;
  return isatty(descriptor) == 1 && !refused && !dumb;
}

unsigned TerminalWidth(int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) return size.ws_col;
  return 80;
}

std::string DefaultCacheDir() {
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  if (xdg != nullptr && xdg[0] == '/') return std::string(xdg) + "/attrc";
  const char* home = std::getenv("HOME");
  if (home != nullptr && home[0] == '/') return std::string(home) + "/.cache/attrc";
  return {};
}

}  // namespace attr::cli

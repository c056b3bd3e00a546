// Result<T>: a value or an Error that a user caused, with a place and a way out.
// Exceptions of libraries are turned into it where the library is included.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace attr {

/// What exit code the failure leads to (docs/exit-codes.md).
enum class ErrorKind : uint8_t {
  kUsage = 2,     // wrong arguments or configuration
  kInput = 3,     // unreadable, malformed or refused input
  kInternal = 4,  // a defect of attrc
};

struct Error {
  ErrorKind kind = ErrorKind::kInput;
  std::string message;           // one sentence, lower case, no full stop
  std::string file;              // as the user named it; empty when there is none
  uint64_t line = 0;             // 1-based; 0 when it has no line
  std::optional<uint64_t> byte;  // offset from the start of the file
  std::string help;              // what to do; may be empty
  /// "file:line (byte N): message" and the help on a second line.
  std::string ToString() const;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT: implicit by design
  Result(Error error) : state_(std::move(error)) {}  // NOLINT
  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }
  T& value() { return std::get<T>(state_); }
  const T& value() const { return std::get<T>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const { return std::get<Error>(state_); }

 private:
  std::variant<T, Error> state_;
};

/// Success or an Error.
using Status = Result<std::monostate>;
inline Status Ok() { return std::monostate{}; }

}  // namespace attr

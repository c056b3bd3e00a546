// Object bytes to callable functions, by ORC's object layer. Nothing of the host
// process is visible to them: an object that asks for a foreign symbol does not
// link. Pages are writable or executable, never both.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace attr::jit {

class LinkedCode {
 public:
  /// Addresses stand in the order of `symbols`.
  static Result<std::unique_ptr<LinkedCode>> Link(std::string object, const std::vector<std::string>& symbols);
  ~LinkedCode();
  LinkedCode(const LinkedCode&) = delete;
  LinkedCode& operator=(const LinkedCode&) = delete;

  template <class Function>
  Function At(size_t symbol) const {
    return reinterpret_cast<Function>(addresses_[symbol]);
  }

 private:
  struct Session;
  LinkedCode();
  std::unique_ptr<Session> session_;
  std::vector<uintptr_t> addresses_;
};

}  // namespace attr::jit

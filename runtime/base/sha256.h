// SHA-256 through libcrypto, which uses the CPU's instructions where it has them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace attr {

class Sha256 {
 public:
  using Digest = std::array<uint8_t, 32>;
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  void Update(std::string_view bytes);
  Digest Finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

Sha256::Digest Sha256Of(std::string_view bytes);
std::string ToHex(const Sha256::Digest& digest);

}  // namespace attr

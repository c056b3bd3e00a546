#include "runtime/base/sha256.h"

#include <openssl/evp.h>

#include "runtime/base/check.h"

namespace attr {

struct Sha256::Context {
  EVP_MD_CTX* md = EVP_MD_CTX_new();
  ~Context() { EVP_MD_CTX_free(md); }
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  ATTR_CHECK(context_->md != nullptr);
  ATTR_CHECK(EVP_DigestInit_ex(context_->md, EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() = default;

void Sha256::Update(std::string_view bytes) {
  ATTR_CHECK(EVP_DigestUpdate(context_->md, bytes.data(), bytes.size()) == 1);
}

Sha256::Digest Sha256::Finish() {
  Digest digest{};
  unsigned int size = 0;
  ATTR_CHECK(EVP_DigestFinal_ex(context_->md, digest.data(), &size) == 1 && size == digest.size());
  return digest;
}

Sha256::Digest Sha256Of(std::string_view bytes) {
  Sha256 hash;
  hash.Update(bytes);
  return hash.Finish();
}

std::string ToHex(const Sha256::Digest& digest) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(digest.size() * 2);
  for (uint8_t byte : digest) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

}  // namespace attr

// Plan structs to bytes and back, from their `Fields`. Every number has one
// encoding only and every byte is read, so decoding and encoding again gives the
// same bytes. Indices are not judged here: that is plan::Verify.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "runtime/plan/visit.h"

namespace attr::pack {

/// Appends values to a section.
class Writer {
 public:
  explicit Writer(std::string* out) : out_(out) {}

  void Varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_->push_back(static_cast<char>(value | 0x80));
    out_->push_back(static_cast<char>(value));
  }

  template <class T>
  void Put(const T& value) {
    if constexpr (plan::IsVector<T>::value) {
      Varint(value.size());
      for (const auto& element : value) Put(element);
    } else if constexpr (plan::Described<T>) {
      T::Fields(value, [&](const auto&... members) { (Put(members), ...); });
    } else if constexpr (std::is_same_v<T, std::string>) {
      Varint(value.size());
      out_->append(value);
    } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, uint8_t>) {
      out_->push_back(static_cast<char>(value));
    } else if constexpr (std::is_enum_v<T>) {
      Varint(static_cast<uint64_t>(value));
    } else if constexpr (std::is_same_v<T, uint32_t>) {
      Varint(static_cast<uint32_t>(value + 1));  // kNone, the commonest index, takes one byte
    } else {
      static_assert(std::is_same_v<T, int64_t>);
      Varint(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));  // zigzag
    }
  }

 private:
  std::string* out_;
};

/// Reads a section. After the first failure every further read does nothing.
class Reader {
 public:
  /// `memory`: what vectors may still take, shared by the sections of a file.
  Reader(std::string_view bytes, uint64_t* memory) : bytes_(bytes), memory_(memory) {}

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }
  size_t position() const { return at_; }
  size_t left() const { return bytes_.size() - at_; }
  void Fail(std::string what) {
    if (ok()) error_ = std::move(what);
  }

  uint64_t Varint(uint64_t greatest);
  uint8_t Byte();
  void Text(std::string* value);

  template <class T>
  void Get(T* value) {
    if (!ok()) return;
    if constexpr (plan::IsVector<T>::value) {
      using Element = typename T::value_type;
      size_t count = Count(sizeof(Element), LeastBytes<Element>());
      value->clear();
      value->reserve(count);
      for (size_t i = 0; i < count && ok(); ++i) {
        value->emplace_back();
        Get(&value->back());
      }
    } else if constexpr (plan::Described<T>) {
      T::Fields(*value, [&](auto&... members) { (Get(&members), ...); });
    } else if constexpr (std::is_same_v<T, std::string>) {
      Text(value);
    } else if constexpr (std::is_same_v<T, bool>) {
      uint8_t byte = Byte();
      if (byte > 1) Fail("a truth value that is neither 0 nor 1");
      *value = byte == 1;
    } else if constexpr (std::is_same_v<T, uint8_t>) {
      *value = Byte();
    } else if constexpr (std::is_enum_v<T>) {
      *value = static_cast<T>(Varint(static_cast<std::underlying_type_t<T>>(-1)));
    } else if constexpr (std::is_same_v<T, uint32_t>) {
      *value = static_cast<uint32_t>(Varint(UINT32_MAX)) - 1;
    } else {
      static_assert(std::is_same_v<T, int64_t>);
      uint64_t folded = Varint(UINT64_MAX);
      *value = static_cast<int64_t>(folded >> 1 ^ (~(folded & 1) + 1));
    }
  }

  /// A number of elements that the bytes left and the memory left allow.
  size_t Count(size_t element_size, size_t least_bytes);

  /// The fewest bytes a value takes: what bounds a count before anything is allocated.
  template <class T>
  static size_t LeastBytes() {
    if constexpr (plan::Described<T>) {
      size_t sum = 0;
      const T sample{};
      T::Fields(sample, [&]<class... M>(const M&...) { sum = (LeastBytes<M>() + ...); });
      return sum;
    } else {
      return 1;
    }
  }

 private:
  std::string_view bytes_;
  uint64_t* memory_;
  size_t at_ = 0;
  std::string error_;
};

}  // namespace attr::pack

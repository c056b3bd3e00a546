// Bytes that one owner fills and hands on. Unlike std::string it neither clears
// what will be overwritten nor copies when it grows large.
#pragma once

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>

namespace attr {

class Bytes {
 public:
  Bytes() = default;
  Bytes(std::string_view text) {  // NOLINT: what holds text is given as text
    Reserve(text.size());
    if (!text.empty()) std::memcpy(data(), text.data(), text.size());
    size_ = text.size();
  }
  Bytes(const std::string& text) : Bytes(std::string_view(text)) {}  // NOLINT
  Bytes(const char* text) : Bytes(std::string_view(text)) {}         // NOLINT
  Bytes(const Bytes& other) : Bytes(other.view()) {}
  Bytes& operator=(const Bytes& other) { return *this = Bytes(other); }
  Bytes(Bytes&& other) noexcept { *this = std::move(other); }
  Bytes& operator=(Bytes&& other) noexcept {
    data_ = std::move(other.data_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }

  char* data() { return data_.get(); }
  const char* data() const { return data_.get(); }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  std::string_view view() const { return {data_.get(), size_}; }

  /// Room for `capacity` bytes, never less than there was; new bytes are not set.
  void Reserve(size_t capacity) {
    if (capacity <= capacity_) return;
    void* grown = std::realloc(data_.get(), capacity);
    if (grown == nullptr) throw std::bad_alloc();
    static_cast<void>(data_.release());
    data_.reset(static_cast<char*>(grown));
    capacity_ = capacity;
  }
  /// `size` bytes, at most the capacity, of which the caller has set all.
  void SetSize(size_t size) { size_ = size; }

 private:
  struct Free {
    void operator()(char* data) const { std::free(data); }
  };
  std::unique_ptr<char, Free> data_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace attr

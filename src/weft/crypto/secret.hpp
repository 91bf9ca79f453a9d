// Bytes that wipe themselves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft::crypto {

// A 32-byte secret. Copies are secrets too; each is wiped when it dies.
class Key {
 public:
  static constexpr std::size_t kSize = 32;
  Key() = default;  // all zero
  explicit Key(const std::array<std::uint8_t, kSize>& bytes) : bytes_(bytes) {}
  Key(const Key&) = default;
  Key& operator=(const Key&) = default;
  ~Key();

  // From the system's generator.
  static Key random();

  const std::array<std::uint8_t, kSize>& bytes() const { return bytes_; }
  // Points into this key.
  std::string_view view() const {
    return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
  }
  friend bool operator==(const Key& a, const Key& b);  // in constant time

 private:
  std::array<std::uint8_t, kSize> bytes_{};
};

// Whether two texts are the same, in a time that tells nothing of where they differ, only of how
// long they are.
bool equal_in_constant_time(std::string_view a, std::string_view b);

// Overwrites all that `text` holds, spare room included, and leaves it empty.
// What a text left behind when it grew cannot be reached any more: reserve first.
void wipe(std::string& text);

// Wipes `text` when the scope ends, however it ends. `text` outlives it.
class WipeAtEnd {
 public:
  explicit WipeAtEnd(std::string& text) : text_(text) {}
  WipeAtEnd(const WipeAtEnd&) = delete;
  WipeAtEnd& operator=(const WipeAtEnd&) = delete;
  ~WipeAtEnd() { wipe(text_); }

 private:
  std::string& text_;
};

}  // namespace weft::crypto

// Key is a secret that wipes itself; helpers wipe and compare texts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft::crypto {

// A 32-byte secret. Each copy is wiped by its destructor.
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

// Whether two texts are the same. The time depends on their lengths only, not on where they
// differ.
bool equal_in_constant_time(std::string_view a, std::string_view b);

// Overwrites `text`, spare capacity included, and leaves it empty. Copies that a text left behind
// when it grew cannot be wiped: reserve first.
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

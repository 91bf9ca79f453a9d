// Unpacker: reads the numbers and texts that a row of a table is packed of. append_signed() packs.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"
#include "weft/store/pages/pack.hpp"

namespace weft::store {

// As a varint of its zigzag.
inline void append_signed(std::string& out, std::int64_t value) {
  sql::append_varint(
      out, static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
}

// Takes values from the front of bytes; after one that is missing, all are zero. The bytes outlive
// it and the texts that it returns.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t take() {
    // Most numbers are small.
    if (!bytes_.empty() && static_cast<std::uint8_t>(bytes_.front()) < 0x80) {
      const auto small = static_cast<std::uint8_t>(bytes_.front());
      bytes_.remove_prefix(1);
      return small;
    }
    const auto value = sql::take_varint(bytes_);
    if (!value) is_whole_ = false;
    return value.value_or(0);
  }
  std::int64_t take_signed() {
    const std::uint64_t value = take();
    return static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
  }
  std::string_view take_text() { return take_bytes(take()); }
  std::string_view take_bytes(std::uint64_t size) {
    if (size > bytes_.size()) {
      is_whole_ = false;
      return {};
    }
    const std::string_view text = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return text;
  }
  // Eight bytes, the lowest first.
  std::uint64_t take_fixed() {
    std::uint64_t value = 0;
    const std::string_view taken = take_bytes(sizeof value);
    if (taken.empty()) return 0;
    std::memcpy(&value, taken.data(), sizeof value);
    if constexpr (std::endian::native == std::endian::big) value = std::byteswap(value);
    return value;
  }
  bool is_at_end() const { return bytes_.empty() || !is_whole_; }
  // corrupt if something was missing or is left.
  Status status() const {
    if (is_whole_ && bytes_.empty()) return {};
    return fail(ErrorCode::corrupt, "a row of figures cannot be read");
  }

 private:
  std::string_view bytes_;
  bool is_whole_ = true;
};

}  // namespace weft::store

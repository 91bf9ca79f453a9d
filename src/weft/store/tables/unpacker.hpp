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

// Distances wrap: a file may state any time, and a damaged row any id.
inline std::int64_t distance(std::int64_t from, std::int64_t to) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(to) -
                                   static_cast<std::uint64_t>(from));
}
inline std::int64_t moved(std::int64_t from, std::int64_t by) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(from) +
                                   static_cast<std::uint64_t>(by));
}

// Takes values from the front of bytes; after one that is missing, all are zero. The bytes outlive
// it and the texts that it returns.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  std::uint64_t take() {
    // Most numbers are small.
    if (at_ != end_ && byte(0) < 0x80) return byte_and_step();
    return take_more();
  }
  std::int64_t take_signed() {
    const std::uint64_t value = take();
    return static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
  }
  std::string_view take_text() { return take_bytes(take()); }
  std::string_view take_bytes(std::uint64_t size) {
    if (size > left()) {
      give_up();
      return {};
    }
    const std::string_view text(at_, size);
    at_ += size;
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
  bool is_at_end() const { return at_ == end_; }
  // corrupt if something was missing or is left.
  Status status() const {
    if (is_whole_ && is_at_end()) return {};
    return fail(ErrorCode::corrupt, "a row of figures cannot be read");
  }

 private:
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  std::uint64_t byte(std::size_t offset) const { return static_cast<std::uint8_t>(at_[offset]); }
  std::uint64_t byte_and_step() { return static_cast<std::uint8_t>(*at_++); }
  // One of two bytes or more: most have two or three.
  std::uint64_t take_more() {
    if (left() < 3) return take_long();
    const std::uint64_t two = (byte(0) & 0x7f) | (byte(1) & 0x7f) << 7;
    if (byte(1) < 0x80) {
      at_ += 2;
      return two;
    }
    if (byte(2) >= 0x80) return take_long();
    const std::uint64_t three = two | byte(2) << 14;
    at_ += 3;
    return three;
  }
  std::uint64_t take_long() {
    std::string_view bytes(at_, left());
    const auto value = sql::take_varint(bytes);
    if (!value) {
      give_up();
      return 0;
    }
    at_ = bytes.data();
    return *value;
  }
  void give_up() {
    is_whole_ = false;
    at_ = end_;
  }

  const char* at_;
  const char* end_;
  bool is_whole_ = true;
};

}  // namespace weft::store

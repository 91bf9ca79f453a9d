// ColumnWriter and ColumnReader: numbers and texts one after another, in varints; and small
// compressed blobs of them.
#pragma once

#include <string>
#include <string_view>

#include "weft/base/result.hpp"
#include "weft/store/pages/pack.hpp"

namespace weft::store::sql {

class ColumnWriter {
 public:
  void put(std::uint64_t value) { append_varint(bytes_, value); }
  // Small numbers of either sign are short.
  void put_signed(std::int64_t value) {
    put(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
  }
  // How far `value` is after `before`; any two numbers.
  void put_step(std::int64_t before, std::int64_t value) {
    put_signed(static_cast<std::int64_t>(static_cast<std::uint64_t>(value) -
                                         static_cast<std::uint64_t>(before)));
  }
  void put_text(std::string_view text) {
    put(text.size());
    bytes_ += text;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// After a value that is missing, all are zero.
class ColumnReader {
 public:
  // `bytes` outlives it.
  explicit ColumnReader(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t take() {
    // Most numbers are small.
    if (!bytes_.empty() && static_cast<std::uint8_t>(bytes_.front()) < 0x80) {
      const auto small = static_cast<std::uint8_t>(bytes_.front());
      bytes_.remove_prefix(1);
      return small;
    }
    const auto value = take_varint(bytes_);
    if (!value) is_whole_ = false;
    return value.value_or(0);
  }
  std::int64_t take_signed() {
    const std::uint64_t value = take();
    return static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
  }
  std::int64_t take_step(std::int64_t before) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(before) +
                                     static_cast<std::uint64_t>(take_signed()));
  }
  // A number of things of at least a byte each: what is left bounds it.
  std::size_t take_count() {
    const std::uint64_t count = take();
    if (count <= bytes_.size()) return static_cast<std::size_t>(count);
    is_whole_ = false;
    return 0;
  }
  std::string_view take_text() {
    const std::size_t size = take_count();
    const std::string_view text = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return text;
  }
  void damage() { is_whole_ = false; }
  bool is_whole() const { return is_whole_; }
  bool is_at_end() const { return bytes_.empty(); }
  std::string_view rest() const { return bytes_; }  // not taken yet

 private:
  std::string_view bytes_;
  bool is_whole_ = true;
};

// One byte, 0 for the bytes as they are, 1 for a zstd frame if that is shorter, and these. Any
// thread may call them.
std::string squeeze(std::string_view bytes);
// corrupt
Result<std::string> unsqueeze(std::string_view bytes);

}  // namespace weft::store::sql

// Buffers the one record whose bytes are coming in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weft/formats/framing/framing.hpp"

namespace weft::formats {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Beyond kMaxRecordBytes the bytes are dropped and only counted.
class RecordBuffer {
 public:
  // Sets where the next record begins. Only while empty.
  void place(std::uint64_t line, std::uint64_t offset);
  void append(std::string_view piece);
  // Cuts the buffer to its first `size` bytes.
  void truncate(std::uint64_t size);

  bool empty() const { return bytes_ == 0; }
  std::uint64_t size() const { return bytes_; }
  std::uint64_t line() const { return line_; }
  bool is_oversize() const { return bytes_ > kMaxRecordBytes; }
  // The buffered bytes; none once oversize.
  std::string_view text() const { return text_; }

  // Emits the record, or its size, with `like`'s member, cut and stray; then it is empty.
  void emit(Record like, const OnRecord& record, const OnOversize& oversize);
  // The same with `last` behind the buffered bytes; costs no copy if the buffer is empty.
  void emit_with(std::string_view last, Record like, const OnRecord& record,
                 const OnOversize& oversize);
  void clear();

 private:
  std::string text_;
  std::uint64_t bytes_ = 0;
  std::uint64_t line_ = 1, offset_ = 0;
};

std::string_view trim_end(std::string_view text);

// The number of lines that end in `text`.
std::uint64_t count_line_ends(std::string_view text);

}  // namespace weft::formats

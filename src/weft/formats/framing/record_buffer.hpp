// The one record that a framer holds while its bytes come in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weft/formats/framing/framing.hpp"

namespace weft::formats {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Beyond kMaxRecordBytes the bytes are let go and only counted.
class RecordBuffer {
 public:
  // Where the next record begins. Only while empty.
  void place(std::uint64_t line, std::uint64_t offset);
  void append(std::string_view piece);
  // Back to the first `size` bytes.
  void truncate(std::uint64_t size);

  bool empty() const { return bytes_ == 0; }
  std::uint64_t size() const { return bytes_; }
  std::uint64_t line() const { return line_; }
  bool is_oversize() const { return bytes_ > kMaxRecordBytes; }
  // Of what is held: nothing, once oversize.
  std::string_view text() const { return text_; }

  // Tells the record, or its size, with `like`'s member, cut and stray; then is empty.
  void emit(Record like, const OnRecord& record, const OnOversize& oversize);
  // The same with `last` behind what is held, which costs no copy where nothing is.
  void emit_with(std::string_view last, Record like, const OnRecord& record,
                 const OnOversize& oversize);
  void clear();

 private:
  std::string text_;
  std::uint64_t bytes_ = 0;
  std::uint64_t line_ = 1, offset_ = 0;
};

std::string_view trim_end(std::string_view text);

// How many lines end in `text`.
std::uint64_t count_line_ends(std::string_view text);

}  // namespace weft::formats

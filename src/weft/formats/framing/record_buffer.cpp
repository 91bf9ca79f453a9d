#include "weft/formats/framing/record_buffer.hpp"

#include <algorithm>
#include <cstring>

namespace weft::formats {
namespace {

// A buffer that one large record has grown is not kept for the small ones after it.
constexpr std::size_t kKeptBytes = 4u << 20;

}  // namespace

void RecordBuffer::place(std::uint64_t line, std::uint64_t offset) {
  line_ = line;
  offset_ = offset;
}

void RecordBuffer::append(std::string_view piece) {
  bytes_ += piece.size();
  if (is_oversize()) {
    text_ = {};
  } else {
    text_ += piece;
  }
}

void RecordBuffer::truncate(std::uint64_t size) {
  if (!is_oversize()) {
    text_.resize(size);
    bytes_ = size;
  }
}

void RecordBuffer::emit(Record like, const OnRecord& record, const OnOversize& oversize) {
  if (is_oversize()) {
    oversize(line_, bytes_);
  } else {
    like.text = text_;
    like.line = line_;
    like.offset = offset_;
    record(like);
  }
  clear();
}

void RecordBuffer::emit_with(std::string_view last, Record like, const OnRecord& record,
                             const OnOversize& oversize) {
  if (empty() && last.size() <= kMaxRecordBytes) {
    like.text = last;
    like.line = line_;
    like.offset = offset_;
    record(like);
  } else {
    append(last);
    emit(like, record, oversize);
  }
}

void RecordBuffer::clear() {
  bytes_ = 0;
  if (text_.capacity() > kKeptBytes) {
    text_ = {};
  } else {
    text_.clear();
  }
}

std::string_view trim_end(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

// Eight bytes at a time: all but the highest bit of each are added to 127, which leaves that
// bit clear only where they were zero; the product adds up what is left of the eight.
std::uint64_t count_line_ends(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kLowBits = kOnes * 0x7F;
  std::uint64_t count = 0;
  for (std::uint64_t word; text.size() >= sizeof word; text.remove_prefix(sizeof word)) {
    std::memcpy(&word, text.data(), sizeof word);
    word ^= kOnes * '\n';
    const std::uint64_t ends = ~(((word & kLowBits) + kLowBits) | word | kLowBits);
    count += (ends >> 7) * kOnes >> 56;
  }
  return count + static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
}

}  // namespace weft::formats

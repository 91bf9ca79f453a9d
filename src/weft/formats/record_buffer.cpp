#include "weft/formats/record_buffer.hpp"

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

void RecordBuffer::tell(Record like, const OnRecord& record, const OnOversize& oversize) {
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

}  // namespace weft::formats

// JSONL and its like: a record is a line.
#include "weft/formats/record_buffer.hpp"

namespace weft::formats {
namespace {

class LineFramer final : public Framer {
 public:
  void push(std::string_view bytes, const OnRecord& record, const OnOversize& oversize) override {
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      const std::string_view piece = bytes.substr(0, end);
      if (buffer_.empty()) buffer_.place(line_, offset_);
      if (end == std::string_view::npos) {
        buffer_.append(piece);
        offset_ += piece.size();
        return;
      }
      if (buffer_.empty() && piece.size() <= kMaxRecordBytes) {
        // Whole in one piece, as most lines are: no copy.
        tell(piece, {.line = line_, .offset = offset_}, record);
      } else {
        buffer_.append(piece);
        flush({}, record, oversize);
      }
      offset_ += piece.size() + 1;
      bytes.remove_prefix(end + 1);
      ++line_;
    }
  }

  void end(const OnRecord& record, const OnOversize& oversize) override {
    flush({.cut = true}, record, oversize);
  }

  bool is_by_lines() const override { return true; }

 private:
  void flush(Record like, const OnRecord& record, const OnOversize& oversize) {
    buffer_.tell(like, [&](const Record& held) { tell(held.text, held, record); }, oversize);
  }

  static void tell(std::string_view text, Record like, const OnRecord& record) {
    if (like.offset == 0 && text.starts_with(kByteOrderMark)) {
      text.remove_prefix(kByteOrderMark.size());
      like.offset = kByteOrderMark.size();
    }
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (text.empty()) return;
    like.text = text;
    record(like);
  }

  RecordBuffer buffer_;
  std::uint64_t line_ = 1, offset_ = 0;
};

}  // namespace

std::unique_ptr<Framer> line_framer() { return std::make_unique<LineFramer>(); }

}  // namespace weft::formats

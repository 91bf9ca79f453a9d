// Frames JSON lines and other text by line: a record is a line.
#include "weft/formats/framing/record_buffer.hpp"

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
      flush(piece, {}, record, oversize);
      offset_ += piece.size() + 1;
      bytes.remove_prefix(end + 1);
      ++line_;
    }
  }

  void end(const OnRecord& record, const OnOversize& oversize) override {
    flush({}, {.cut = true}, record, oversize);
  }

  bool is_by_lines() const override { return true; }

 private:
  void flush(std::string_view last, Record like, const OnRecord& record,
             const OnOversize& oversize) {
    buffer_.emit_with(last, like, [&](const Record& line) { emit(line, record); }, oversize);
  }

  static void emit(Record line, const OnRecord& record) {
    if (line.offset == 0 && line.text.starts_with(kByteOrderMark)) {
      line.text.remove_prefix(kByteOrderMark.size());
      line.offset = kByteOrderMark.size();
    }
    if (line.text.ends_with('\r')) line.text.remove_suffix(1);
    if (!line.text.empty()) record(line);
  }

  RecordBuffer buffer_;
  std::uint64_t line_ = 1, offset_ = 0;
};

}  // namespace

std::unique_ptr<Framer> line_framer() { return std::make_unique<LineFramer>(); }

std::unique_ptr<Framer> frame_lines(std::string_view /*head*/) { return line_framer(); }

}  // namespace weft::formats

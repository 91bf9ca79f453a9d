// Frames JSON values in a row, on lines of their own or not.
#include "weft/formats/framing/json_pieces.hpp"
#include "weft/formats/framing/json_value_scanner.hpp"
#include "weft/formats/framing/record_buffer.hpp"

namespace weft::formats {
namespace {

class ValuesFramer final : public Framer {
 public:
  void push(std::string_view bytes, const OnRecord& record, const OnOversize& oversize) override {
    while (!bytes.empty()) {
      const std::size_t push_outcome = in_value_ ? take(bytes, record, oversize) : skip(bytes);
      line_ += count_line_ends(bytes.substr(0, push_outcome));
      offset_ += push_outcome;
      bytes.remove_prefix(push_outcome);
    }
  }

  void end(const OnRecord& record, const OnOversize& oversize) override {
    if (!in_value_) return;
    cut_ = true;
    emit({}, record, oversize);
  }

 private:
  // Skips the bytes between values, up to the beginning of one.
  std::size_t skip(std::string_view bytes) {
    std::size_t i = 0;
    while (i < bytes.size() && is_between(bytes[i], offset_ + i)) ++i;
    if (i == 0) {
      in_value_ = true;
      buffer_.place(line_, offset_);
      scanner_.start();
    }
    return i;
  }

  static bool is_between(char c, std::uint64_t offset) {
    const bool is_mark = offset < kByteOrderMark.size() && c == kByteOrderMark[offset];
    return is_mark || c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',';
  }

  std::size_t take(std::string_view bytes, const OnRecord& record, const OnOversize& oversize) {
    const JsonValueScanner::Step step = scanner_.feed(bytes);
    const std::string_view piece = bytes.substr(0, step.outcome);
    if (step.done) {
      emit(piece, record, oversize);
    } else {
      buffer_.append(piece);
    }
    return step.outcome;
  }

  void emit(std::string_view last, const OnRecord& record, const OnOversize& oversize) {
    in_value_ = false;
    const auto trimmed = [&](Record pending) {
      pending.text = trim_end(pending.text);
      record(pending);
    };
    buffer_.emit_with(last, {.cut = cut_}, trimmed, oversize);
  }

  bool in_value_ = false, cut_ = false;
  RecordBuffer buffer_;
  JsonValueScanner scanner_;
  std::uint64_t line_ = 1, offset_ = 0;
};

}  // namespace

std::unique_ptr<Framer> values_framer() { return std::make_unique<ValuesFramer>(); }

std::unique_ptr<Framer> frame_list(std::string_view head, std::string_view list) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || head[first] != '{') return json_framer({});
  // Most files have nothing of that name: then nothing is cut for it.
  if (!head.contains(list)) return values_framer();
  for (const JsonPiece& piece : cut_json(head.substr(first), {})) {
    if (piece.member == list && piece.text.starts_with('['))
      return json_framer({std::string(list)});
  }
  return values_framer();
}

}  // namespace weft::formats

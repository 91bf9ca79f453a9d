// Frames server-sent events as the WHATWG's HTML standard defines them: fields line by line, and
// an empty line behind each event.
#include "weft/formats/framing/record_buffer.hpp"

namespace weft::formats {
namespace {

constexpr std::size_t kMaxEventNameBytes = 1024;

class SseFramer final : public Framer {
 public:
  void push(std::string_view bytes, const OnRecord& record, const OnOversize& oversize) override {
    while (!bytes.empty()) {
      if (is_after_cr_) {
        is_after_cr_ = false;
        if (bytes.front() == '\n') {
          bytes.remove_prefix(1);
          ++offset_;
          continue;
        }
      }
      const std::size_t end = bytes.find_first_of("\r\n");
      const std::string_view piece = bytes.substr(0, end);
      if (line_.empty()) line_.place(number_, offset_);
      line_.append(piece);
      offset_ += piece.size();
      bytes.remove_prefix(piece.size());
      if (bytes.empty()) return;
      is_after_cr_ = bytes.front() == '\r';
      bytes.remove_prefix(1);
      ++offset_;
      take_line(record, oversize);
      ++number_;
    }
  }

  void end(const OnRecord& record, const OnOversize& oversize) override {
    if (!line_.empty()) take_line(record, oversize);
    emit({.cut = true}, record, oversize);
  }

 private:
  void take_line(const OnRecord& record, const OnOversize& oversize) {
    if (line_.empty()) {
      emit({}, record, oversize);
      return;
    }
    line_.emit({}, [&](Record line) { take_field(line, record); }, oversize);
  }

  void take_field(Record line, const OnRecord& record) {
    std::string_view text = line.text;
    if (line.offset == 0 && text.starts_with(kByteOrderMark)) {
      text.remove_prefix(kByteOrderMark.size());
      line.offset = kByteOrderMark.size();
    }
    if (text.empty() || text.starts_with(':')) return;
    const std::size_t colon = text.find(':');
    const std::string_view field = text.substr(0, colon);
    std::string_view value = colon == std::string_view::npos ? "" : text.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (field == "data") {
      const auto before = static_cast<std::uint64_t>(text.size() - value.size());
      if (data_.empty()) data_.place(line.line, line.offset + before);
      if (has_data_) data_.append("\n");
      data_.append(value);
      has_data_ = true;
    } else if (field == "event") {
      name_ = value.substr(0, kMaxEventNameBytes);
    } else if (field != "id" && field != "retry") {
      line.text = text;
      line.stray = true;
      record(line);
    }
  }

  // The event ends here.
  void emit(Record like, const OnRecord& record, const OnOversize& oversize) {
    like.member = name_;
    if (!data_.empty()) data_.emit(like, record, oversize);
    name_.clear();
    has_data_ = false;
  }

  RecordBuffer line_, data_;
  std::string name_;
  bool has_data_ = false;     // even if it is empty
  bool is_after_cr_ = false;  // a line feed that comes next belongs to the same line end
  std::uint64_t number_ = 1, offset_ = 0;
};

}  // namespace

std::unique_ptr<Framer> sse_framer() { return std::make_unique<SseFramer>(); }

}  // namespace weft::formats

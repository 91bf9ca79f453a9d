// Frames text in sections: a record is the text between lines of '='.
#include "weft/formats/framing/record_buffer.hpp"

namespace weft::formats {
namespace {

constexpr std::uint64_t kMinSeparator = 10;

// Decides from the pieces of an incoming line whether it is a separator.
class SeparatorTest {
 public:
  void feed(std::string_view piece) {
    for (const char c : piece) {
      if (state_ == State::other) return;
      if (c == '=' && state_ == State::equals) {
        ++count_;
      } else if (c == ' ' || c == '\t' || c == '\r') {
        state_ = count_ > 0 ? State::blanks : State::other;
      } else {
        state_ = State::other;
      }
    }
  }
  bool holds() const { return state_ != State::other && count_ >= kMinSeparator; }

 private:
  enum class State { equals, blanks, other };
  State state_ = State::equals;
  std::uint64_t count_ = 0;
};

class SectionFramer final : public Framer {
 public:
  void push(std::string_view bytes, const OnRecord& record, const OnOversize& oversize) override {
    while (!bytes.empty()) {
      if (buffer_.empty() && !skip_space(bytes)) return;
      const std::size_t end = bytes.find('\n');
      const bool is_line_end = end != std::string_view::npos;
      const std::string_view piece = bytes.substr(0, is_line_end ? end + 1 : end);
      test_.feed(is_line_end ? piece.substr(0, end) : piece);
      buffer_.append(piece);
      offset_ += piece.size();
      bytes.remove_prefix(piece.size());
      if (is_line_end) end_line(record, oversize);
    }
  }

  void end(const OnRecord& record, const OnOversize& oversize) override {
    if (test_.holds()) {
      buffer_.truncate(line_begin_);
      emit({}, record, oversize);
    } else {
      emit({.cut = true}, record, oversize);
    }
  }

 private:
  // Drops white space before a section. False if nothing else is left.
  bool skip_space(std::string_view& bytes) {
    while (!bytes.empty()) {
      const char c = bytes.front();
      const bool is_mark =
          offset_ < kByteOrderMark.size() && c == kByteOrderMark[static_cast<std::size_t>(offset_)];
      if (!is_mark && c != ' ' && c != '\t' && c != '\r' && c != '\n') {
        buffer_.place(line_, offset_);
        return true;
      }
      if (c == '\n') ++line_;
      ++offset_;
      bytes.remove_prefix(1);
    }
    return false;
  }

  void end_line(const OnRecord& record, const OnOversize& oversize) {
    ++line_;
    if (test_.holds()) {
      buffer_.truncate(line_begin_);
      emit({}, record, oversize);
    }
    line_begin_ = buffer_.size();
    test_ = {};
  }

  void emit(Record like, const OnRecord& record, const OnOversize& oversize) {
    const auto trimmed = [&](Record pending) {
      pending.text = trim_end(pending.text);
      if (!pending.text.empty()) record(pending);
    };
    buffer_.emit(like, trimmed, oversize);
  }

  RecordBuffer buffer_;
  SeparatorTest test_;
  std::uint64_t line_begin_ = 0;  // of the last line, in the section
  std::uint64_t line_ = 1, offset_ = 0;
};

}  // namespace

std::unique_ptr<Framer> section_framer() { return std::make_unique<SectionFramer>(); }

}  // namespace weft::formats

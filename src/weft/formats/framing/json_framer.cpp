// Frames one JSON document of any size: a record is an element of its array, or a member.
#include <algorithm>
#include <utility>

#include "weft/formats/framing/json_value_scanner.hpp"
#include "weft/formats/framing/record_buffer.hpp"

namespace weft::formats {
namespace {

// No member that a reader asks for has a longer name.
constexpr std::size_t kMaxNameBytes = 1024;

// How many bytes of white space `bytes` begins with.
std::size_t count_blanks(std::string_view bytes) {
  std::size_t i = 0;
  while (i < bytes.size() &&
         (bytes[i] == ' ' || bytes[i] == '\t' || bytes[i] == '\r' || bytes[i] == '\n')) {
    ++i;
  }
  return i;
}

// Elements that are pending until the members behind them are read.
class PendingElements {
 public:
  // False if there is no room; then nothing was added.
  bool hold(const Record& record) {
    if (cost_ + record.text.size() + sizeof(Place) > kMaxRecordBytes) return false;
    cost_ += record.text.size() + sizeof(Place);
    texts_ += record.text;
    places_.push_back({record.text.size(), record.line, record.offset});
    return true;
  }
  void emit(const OnRecord& record) {
    std::string_view rest = texts_;
    for (const Place& place : places_) {
      record({.text = rest.substr(0, place.size), .line = place.line, .offset = place.offset});
      rest.remove_prefix(place.size);
    }
    *this = {};
  }

 private:
  struct Place {
    std::size_t size;
    std::uint64_t line, offset;
  };
  std::string texts_;
  std::vector<Place> places_;
  std::size_t cost_ = 0;
};

class JsonFramer final : public Framer {
 public:
  explicit JsonFramer(std::vector<std::string> keys) : keys_(std::move(keys)) {}

  void push(std::string_view bytes, const OnRecord& record, const OnOversize& oversize) override {
    while (!bytes.empty()) {
      std::size_t push_outcome = 0;
      switch (at_) {
        case At::name: push_outcome = take_name(bytes); break;
        case At::value: push_outcome = take_value(bytes, record, oversize); break;
        case At::behind: push_outcome = take_stray(bytes); break;
        default:
          push_outcome = count_blanks(bytes);
          if (push_outcome == 0 && take_structure(bytes.front(), record, oversize))
            push_outcome = 1;
      }
      line_ += count_line_ends(bytes.substr(0, push_outcome));
      offset_ += push_outcome;
      bytes.remove_prefix(push_outcome);
    }
  }

  void end(const OnRecord& record, const OnOversize& oversize) override {
    const bool in_value = at_ == At::value;
    if (at_ == At::name || at_ == At::colon || (in_value && value_ != Value::element)) {
      emit({}, {.member = name_, .cut = true, .stray = value_ == Value::stray}, record, oversize);
    }
    pending_.emit(record);
    if (in_value && value_ == Value::element) emit({}, {.cut = true}, record, oversize);
    if (!buffer_.empty()) emit({}, {.cut = true, .stray = true}, record, oversize);
  }

 private:
  enum class At { start, members, name, colon, elements, value, behind };
  enum class Value { member, element, stray };

  // One byte between values that is not white space. False if it was not consumed.
  bool take_structure(char c, const OnRecord& record, const OnOversize& oversize) {
    switch (at_) {
      case At::start: return take_start(c);
      case At::members:
        if (c == ',') return true;
        if (c == '}') {
          pending_.emit(record);
          at_ = At::behind;
          return true;
        }
        name_.clear();
        begin_value(c == '"' ? Value::member : Value::stray);
        if (c != '"') return false;
        at_ = At::name;
        return true;
      case At::colon: return take_colon(c, record, oversize);
      case At::elements:
        if (c == ',') return true;
        if (c == ']' || (c == '}' && in_object_)) {
          at_ = in_object_ ? At::members : At::behind;
          return c == ']';
        }
        begin_value(Value::element);
        return false;
      default: return true;
    }
  }

  bool take_start(char c) {
    const auto seen = static_cast<std::size_t>(offset_);
    if (seen < kByteOrderMark.size() && c == kByteOrderMark[seen]) return true;
    in_object_ = c == '{';
    at_ = c == '{' ? At::members : c == '[' ? At::elements : At::behind;
    return at_ != At::behind;
  }

  // Between a member's name and its value.
  bool take_colon(char c, const OnRecord& record, const OnOversize& oversize) {
    if (c == ':') return true;
    if (c == ',' || c == '}') {
      emit({}, {.member = name_, .stray = name_.empty()}, record, oversize);
      at_ = At::members;
      return false;
    }
    if (c == '[' && !had_elements_ && std::ranges::find(keys_, name_) != keys_.end()) {
      had_elements_ = true;
      at_ = At::elements;
      return true;
    }
    begin_value(name_.empty() ? Value::stray : Value::member);
    return false;
  }

  void begin_value(Value value) {
    at_ = At::value;
    value_ = value;
    buffer_.place(line_, offset_);
    scanner_.start();
  }

  std::size_t take_name(std::string_view bytes) {
    std::size_t i = 0;
    while (i < bytes.size()) {
      if (!escaped_ && bytes[i] == '"') {
        at_ = At::colon;
        return i + 1;
      }
      const std::size_t run =
          std::max<std::size_t>(1, escaped_ ? 1 : count_unmarked(bytes.substr(i)));
      escaped_ = !escaped_ && bytes[i] == '\\';
      name_ += bytes.substr(i, std::min(run, kMaxNameBytes - name_.size()));
      i += run;
    }
    return i;
  }

  std::size_t take_value(std::string_view bytes, const OnRecord& record,
                         const OnOversize& oversize) {
    const JsonValueScanner::Step step = scanner_.feed(bytes);
    const std::string_view piece = bytes.substr(0, step.outcome);
    if (!step.done) {
      buffer_.append(piece);
      return step.outcome;
    }
    at_ = value_ == Value::element ? At::elements : At::members;
    if (value_ != Value::element) {
      emit(piece, {.member = name_, .stray = value_ == Value::stray}, record, oversize);
    } else if (in_object_) {
      hold_element(piece, record, oversize);
    } else {
      emit(piece, {}, record, oversize);
    }
    return step.outcome;
  }

  void hold_element(std::string_view last, const OnRecord& record, const OnOversize& oversize) {
    const auto hold = [&](const Record& element) {
      if (is_streaming_ || !pending_.hold(element)) {
        is_streaming_ = true;
        pending_.emit(record);
        record(element);
      }
    };
    emit(last, {}, hold, oversize);
  }

  std::size_t take_stray(std::string_view bytes) {
    const std::size_t blanks = buffer_.empty() ? count_blanks(bytes) : 0;
    if (buffer_.empty()) {
      buffer_.place(line_ + count_line_ends(bytes.substr(0, blanks)), offset_ + blanks);
    }
    buffer_.append(bytes.substr(blanks));
    return bytes.size();
  }

  // Emits the pending bytes, with `last` behind them.
  void emit(std::string_view last, Record like, const OnRecord& record,
            const OnOversize& oversize) {
    const auto trimmed = [&](Record pending) {
      pending.text = trim_end(pending.text);
      record(pending);
    };
    buffer_.emit_with(last, like, trimmed, oversize);
  }

  const std::vector<std::string> keys_;
  At at_ = At::start;
  bool in_object_ = false;      // the document is an object
  bool had_elements_ = false;   // its array was found
  bool is_streaming_ = false;   // too large to hold elements back
  bool escaped_ = false;        // within a name
  Value value_ = Value::stray;  // the current one
  std::string name_;            // of the current member
  RecordBuffer buffer_;
  JsonValueScanner scanner_;
  PendingElements pending_;
  std::uint64_t line_ = 1, offset_ = 0;
};

}  // namespace

std::unique_ptr<Framer> json_framer(std::vector<std::string> keys) {
  return std::make_unique<JsonFramer>(std::move(keys));
}

}  // namespace weft::formats

// Reading JSON: Boost.JSON's basic_parser walks the text, and the handler here builds
// the value, so that numbers are read from their own digits and nothing that the value
// cannot hold goes unnoticed. The only file that includes the parser's implementation.
#include "weft/base/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/value_stack.hpp>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>
#include <system_error>

namespace weft {
namespace {

using JsonError = boost::json::error_code;
using JsonView = boost::json::string_view;

// Whether `value`, the double nearest to the integer `text`, would be written with
// the same digits again.
bool gives_back(double value, std::string_view text) {
  char buffer[32];
  const auto written = std::to_chars(buffer, buffer + sizeof buffer, std::fabs(value),
                                     std::chars_format::scientific);
  std::string digits;  // d.ddde+XX without its point
  for (const char c : std::string_view(buffer, written.ptr)) {
    if (c == 'e') break;
    if (c != '.') digits += c;
  }
  if (text.starts_with('-')) text.remove_prefix(1);
  return text.starts_with(digits) &&
         text.find_first_not_of('0', digits.size()) == std::string_view::npos;
}

struct Handler {
  static constexpr std::size_t max_object_size = kMaxJsonValues;
  static constexpr std::size_t max_array_size = kMaxJsonValues;
  static constexpr std::size_t max_key_size = json::string::max_size();
  static constexpr std::size_t max_string_size = json::string::max_size();

  Handler(std::span<unsigned char> buffer, json::storage_ptr to)
      : stack(json::storage_ptr(), buffer.data(), buffer.size()), memory(std::move(to)) {}

  bool on_document_begin(JsonError&) {
    stack.reset(memory);
    return true;
  }
  bool on_document_end(JsonError&) { return true; }
  bool on_object_begin(JsonError&) { return true; }
  bool on_object_end(std::size_t size, JsonError& error) {
    members += size;
    stack.push_object(size);
    return within_limit(size, error);
  }
  bool on_array_begin(JsonError&) { return true; }
  bool on_array_end(std::size_t size, JsonError& error) {
    stack.push_array(size);
    return within_limit(size, error);
  }
  bool within_limit(std::size_t size, JsonError& error) {
    values += size;
    if (values <= kMaxJsonValues) return true;
    error = boost::json::error::array_too_large;
    return false;
  }
  bool on_key_part(JsonView part, std::size_t, JsonError&) {
    stack.push_chars(part);
    return true;
  }
  bool on_key(JsonView part, std::size_t, JsonError&) {
    stack.push_key(part);
    return true;
  }
  bool on_string_part(JsonView part, std::size_t, JsonError&) {
    stack.push_chars(part);
    return true;
  }
  bool on_string(JsonView part, std::size_t, JsonError&) {
    stack.push_string(part);
    return true;
  }
  bool on_number_part(JsonView, JsonError&) { return true; }
  bool on_int64(std::int64_t value, JsonView, JsonError&) {
    stack.push_int64(value);
    return true;
  }
  bool on_uint64(std::uint64_t value, JsonView, JsonError&) {
    stack.push_uint64(value);
    return true;
  }
  // `rough` may be off by a few units in the last place: it only distinguishes too large
  // from too small. The text is given in one go, so `digits` is all of the number.
  bool on_double(double rough, JsonView digits, JsonError&) {
    const std::string_view text(digits.data(), digits.size());
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec == std::errc::result_out_of_range) {
      inexact = true;
      const double size = std::fabs(rough) > 1 ? std::numeric_limits<double>::max() : 0;
      value = std::copysign(size, rough);
    } else if (text.find_first_of(".eE") == std::string_view::npos && !gives_back(value, text)) {
      inexact = true;
    }
    stack.push_double(value);
    return true;
  }
  bool on_bool(bool value, JsonError&) {
    stack.push_bool(value);
    return true;
  }
  bool on_null(JsonError&) {
    stack.push_null();
    return true;
  }
  bool on_comment_part(JsonView, JsonError&) { return true; }
  bool on_comment(JsonView, JsonError&) { return true; }

  json::value_stack stack;
  json::storage_ptr memory;  // for the value
  std::size_t members = 0;   // of all objects in the text
  std::size_t values = 0;    // in all arrays and objects
  bool inexact = false;
};

std::size_t count_members(const json::value& value) {
  std::size_t count = 0;
  if (const json::object* object = value.if_object()) {
    count += object->size();
    for (const auto& member : *object) {
      if (member.value().is_structured()) count += count_members(member.value());
    }
  } else if (const json::array* array = value.if_array()) {
    for (const json::value& element : *array) {
      if (element.is_structured()) count += count_members(element);
    }
  }
  return count;
}

// The same text, every exponent of more than nine digits made 999999999 and filled up
// with blanks, so that all offsets stay. Boost's parser counts exponents in an int and
// refuses what overflows it, though JSON has no such limit; beyond double is beyond
// double either way.
std::string with_smaller_exponents(std::string_view text) {
  constexpr std::string_view kDecimals = "0123456789";
  constexpr std::size_t kMaxDigits = 9;
  std::string out(text);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] == '"') {
      for (++i; i < out.size() && out[i] != '"'; ++i) {
        if (out[i] == '\\') ++i;
      }
    } else if (out[i] == 'e' || out[i] == 'E') {
      std::size_t begin = i + 1;
      if (begin < out.size() && (out[begin] == '+' || out[begin] == '-')) ++begin;
      const std::size_t end = std::min(out.find_first_not_of(kDecimals, begin), out.size());
      const std::size_t significant = std::min(out.find_first_not_of('0', begin), end);
      if (end - significant > kMaxDigits) {
        out.replace(begin, end - begin, end - begin, ' ');
        out.replace(begin, kMaxDigits, kMaxDigits, '9');
      }
    }
  }
  return out;
}

std::string_view reason_of(const JsonError& why, std::string_view text, std::size_t offset) {
  using boost::json::error;
  if (why == error::too_deep) return "nested too deeply";
  if (why == error::illegal_leading_surrogate || why == error::illegal_trailing_surrogate ||
      why == error::expected_utf16_escape) {
    return "half a surrogate pair";
  }
  if (why == error::expected_hex_digit) return "\\u without four hex digits";
  if (why == error::extra_data) return "something follows the value";
  if (why == error::object_too_large || why == error::array_too_large ||
      why == error::key_too_large || why == error::string_too_large) {
    return "too many values";
  }
  if (why == error::exponent_overflow) return "exponent too large";
  if (why == error::incomplete || offset >= text.size()) return "the text ends too early";
  if (static_cast<unsigned char>(text[offset]) < 0x20) return "unexpected control character";
  return "unexpected character";
}

// Parses `text` whole. Says where it stopped, and why if early.
JsonError run(json::basic_parser<Handler>& parser, std::string_view text, std::size_t& offset) {
  JsonError error;
  offset = parser.write_some(false, text.data(), text.size(), error);
  if (!error && offset < text.size()) error = boost::json::error::extra_data;
  return error;
}

}  // namespace

json::storage_ptr memory_for_json(std::size_t bytes) {
  // A string takes as much as in the text, a member some 40 bytes more.
  return json::make_shared_resource<json::monotonic_resource>(bytes + bytes / 2 + 1024);
}

Result<ParsedJson> parse_json(std::string_view text, json::storage_ptr memory) {
  // Room for the values of an ordinary line before the stack must allocate.
  alignas(json::value) unsigned char buffer[4096];
  json::parse_options options;
  options.max_depth = kMaxJsonDepth;
  json::basic_parser<Handler> parser(options, std::span(buffer), std::move(memory));
  std::size_t offset = 0;
  JsonError error = run(parser, text, offset);
  if (error == boost::json::error::exponent_overflow) {
    const std::string smaller = with_smaller_exponents(text);
    parser.reset();
    parser.handler().members = 0;
    parser.handler().values = 0;
    error = run(parser, smaller, offset);
  }
  if (error) {
    return fail(ErrorCode::invalid_input,
                fmt::format("JSON at byte {}: {}", offset, reason_of(error, text, offset)));
  }
  Handler& handler = parser.handler();
  ParsedJson parsed{.value = handler.stack.release(), .inexact = handler.inexact};
  // The stack keeps the last of equal keys and does not say so.
  if (handler.members > 1 && count_members(parsed.value) != handler.members) parsed.inexact = true;
  return parsed;
}

}  // namespace weft

// Canonical JSON (RFC 8785): the bytes that are hashed. What is written here may
// never change, or every CID changes with it.
#include "weft/base/json.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "weft/base/json/pieces.hpp"

namespace weft {
namespace {

using Member = json::key_value_pair;

std::string_view key_of(const Member& member) { return {member.key().data(), member.key().size()}; }

// JCS sorts keys by UTF-16 code units. UTF-8 bytes sort the same way but for one
// thing: characters beyond the BMP (first byte F0 to F4) are surrogates in UTF-16, and
// come before U+E000 to U+FFFF (first byte EE or EF).
bool key_less(std::string_view a, std::string_view b) {
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (x == a.end() || y == b.end()) return x == a.end() && y != b.end();
  const auto rank = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0xEE || byte == 0xEF ? byte + 0x10 : byte;
  };
  return rank(*x) < rank(*y);
}

bool member_less(const Member* a, const Member* b) { return key_less(key_of(*a), key_of(*b)); }

// Text in pieces: where append_canonical appends to a string, this passes on what it has when it
// has much, and long texts as they are.
class Pieces {
 public:
  explicit Pieces(const EmitPiece& emit) : emit_(emit) {}
  void operator+=(char c) {
    buffer_ += c;
    if (buffer_.size() >= kPiece) flush();
  }
  void operator+=(std::string_view text) {
    if (text.size() < kPiece) {
      buffer_ += text;
      if (buffer_.size() >= kPiece) flush();
      return;
    }
    flush();
    emit_(text);
  }
  void append(const char* begin, const char* end) {
    *this += std::string_view(begin, static_cast<std::size_t>(end - begin));
  }
  void append(std::size_t count, char c) { buffer_.append(count, c); }
  void flush() {
    if (!buffer_.empty()) emit_(buffer_);
    buffer_.clear();
  }

 private:
  static constexpr std::size_t kPiece = 1u << 16;
  const EmitPiece& emit_;
  std::string buffer_;
};

void make_room(std::string& out, std::size_t bytes) {
  // Otherwise the characters behind a text that fills the string would double it.
  constexpr std::size_t kLarge = 1u << 20;
  if (bytes > kLarge) out.reserve(out.size() + bytes + bytes / 16);
}
void make_room(Pieces& /*out*/, std::size_t /*bytes*/) {}

template <class Out>
void append_integer(Out& out, auto value) {
  char buffer[20];
  const auto written = std::to_chars(buffer, buffer + sizeof buffer, value);
  out.append(buffer, written.ptr);
}

// As ECMAScript's Number::toString: the shortest digits that read back to `value`,
// plain from 1e-6 up to 1e21, with an exponent elsewhere.
template <class Out>
void append_double(Out& out, double value) {
  assert(std::isfinite(value));
  if (value == 0) {  // -0 too
    out += '0';
    return;
  }
  char buffer[32];
  const auto written =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  std::string_view text(buffer, written.ptr);
  if (text.starts_with('-')) {
    out += '-';
    text.remove_prefix(1);
  }
  // d, or d.ddd, then e, a sign and two digits or three.
  const std::size_t e = text.find('e');
  int exponent = 0;
  const std::size_t exponent_digits = text[e + 1] == '+' ? e + 2 : e + 1;
  std::from_chars(text.data() + exponent_digits, text.data() + text.size(), exponent);
  char digits_buffer[24];
  digits_buffer[0] = text[0];
  const std::size_t more = e > 2 ? e - 2 : 0;
  std::memcpy(digits_buffer + 1, text.data() + 2, more);
  const std::string_view digits(digits_buffer, 1 + more);

  const int point = exponent + 1;  // the value is 0.<digits> times ten to this
  const auto count = static_cast<int>(digits.size());
  if (point > 21 || point < -5) {
    out += digits[0];
    if (count > 1) {
      out += '.';
      out += digits.substr(1);
    }
    out += exponent < 0 ? "e-" : "e+";
    append_integer(out, std::abs(exponent));
  } else if (point <= 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-point), '0');
    out += digits;
  } else if (point >= count) {
    out += digits;
    out.append(static_cast<std::size_t>(point - count), '0');
  } else {
    out += digits.substr(0, static_cast<std::size_t>(point));
    out += '.';
    out += digits.substr(static_cast<std::size_t>(point));
  }
}

constexpr bool needs_escape(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

// Whether any of eight bytes needs an escape; see "Determine if a word has a byte less
// than n" in Bit Twiddling Hacks. Exact for the whole word, which is all we ask.
bool any_needs_escape(std::uint64_t word) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHighBits = kOnes * 0x80;
  const auto has_zero = [](std::uint64_t w) { return (w - kOnes) & ~w; };
  const std::uint64_t low = (word - kOnes * 0x20) & ~word;
  return ((low | has_zero(word ^ (kOnes * '"')) | has_zero(word ^ (kOnes * '\\'))) & kHighBits) !=
         0;
}

// How many bytes `text` starts with that are written as they are.
std::size_t count_plain(std::string_view text) {
  std::size_t i = 0;
  std::uint64_t word;
  for (; i + sizeof word <= text.size(); i += sizeof word) {
    std::memcpy(&word, text.data() + i, sizeof word);
    if (any_needs_escape(word)) break;
  }
  while (i < text.size() && !needs_escape(text[i])) ++i;
  return i;
}

template <class Out>
void append_escape(Out& out, char c) {
  constexpr std::string_view kNamed = "\"\\\b\f\n\r\t";
  constexpr std::string_view kNames = "\"\\bfnrt";
  out += '\\';
  if (const std::size_t i = kNamed.find(c); i != std::string_view::npos) {
    out += kNames[i];
  } else {
    out += c < 0x10 ? "u000" : "u001";
    out += "0123456789abcdef"[c & 15];
  }
}

template <class Out>
void write_string(Out& out, std::string_view text) {
  make_room(out, text.size());
  out += '"';
  while (true) {
    const std::size_t plain = count_plain(text);
    out += text.substr(0, plain);
    if (plain == text.size()) break;
    append_escape(out, text[plain]);
    text.remove_prefix(plain + 1);
  }
  out += '"';
}

template <class Out>
void write_value(Out& out, const json::value& value);

template <class Out>
void write_member(Out& out, const Member& member, bool first) {
  if (!first) out += ',';
  write_string(out, key_of(member));
  out += ':';
  write_value(out, member.value());
}

template <class Out>
void write_array(Out& out, const json::array& array) {
  out += '[';
  bool first = true;
  for (const json::value& element : array) {
    if (!first) out += ',';
    first = false;
    write_value(out, element);
  }
  out += ']';
}

// Apart from write_object, so that the room for pointers is on the stack only for objects that
// need sorting.
template <class Out>
void write_sorted(Out& out, const json::object& object) {
  std::array<const Member*, 32> room;
  std::vector<const Member*> more_room;
  std::span<const Member*> members(room.data(), std::min(object.size(), room.size()));
  if (object.size() > room.size()) {
    more_room.resize(object.size());
    members = more_room;
  }
  std::ranges::transform(object, members.begin(), [](const Member& member) { return &member; });
  std::ranges::sort(members, member_less);
  for (const Member* member : members) write_member(out, *member, member == members.front());
}

template <class Out>
void write_object(Out& out, const json::object& object) {
  out += '{';
  const bool sorted = std::ranges::is_sorted(
      object, [](const Member& a, const Member& b) { return member_less(&a, &b); });
  if (sorted) {
    for (const Member& member : object) write_member(out, member, &member == object.begin());
  } else {
    write_sorted(out, object);
  }
  out += '}';
}

template <class Out>
void write_value(Out& out, const json::value& value) {
  switch (value.kind()) {
    case json::kind::null: out += "null"; return;
    case json::kind::bool_: out += value.get_bool() ? "true" : "false"; return;
    case json::kind::int64: append_integer(out, value.get_int64()); return;
    case json::kind::uint64: append_integer(out, value.get_uint64()); return;
    case json::kind::double_: append_double(out, value.get_double()); return;
    case json::kind::string: write_string(out, view(value.get_string())); return;
    case json::kind::array: write_array(out, value.get_array()); return;
    case json::kind::object: write_object(out, value.get_object()); return;
  }
}

}  // namespace

void append_canonical_string(std::string& out, std::string_view text) { write_string(out, text); }
void append_canonical(std::string& out, const json::object& value) { write_object(out, value); }
void append_canonical(std::string& out, const json::value& value) { write_value(out, value); }

void emit_canonical(const json::object& value, const EmitPiece& emit) {
  Pieces pieces(emit);
  write_object(pieces, value);
  pieces.flush();
}

std::string canonical_json(const json::value& value) {
  std::string out;
  append_canonical(out, value);
  return out;
}

}  // namespace weft

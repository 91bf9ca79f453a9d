// One JSON object of an API log, taken apart by counting brackets, so that what is whole in a
// broken one is found; and what it is: an event, a response, a request, a pair of these, the
// result of a batch, or one message of a list.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/apis/anthropic/section.hpp"

namespace weft::formats::anthropic {

class Body {
 public:
  enum class Shape { event, response, request, pair, batch, message, other };

  // `text` outlives it, and begins on line `line`. What is no object has no members.
  Body(std::string_view text, std::uint64_t line);

  std::string_view text() const { return text_; }
  std::uint64_t line() const { return line_; }
  Shape shape() const;

  const std::vector<Piece>& members() const { return members_; }
  // The text of a member, the last if it is there twice; empty if it is not.
  std::string_view get(std::string_view key) const;
  bool has(std::string_view key) const { return !get(key).empty(); }
  bool has_object(std::string_view key) const { return get(key).starts_with('{'); }
  bool has_array(std::string_view key) const { return get(key).starts_with('['); }
  // A member that is a string; empty if it is anything else.
  std::optional<std::string> string(std::string_view key) const;
  // The same of at most 128 plain characters.
  std::optional<std::string> id(std::string_view key) const;
  // The body that is a member, with the line on which it begins.
  Body inner(std::string_view key) const;
  // The elements of a member that is an array, as bodies.
  std::vector<Body> elements(std::string_view key) const;
  // Those of a text that is one.
  static std::vector<Body> elements_of(std::string_view array, std::uint64_t line);

  // The time of the log, where it has one.
  std::optional<Millis> time() const;

 private:
  std::string_view text_;
  std::uint64_t line_;
  std::vector<Piece> members_;
};

// Whether `text` begins with an object that goes on beyond its first line: a document, not
// JSON lines.
bool is_over_lines(std::string_view text);

// Whether a stream has events of that type.
bool is_event(std::string_view type);
// Whether `text` is one at first sight: its type stands before all else, as nearly always.
bool begins_as_event(std::string_view text);

}  // namespace weft::formats::anthropic

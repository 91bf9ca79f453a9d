// A JSON object that may be broken or cut off: its whole members are found by counting brackets.
// Recognition uses it on the first bytes of a file, and readers of logs on single records.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/framing/json_pieces.hpp"

namespace weft::formats {

class PartialObject {
 public:
  // `text` must outlive the object and begins on line `line`. A text that is no object has no
  // members.
  PartialObject(std::string_view text, std::uint64_t line);

  std::string_view text() const { return text_; }
  std::uint64_t line() const { return line_; }

  const std::vector<JsonPiece>& members() const { return members_; }
  // The text of a member, the last one if there are several; empty if there is none.
  std::string_view get(std::string_view key) const;
  bool has(std::string_view key) const { return !get(key).empty(); }
  bool has_object(std::string_view key) const { return get(key).starts_with('{'); }
  bool has_array(std::string_view key) const { return get(key).starts_with('['); }
  // A member that is a string; empty if it is anything else.
  std::optional<std::string> string(std::string_view key) const;
  // A member that is an id, as find_id() reads it.
  std::optional<std::string> id(std::string_view key) const;
  // A member that is an object, with the line on which it begins.
  PartialObject inner(std::string_view key) const;
  // The elements of a member that is an array.
  std::vector<PartialObject> elements(std::string_view key) const;
  // The elements of `array`, a text that is an array.
  static std::vector<PartialObject> elements_of(std::string_view array, std::uint64_t line);

 private:
  std::string_view text_;
  std::uint64_t line_;
  std::vector<JsonPiece> members_;
};

}  // namespace weft::formats

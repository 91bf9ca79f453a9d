// Declares the arguments of a tool once: their JSON Schema, their check and their defaults all
// derive from it.
#pragma once

#include <cstdint>
#include <expected>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"

namespace weft::mcp {

struct Parameter {
  enum class Kind { text, whole, flag, object };
  std::string_view name;
  Kind kind = Kind::text;
  std::string_view description{};  // none if its name says it all
  bool is_required = false;
  // For texts.
  std::vector<std::string_view> one_of{};
  std::optional<std::string_view> preset_text{};
  std::size_t longest = 10'000;  // in bytes
  // For whole numbers.
  std::optional<std::int64_t> preset{};
  std::int64_t least = 0;
  std::int64_t most = std::numeric_limits<std::int32_t>::max();
};

// {"type": "object", "properties": …, "required": […], "additionalProperties": false}
//
// What a sensible call does not need to know is left out, and checked all the same: the length of a
// text, the least number, the usual largest one, a default of 0, a long list of names.
json::object to_schema(std::span<const Parameter> parameters);

// The arguments with defaults filled in, or what is wrong with them, in a sentence that names the
// argument: "limit: 0 is less than 1". An optional one that is null counts as missing; a whole
// number may be a text or 3.0, because models write it so.
std::expected<json::object, std::string> read_arguments(std::span<const Parameter> parameters,
                                                        const json::object& given);

// Reads checked arguments: each is present, or has no default.
std::string text_in(const json::object& arguments, std::string_view name);
std::optional<std::string> find_text_in(const json::object& arguments, std::string_view name);
std::uint64_t whole_in(const json::object& arguments, std::string_view name);
std::optional<std::uint64_t> find_whole_in(const json::object& arguments, std::string_view name);

}  // namespace weft::mcp

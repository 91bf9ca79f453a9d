// Parses JSON exactly and writes canonical JSON. Nothing else in weft parses or
// hashes JSON.
//
// Values are Boost.JSON's. Its own parser is not exact (12 % of random doubles
// come out wrong, a key given twice is dropped, 1e400 becomes infinity), so we
// drive its basic_parser with a handler that reads numbers from their text.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/storage_ptr.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"

namespace weft {

namespace json = boost::json;

inline constexpr std::size_t kMaxJsonDepth = 1000;
// 24 bytes each: without a limit 64 MB of "[0,0,…" would become 770 MB of values.
inline constexpr std::size_t kMaxJsonValues = 4'000'000;

// The value of a JSON text, and whether it is exact.
struct ParsedJson {
  json::value value;
  // True if the value does not hold all that the text says: a number beyond the range
  // of double (the value has the nearest finite one, or zero), an integer beyond 64
  // bits whose digits a double does not give back, or a key twice in one object (the
  // last one is in the value). Code that stores such JSON stores its text instead.
  bool inexact = false;
};

// Parses one JSON text in valid UTF-8, white space around it allowed. Integers that fit
// 64 bits become int64, or uint64 if they must; all other numbers become the double
// nearest to their text. invalid_input names the byte offset and what is wrong,
// never the text: broken UTF-8 and lone surrogates (repair_json repairs both) and
// nesting beyond kMaxJsonDepth are refused too.
// The value is allocated in `memory`, and so are copies of it and of its parts that name no other.
[[nodiscard]] Result<ParsedJson> parse_json(std::string_view text, json::storage_ptr memory = {});

// Memory for one text of about `bytes`, released all at once with the last value in it. For one
// thread at a time.
json::storage_ptr memory_for_json(std::size_t bytes);

// Writes canonical JSON: RFC 8785 (JCS) with one exception. An integer of 64 bits is
// written digit for digit, never through a double. The value has no NaN or infinity.
// (canonical_json of an object copies it into a value; append_canonical does not.)
std::string canonical_json(const json::value& value);
void append_canonical(std::string& out, const json::value& value);
void append_canonical(std::string& out, const json::object& value);
// Appends a string with its quotes, escaped as in JCS.
void append_canonical_string(std::string& out, std::string_view text);

// JSON for people: indented by two, in the order of the value, without a final line
// end. Strings and numbers are written as in the canonical form.
std::string pretty_json(const json::value& value);

// Members by name; empty if absent or of another kind. Views point into `object`.
// A double is of another kind than an integer, even where it has no fraction.
const json::value* find_member(const json::object& object, std::string_view key);
std::optional<std::string_view> find_string(const json::object& object, std::string_view key);
std::optional<std::int64_t> find_int(const json::object& object, std::string_view key);
std::optional<bool> find_bool(const json::object& object, std::string_view key);
const json::object* find_object(const json::object& object, std::string_view key);
const json::array* find_array(const json::object& object, std::string_view key);

// A count: the member if it is an integer and not negative, otherwise 0.
std::uint64_t count_or_zero(const json::object& object, std::string_view key);

inline std::string_view view(const json::string& text) { return {text.data(), text.size()}; }

}  // namespace weft

// Small parts of OpenAI's bodies, shared by both of its APIs and by the vendors that imitate
// them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/base/time.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/turn_builder.hpp"

namespace weft::formats::openai {

// Longer ids and names are not kept: a reader's state is bounded.
inline constexpr std::size_t kMaxNameBytes = 256;
// A string of at most kMaxNameBytes; "" if there is none.
std::string name_in(const json::object& object, std::string_view key);

// A member that is not null; nullptr if there is none.
const json::value* find_given(const json::object& object, std::string_view key);

// A member as an array, or as an object: made empty if it is anything else.
json::array& array_in(json::object& object, std::string_view key);
json::object& object_in(json::object& object, std::string_view key);

// Arguments of a call: JSON text that the model wrote, parsed if it is an object, else as it
// stands, since it may be broken, empty, or encoded twice. An object is returned as it is.
json::value arguments_of(const json::value* arguments);

// The counts of a "usage" object of either API. Input includes cached tokens.
transcript::Usage usage_of(const json::object& usage);

// A time in seconds, with or without a fraction, or as text. 0 is no time.
std::optional<Millis> time_of(const json::value* value);

// The citations among "annotations"; other kinds are left out.
std::vector<transcript::Citation> citations_of(const json::value* annotations);

// One part of a message's content, or the content itself if it is a string. A part of an unknown
// kind is Unknown. Empty for an empty text. The author depends on the message.
std::vector<transcript::Body> parse_part(const json::value& part);

// The result of a tool: a text, parts, or any JSON. The caller sets the call that it answers.
transcript::ToolResult parse_output(const json::value* output);

// The failure that an "error" describes: a text, or an object with a message.
transcript::Failure failure_of(const json::value& error);

// Names of the tools that a request offers.
std::vector<std::string> tool_names(const json::object& body);

// About how many bytes a value holds.
std::size_t size_of(const json::value& value);
std::size_t size_of(const json::object& object);

// "openai" if the model's name shows that OpenAI makes it; else "".
std::string provider_of(std::string_view model);

}  // namespace weft::formats::openai

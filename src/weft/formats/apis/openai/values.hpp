// Small parts that OpenAI's bodies are made of, the same in both of its APIs and in what other
// vendors made of them.
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

// Ids and names beyond this are not kept: whatever a reader remembers is bounded.
inline constexpr std::size_t kMaxNameBytes = 256;
// A string of at most kMaxNameBytes that is not empty; "" where there is none.
std::string name_in(const json::object& object, std::string_view key);

// Null where there is none, or it is null.
const json::value* find_given(const json::object& object, std::string_view key);

// The JSON text that a model wrote, as what it says if that is an object; else as it stands:
// it may be broken, empty, or encoded twice. An object is taken as it is.
json::value arguments_of(const json::value* arguments);

// What a "usage" object counts, in either API's words. Input includes what was cached.
transcript::Usage usage_of(const json::object& usage);

// Of seconds, with a fraction or none; or a text that says when. 0 is no time.
std::optional<Millis> time_of(const json::value* value);

// The citations that "annotations" list; the other kinds of these are left out.
std::vector<transcript::Citation> citations_of(const json::value* annotations);

// One part of a message's content, or the content itself where that is a text. What is of no
// known kind is Unknown. Empty for empty texts. Whose it is depends on the message.
std::vector<transcript::Body> parse_part(const json::value& part);

// What a tool gave back: a text, parts, or any JSON. Whose call it answers is for the caller to
// say.
transcript::ToolResult parse_output(const json::value* output);

// What an "error" says: a text, or an object with a message.
transcript::Failure failure_of(const json::value& error);

// Names of the tools that a request offers.
std::vector<std::string> tool_names(const json::object& body);

// About how many bytes a value holds.
std::size_t size_of(const json::value& value);
std::size_t size_of(const json::object& object);

// "openai" if that is who makes this model, as far as its name tells; else "".
std::string provider_of(std::string_view model);

}  // namespace weft::formats::openai

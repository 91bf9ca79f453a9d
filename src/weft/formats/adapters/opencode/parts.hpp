// The parts of the opencode adapter: parses one part of a message. Internal; the adapter
// itself is in adapter.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/reading/turn_builder.hpp"

namespace weft::formats::opencode {

inline constexpr std::string_view kName = "opencode";

// Whose message a part is of.
struct Voice {
  // Human, model, or program: a subagent's prompt.
  transcript::Author author = transcript::Author::model;
  bool is_summary = false;  // its words sum up what was compacted
};

struct Reading {
  std::vector<AuthoredBlock> blocks{};
  std::string skip{};                          // why it has no content, if it has none
  std::vector<transcript::Spawned> spawned{};  // the sessions that its calls started
};

// A part of the first two generations: {type, …}. A tool part is a call and its result.
Reading read_part(const json::object& part, const Voice& voice);
// Whether it will not change any more, as far as its tool goes: in a stream each part comes
// again and again.
bool is_final(const json::object& part);

// A message of the third generation: a row of `session_message`.
Reading read_row(const json::object& row, const Voice& voice);

// What went wrong, as messages and retries have it: {name, data: {message}}.
AuthoredBlock failure_of(const json::value& error);
// {input, output, reasoning, cache: {read, write}}: the input is without the cache, the output
// without the reasoning.
transcript::Usage usage_of(const json::object* tokens);
// What the provider wants back with a thought; empty if it wants nothing. `is_sealed` where it
// is the thought itself.
std::optional<std::string> signature_in(const json::object* metadata, bool& is_sealed);
// A thought, or a sealed one; empty where there is neither.
std::optional<AuthoredBlock> thought_of(std::string_view text, const json::object* metadata);
// A file: {mime, url} of the first generations, {mime, uri | data} of the third.
transcript::Attachment attachment_of(const json::object& file);

std::optional<Millis> find_time(const json::object& object, std::string_view key);

}  // namespace weft::formats::opencode

// Arranges a conversation for a new session of another tool: what its model is sent, in order.
// The tool has its own system prompt, so that of the conversation is left out, and so are failures,
// titles, and thinking that the tool's provider has not signed.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "weft/formats/writing/dialogue.hpp"

namespace weft::formats {

// What differs from tool to tool.
struct SessionRules {
  std::string_view family;    // whose signed thinking stays
  std::size_t id_bytes = 64;  // the longest id of a call
  // Whether the tool can send a person's file. Files that it cannot send are left out.
  std::function<bool(const transcript::Attachment& file)> takes;
};

// What is said in place of a result that was not recorded, and before an answer that begins the
// conversation.
inline constexpr std::string_view kNoResult = "No result of this call was recorded.";
inline constexpr std::string_view kNoBeginning = "(The conversation begins with the answer.)";

// No message of the result is empty, and none ends in thinking. What was left out is counted in
// `notes`. The dialogue points into the conversation.
Dialogue lay_out_session(const transcript::Conversation& conversation, const SessionRules& rules,
                         Notes& notes);

// The text of a block that is sent as words: a text, a compaction's summary, a file's text.
std::string_view words_in(const transcript::Block& block);
// The text of a result: its own, else its structured form.
std::string result_text(const transcript::ToolResult& result);
// The arguments of a call as an object, which is what APIs take.
json::object arguments_in(const transcript::ToolCall& call);

// A UUIDv8 from a session's id and a number: the same whenever it is made.
std::string numbered_uuid(std::string_view session, std::uint64_t number);
// A UUIDv7 of that time.
std::string new_uuid(Millis now, const std::array<std::uint8_t, 10>& random);

}  // namespace weft::formats

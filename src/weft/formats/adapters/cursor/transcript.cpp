#include "weft/formats/adapters/cursor/transcript.hpp"

#include <utility>

#include "weft/formats/adapters/cursor/prompt_text.hpp"
#include "weft/formats/apis/anthropic/blocks.hpp"

namespace weft::formats::cursor {
namespace {

using transcript::Author;

// Anthropic's block, under whichever of the names that Cursor has had for its type.
json::value normal_block(const json::value& block) {
  const json::object* object = block.if_object();
  const auto type = object == nullptr ? std::nullopt : find_string(*object, "type");
  std::string_view normal;
  if (type == "tool_call" || type == "tool-call") normal = "tool_use";
  if (type == "tool-result") normal = "tool_result";
  if (normal.empty()) return block;
  json::object renamed = *object;
  renamed["type"] = normal;
  return renamed;
}

void add_block(const json::value& block, bool is_of_model, OpenCalls& calls,
               std::vector<AuthoredBlock>& blocks) {
  anthropic::ParsedBlock parsed = anthropic::parse_block(normal_block(block));
  if (auto* text = std::get_if<transcript::Text>(&parsed.body)) {
    if (!is_of_model) {
      for (AuthoredBlock& one : parse_prompt(text->text)) blocks.push_back(std::move(one));
      return;
    }
    if (text->text.empty()) return;
    // What stands for thinking that the transcript does not show.
    if (text->text == "[REDACTED]") {
      blocks.push_back({Author::model, transcript::RedactedThinking{}});
      return;
    }
  }
  Author author = is_of_model ? Author::model : Author::program;
  if (const auto* call = std::get_if<transcript::ToolCall>(&parsed.body)) calls.add(*call);
  if (auto* result = std::get_if<transcript::ToolResult>(&parsed.body)) {
    calls.name(*result);
    author = Author::tool;
  }
  if (std::holds_alternative<transcript::Attachment>(parsed.body) && !is_of_model) {
    author = Author::human;
  }
  blocks.push_back({author, std::move(parsed.body), parsed.start, parsed.stop});
}

}  // namespace

void OpenCalls::add(const transcript::ToolCall& call) {
  constexpr std::size_t kLongestName = 256;
  if (!call.id.empty() || call.name.size() > kLongestName) return;
  names_.push_back(call.name);
  if (names_.size() > kMost) names_.pop_front();
}

void OpenCalls::name(transcript::ToolResult& result) {
  if (names_.empty()) return;
  if (result.name.empty()) result.name = names_.front();
  if (result.name == names_.front()) names_.pop_front();
}

bool is_transcript_line(const json::object& object) {
  const auto role = find_string(object, "role");
  const json::object* message = find_object(object, "message");
  return (role == "user" || role == "assistant" || role == "system") && message != nullptr &&
         message->contains("content");
}

TranscriptLine parse_transcript_line(const json::object& object, OpenCalls& calls) {
  TranscriptLine line{.is_of_model = find_string(object, "role") == "assistant", .blocks = {}};
  const json::value& content = find_object(object, "message")->at("content");
  if (const json::array* blocks = content.if_array()) {
    for (const json::value& block : *blocks) add_block(block, line.is_of_model, calls, line.blocks);
  } else if (!content.is_null()) {
    add_block(content, line.is_of_model, calls, line.blocks);
  }
  if (find_string(object, "role") == "system") {
    for (AuthoredBlock& authored : line.blocks) authored.author = Author::program;
  }
  return line;
}

}  // namespace weft::formats::cursor

#include "weft/formats/writing/openai_messages.hpp"

#include <algorithm>
#include <utility>

#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/writing/dialogue.hpp"
#include "weft/formats/writing/openai_message_parts.hpp"

namespace weft::formats::openai {
namespace {

using transcript::Author;
using transcript::Block;
using transcript::Conversation;
using transcript::Role;
using transcript::Text;
using transcript::ToolCall;
using transcript::ToolResult;

// The format whose conversations come back as they were: the log of OpenAI's APIs.
constexpr std::string_view kOwnFormat = "openai";
constexpr std::string_view kNoResult = "No result of this call was recorded.";
constexpr std::size_t kMaxIdBytes = 40;

// A single text is a string; anything else is a list.
json::value content_of(json::array parts) {
  if (parts.size() == 1 && find_string(parts.front().get_object(), "type") == "text") {
    return parts.front().at("text");
  }
  return parts;
}

std::optional<std::string_view> role_in(const Block& block) {
  return block.extra ? find_string(*block.extra, "role") : std::nullopt;
}

class ChatWriter {
 public:
  explicit ChatWriter(const Conversation& conversation)
      : conversation_(conversation), is_own_(conversation.heading.format == kOwnFormat) {}

  Result<Written> write() {
    const Dialogue dialogue =
        lay_out(conversation_,
                {.side_of = [this](const Block& block, Role turn) { return side_of(block, turn); },
                 .id_bytes = kMaxIdBytes});
    notes_.count("call without a result: a note takes its place", dialogue.unanswered);
    notes_.count("result without its call, left out", dialogue.stray);
    for (const Block* block : dialogue.system) add_words(*block);
    for (const Dialogue::Message& message : dialogue.messages) {
      if (message.side == Side::assistant) add_answer(message);
      else if (message.side == Side::user) add_input(message);
      else
        for (const Dialogue::AuthoredBlock& authored : message.blocks) add_words(*authored.block);
    }
    if (messages_.empty()) {
      return fail(ErrorCode::invalid_input, "writing a request: nothing in it can be sent");
    }
    json::object request;
    json::array tools = definitions();
    request["messages"] = std::move(messages_);
    if (!tools.empty()) request["tools"] = std::move(tools);
    Written written;
    anthropic::append_json(written.text, request);
    written.text += '\n';
    written.notes = notes_.lines();
    return written;
  }

 private:
  Side side_of(const Block& block, Role turn) {
    if (const auto* text = std::get_if<Text>(&block.body)) {
      if (text->text.empty()) return Side::nowhere;
      if (block.author == Author::model) return Side::assistant;
      if (block.author == Author::human || role_in(block) == "user") return Side::user;
      // The prompt of a subagent comes from its user.
      if (!is_own_ && conversation_.heading.source != "primary") return Side::user;
      return turn == Role::system && !is_own_ ? Side::system : Side::apart;
    }
    if (is<ToolCall>(block)) return Side::assistant;
    if (const auto* file = std::get_if<transcript::Attachment>(&block.body)) {
      if (block.author == Author::human && attachment_part(*file)) return Side::user;
      notes_.count(block.author == Author::human ? "file that the API has no place for, left out"
                                                 : "file that is not of the user's, left out");
      return Side::nowhere;
    }
    if (const auto* compaction = std::get_if<transcript::Compaction>(&block.body)) {
      return compaction->summary.empty() ? Side::nowhere : Side::user;
    }
    notes_.count(what_is(block));
    return Side::nowhere;
  }

  static std::string_view what_is(const Block& block) {
    if (is<transcript::Thinking>(block) || is<transcript::RedactedThinking>(block)) {
      return "thinking, left out";
    }
    if (is<transcript::Failure>(block)) return "error of the provider's, left out";
    if (is<transcript::Summary>(block)) return "title or summary, left out";
    return "block of a kind that the API does not know, left out";
  }

  // Of a program: a message of its own.
  void add_words(const Block& block) {
    messages_.push_back(json::object{{"role", role_in(block).value_or("system")},
                                     {"content", std::get<Text>(block.body).text}});
  }

  void add_answer(const Dialogue::Message& message) {
    json::array parts, calls;
    for (const Dialogue::AuthoredBlock& authored : message.blocks) {
      if (const auto* text = std::get_if<Text>(&authored.block->body)) {
        parts.push_back(text_part(text->text));
      } else {
        calls.push_back(call_json(*authored.block, authored.call_id));
      }
    }
    json::object answer{{"role", "assistant"}};
    if (!parts.empty()) answer["content"] = content_of(std::move(parts));
    if (!calls.empty()) answer["tool_calls"] = std::move(calls);
    messages_.push_back(std::move(answer));
  }

  void add_input(const Dialogue::Message& message) {
    json::array parts;
    for (const Dialogue::AuthoredBlock& authored : message.blocks) {
      if (authored.block == nullptr) {
        messages_.push_back(json::object{
            {"role", "tool"}, {"tool_call_id", authored.call_id}, {"content", kNoResult}});
      } else if (const auto* result = std::get_if<ToolResult>(&authored.block->body)) {
        bool left_out = false;
        messages_.push_back(result_message(*result, authored.call_id, left_out));
        if (left_out) notes_.count("part of a result that is not text, left out");
      } else if (const auto* text = std::get_if<Text>(&authored.block->body)) {
        parts.push_back(text_part(text->text));
      } else if (const auto* file = std::get_if<transcript::Attachment>(&authored.block->body)) {
        parts.push_back(*attachment_part(*file));
      } else {
        parts.push_back(text_part(std::get<transcript::Compaction>(authored.block->body).summary));
      }
    }
    if (parts.empty()) return;
    messages_.push_back(json::object{{"role", "user"}, {"content", content_of(std::move(parts))}});
  }

  json::array definitions() {
    json::array tools;
    for (const json::value& tool : conversation_.facts.tool_definitions) {
      if (auto one = tool_json(tool)) tools.push_back(std::move(*one));
      else notes_.count("tool that another provider runs, left out");
    }
    return tools;
  }

  const Conversation& conversation_;
  const bool is_own_;
  Notes notes_;
  json::array messages_;
};

}  // namespace

Result<Written> write_messages(const Conversation& conversation) {
  return ChatWriter(conversation).write();
}

}  // namespace weft::formats::openai

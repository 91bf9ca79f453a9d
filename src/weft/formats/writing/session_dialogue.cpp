#include "weft/formats/writing/session_dialogue.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "weft/base/hex.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats {
namespace {

using transcript::Attachment;
using transcript::Author;
using transcript::Block;
using transcript::Compaction;
using transcript::RedactedThinking;
using transcript::Role;
using transcript::Text;
using transcript::Thinking;
using transcript::ToolCall;
using transcript::ToolResult;

bool is_thinking(const Block& block) { return is<Thinking>(block) || is<RedactedThinking>(block); }

class SessionLayout {
 public:
  SessionLayout(const transcript::Conversation& conversation, const SessionRules& rules,
                Notes& notes)
      : conversation_(conversation), rules_(rules), notes_(notes) {}

  Dialogue lay_out() {
    Dialogue dialogue = formats::lay_out(
        conversation_,
        {.side_of = [this](const Block& block, Role turn) { return side_of(block, turn); },
         .id_bytes = rules_.id_bytes});
    notes_.count("call without a result: an error takes its place", dialogue.unanswered);
    notes_.count("result without its call, left out", dialogue.stray);
    for (Dialogue::Message& message : dialogue.messages) end_thoughts(message);
    std::erase_if(dialogue.messages,
                  [](const Dialogue::Message& message) { return message.blocks.empty(); });
    return dialogue;
  }

 private:
  Side side_of(const Block& block, Role turn) {
    if (is<Text>(block)) return side_of_words(block, turn);
    if (is_thinking(block)) return is_ours(block) ? Side::assistant : Side::nowhere;
    if (is<ToolCall>(block) || is<ToolResult>(block)) return Side::assistant;
    if (const auto* compaction = std::get_if<Compaction>(&block.body)) {
      return compaction->summary.empty() ? Side::nowhere : Side::user;
    }
    if (const auto* file = std::get_if<Attachment>(&block.body)) {
      if (block.author == Author::human && rules_.takes(*file)) return Side::user;
      notes_.count("file, left out");
      return Side::nowhere;
    }
    if (is<transcript::Failure>(block)) notes_.count("error of the provider's, left out");
    else if (is<transcript::Summary>(block)) notes_.count("title or summary, left out");
    else notes_.count("block of a kind that the tool does not know, left out");
    return Side::nowhere;
  }

  Side side_of_words(const Block& block, Role turn) {
    // APIs refuse texts without words.
    if (trim(std::get<Text>(block.body).text).empty()) return Side::nowhere;
    if (block.author == Author::model) return Side::assistant;
    const bool is_prompt = turn == Role::system && block.author == Author::program &&
                           conversation_.heading.source == "primary";
    if (!is_prompt) return Side::user;
    notes_.count("text of another tool's system prompt, left out");
    return Side::nowhere;
  }

  // Thinking goes back only to the provider that signed it.
  bool is_ours(const Block& block) {
    const auto* thinking = std::get_if<Thinking>(&block.body);
    const auto* redacted = std::get_if<RedactedThinking>(&block.body);
    const bool is_signed = (thinking != nullptr && thinking->signature) ||
                           (redacted != nullptr && !redacted->data.empty());
    if (!is_signed) {
      notes_.count("unsigned thinking, left out");
      return false;
    }
    if (conversation_.heading.family == rules_.family) return true;
    notes_.count("thinking signed by another provider, left out");
    return false;
  }

  // The API refuses an answer that ends in thinking.
  void end_thoughts(Dialogue::Message& message) {
    while (message.side == Side::assistant && !message.blocks.empty() &&
           is_thinking(*message.blocks.back().block)) {
      message.blocks.pop_back();
      notes_.count("thinking that nothing follows, left out");
    }
  }

  const transcript::Conversation& conversation_;
  const SessionRules& rules_;
  Notes& notes_;
};

std::string uuid_of(std::span<std::uint8_t, 16> bytes, std::uint8_t version) {
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0F) | (version << 4));
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3F) | 0x80);
  std::string text = to_hex(bytes);
  for (const std::size_t at : {20U, 16U, 12U, 8U}) text.insert(at, 1, '-');
  return text;
}

}  // namespace

Dialogue lay_out_session(const transcript::Conversation& conversation, const SessionRules& rules,
                         Notes& notes) {
  return SessionLayout(conversation, rules, notes).lay_out();
}

std::string_view words_in(const Block& block) {
  if (const auto* text = std::get_if<Text>(&block.body)) return text->text;
  if (const auto* compaction = std::get_if<Compaction>(&block.body)) return compaction->summary;
  const auto* file = std::get_if<Attachment>(&block.body);
  return file != nullptr && file->text ? std::string_view(*file->text) : std::string_view();
}

std::string result_text(const ToolResult& result) {
  if (!result.text.empty() || result.parts || !result.details) return result.text;
  return canonical_json(*result.details);
}

json::object arguments_in(const ToolCall& call) {
  if (const json::object* input = call.input.if_object()) return *input;
  if (call.input.is_null()) return {};
  return {{"input", call.input}};
}

std::string numbered_uuid(std::string_view session, std::uint64_t number) {
  const std::string name = std::string(session) + '#' + std::to_string(number);
  Digest digest = crypto::blake3(name);
  return uuid_of(std::span(digest).first<16>(), 8);
}

std::string new_uuid(Millis now, const std::array<std::uint8_t, 10>& random) {
  std::array<std::uint8_t, 16> bytes{};
  for (std::size_t i = 0; i < 6; ++i) {
    bytes[i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(now) >> (40 - 8 * i));
  }
  std::ranges::copy(random, bytes.begin() + 6);
  return uuid_of(bytes, 7);
}

}  // namespace weft::formats

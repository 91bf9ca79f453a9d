#include "weft/formats/writing/anthropic_messages.hpp"

#include <algorithm>
#include <utility>

#include "weft/formats/apis/anthropic/api_block.hpp"
#include "weft/formats/writing/anthropic_message_parts.hpp"
#include "weft/formats/writing/session_dialogue.hpp"

namespace weft::formats::anthropic {
namespace {

// The format whose conversations come back block for block: the log of this API.
constexpr std::string_view kOwnFormat = "anthropic-messages";

using transcript::Author;
using transcript::Block;
using transcript::Conversation;
using transcript::Role;
using transcript::Text;
using transcript::Thinking;
using transcript::ToolCall;
using transcript::ToolResult;
using transcript::Unknown;

// A message to be written: its blocks, each as JSON text.
struct Outgoing {
  Side side = Side::user;
  struct Piece {
    std::string json;
    bool is_thinking = false;
  };
  std::vector<Piece> pieces{};
};

class MessagesWriter {
 public:
  explicit MessagesWriter(const Conversation& conversation)
      : conversation_(conversation), is_own_(conversation.heading.format == kOwnFormat) {}

  Result<Written> write() {
    const Dialogue dialogue =
        lay_out(conversation_,
                {.side_of = [this](const Block& block, Role turn) { return side_of(block, turn); },
                 .stays = is_server_side,
                 .call_in = hidden_call,
                 .id_bytes = 256});
    notes_.count("call without a result: an error takes its place", dialogue.unanswered);
    notes_.count("result without its call, left out", dialogue.stray);
    for (const Dialogue::Message& message : dialogue.messages) add(message);
    end_thoughts();
    if (messages_.empty()) {
      return fail(ErrorCode::invalid_input, "writing a request: nothing in it can be sent");
    }
    if (messages_.front().side == Side::assistant) {
      notes_.count("message of the user's made up: a conversation begins with one");
      messages_.insert(messages_.begin(), {Side::user, {{text_json(kNoBeginning)}}});
    }
    std::string out = "{";
    append_system(out, dialogue.system);
    append_tools(out);
    append_messages(out);
    return Written{.text = out + "}\n", .notes = notes_.lines()};
  }

 private:
  static std::string text_json(std::string_view text) {
    std::string out;
    append_json(out, json::object{{"type", "text"}, {"text", text}});
    return out;
  }

  // A call of which only the text is exact.
  static std::optional<ToolCall> hidden_call(const Block& block) {
    const auto* unknown = std::get_if<Unknown>(&block.body);
    if (unknown == nullptr || unknown->block_type != "tool_use") return std::nullopt;
    const auto object = unknown_json(*unknown);
    const auto id = object ? find_string(*object, "id") : std::nullopt;
    if (!id) return std::nullopt;
    return ToolCall{.id = std::string(*id), .name = {}, .input = {}};
  }

  Side side_of(const Block& block, Role turn) {
    if (is<Text>(block)) return side_of_words(block, turn);
    if (is<Thinking>(block) || is<transcript::RedactedThinking>(block)) {
      return is_ours(block) ? Side::assistant : Side::nowhere;
    }
    if (is<ToolCall>(block) || is<ToolResult>(block)) return Side::assistant;
    if (is<transcript::Attachment>(block)) return side_of_file(block);
    if (is<transcript::Compaction>(block)) return is_own_ ? Side::assistant : Side::user;
    if (const auto* unknown = std::get_if<Unknown>(&block.body)) {
      // Sealed to the reader, or empty.
      if (!unknown->raw_text && unknown->raw.is_null()) return Side::nowhere;
      if (is_own_) return block.author == Author::model ? Side::assistant : Side::user;
      notes_.count("block of a kind that the API does not know, left out");
    }
    if (is<transcript::Failure>(block)) notes_.count("error of the provider's, left out");
    if (is<transcript::Summary>(block)) notes_.count("title or summary, left out");
    return Side::nowhere;
  }

  Side side_of_words(const Block& block, Role turn) const {
    if (std::get<Text>(block.body).text.empty()) return Side::nowhere;
    if (block.author == Author::model) return Side::assistant;
    if (block.author == Author::human) return Side::user;
    if (is_own_) {
      const auto role = block.extra ? find_string(*block.extra, "role") : std::nullopt;
      if (!role) return Side::system;
      return *role == "system" ? Side::apart : Side::user;
    }
    // The prompt of a subagent comes from its user.
    const bool is_prompt = turn == Role::system && conversation_.heading.source == "primary";
    return is_prompt ? Side::system : Side::user;
  }

  Side side_of_file(const Block& block) {
    const auto& file = std::get<transcript::Attachment>(block.body);
    if (block.author == Author::human && (is_own_ || foreign_attachment(file))) return Side::user;
    notes_.count(block.author == Author::human ? "file that the API has no place for, left out"
                                               : "file that is not of the user's, left out");
    return Side::nowhere;
  }

  // Thinking goes back only to the provider that signed it.
  bool is_ours(const Block& block) {
    const auto* thinking = std::get_if<Thinking>(&block.body);
    const auto* redacted = std::get_if<transcript::RedactedThinking>(&block.body);
    if (redacted != nullptr && redacted->data.empty()) return false;
    if (thinking != nullptr && !thinking->signature) {
      if (!thinking->text.empty()) notes_.count("unsigned thinking, left out");
      return false;
    }
    const transcript::Heading& heading = conversation_.heading;
    const bool is_claude = block.model && block.model->find("claude") != std::string::npos &&
                           heading.format != "copilot";
    if (heading.family == "anthropic" || is_claude) return true;
    notes_.count("thinking signed by another provider, left out");
    return false;
  }

  void add(const Dialogue::Message& message) {
    Outgoing out{.side = message.side};
    for (const Dialogue::AuthoredBlock& authored : message.blocks) {
      std::string text =
          authored.block == nullptr ? no_result(authored.call_id) : json_of(authored);
      if (text.empty()) continue;
      const bool is_thinking =
          authored.block != nullptr &&
          (is<Thinking>(*authored.block) || is<transcript::RedactedThinking>(*authored.block));
      out.pieces.push_back({std::move(text), is_thinking});
    }
    if (out.pieces.empty()) return;
    if (!messages_.empty() && messages_.back().side == out.side && out.side != Side::apart) {
      std::ranges::move(out.pieces, std::back_inserter(messages_.back().pieces));
    } else {
      messages_.push_back(std::move(out));
    }
  }

  // An assistant message must not end in thinking. If it has nothing else, the messages around it
  // become one.
  void end_thoughts() {
    std::vector<Outgoing> all = std::move(messages_);
    messages_.clear();
    for (Outgoing& one : all) {
      while (one.side == Side::assistant && !one.pieces.empty() && one.pieces.back().is_thinking) {
        one.pieces.pop_back();
        notes_.count("thinking that nothing follows, left out");
      }
      if (one.pieces.empty()) continue;
      if (!messages_.empty() && messages_.back().side == one.side && one.side != Side::apart) {
        std::ranges::move(one.pieces, std::back_inserter(messages_.back().pieces));
      } else {
        messages_.push_back(std::move(one));
      }
    }
  }

  static std::string no_result(std::string_view call_id) {
    std::string out;
    append_json(out, missing_result(call_id));
    return out;
  }

  std::string json_of(const Dialogue::AuthoredBlock& authored) const {
    const Block& block = *authored.block;
    const auto* unknown = std::get_if<Unknown>(&block.body);
    if (unknown != nullptr && unknown->raw_text) return *unknown->raw_text;
    std::optional<json::object> object =
        is_own_ ? to_api_block(block, authored.call_id) : foreign_block(block, authored.call_id);
    std::string out;
    if (object) append_json(out, *object);
    return out;
  }

  // Of a prompt that changed during the conversation: the last version.
  std::vector<const Block*> last_prompt(const std::vector<const Block*>& authored) const {
    if (!is_own_) return authored;
    std::vector<const Block*> parts;
    for (const Block* block : authored) {
      const auto part = block->extra ? find_int(*block->extra, "part") : std::nullopt;
      const auto count = block->extra ? find_int(*block->extra, "parts") : std::nullopt;
      constexpr std::int64_t kMost = 100'000;
      if (!part || !count || *part < 0 || *part >= *count || *count > kMost) {
        parts = {block};
        continue;
      }
      parts.resize(static_cast<std::size_t>(*count), nullptr);
      parts[static_cast<std::size_t>(*part)] = block;
    }
    std::erase(parts, nullptr);
    return parts;
  }

  void append_system(std::string& out, const std::vector<const Block*>& authored) const {
    json::array parts;
    for (const Block* block : last_prompt(authored)) {
      if (auto part = to_api_block(*block, "")) parts.push_back(std::move(*part));
    }
    if (parts.empty()) return;
    out += "\"system\":";
    const bool is_plain = parts.size() == 1 && parts.front().get_object().size() == 2;
    append_json(out, is_plain ? parts.front().at("text") : json::value(parts));
    out += ',';
  }

  void append_tools(std::string& out) {
    json::array tools;
    for (const json::value& tool : conversation_.facts.tool_definitions) {
      if (auto ours = tool_definition(tool)) tools.push_back(std::move(*ours));
      else notes_.count("tool that another provider runs, left out");
    }
    if (tools.empty()) return;
    out += "\"tools\":";
    append_json(out, tools);
    out += ',';
  }

  void append_messages(std::string& out) const {
    out += "\"messages\":[";
    for (const Outgoing& message : messages_) {
      if (&message != &messages_.front()) out += ',';
      const std::string_view role = message.side == Side::assistant ? "assistant"
                                    : message.side == Side::user    ? "user"
                                                                    : "system";
      out.append("{\"role\":\"").append(role).append("\",\"content\":[");
      for (const Outgoing::Piece& piece : message.pieces) {
        if (&piece != &message.pieces.front()) out += ',';
        out += piece.json;
      }
      out += "]}";
    }
    out += ']';
  }

  const Conversation& conversation_;
  const bool is_own_;
  Notes notes_;
  std::vector<Outgoing> messages_;
};

}  // namespace

Result<Written> write_messages(const Conversation& conversation) {
  return MessagesWriter(conversation).write();
}

}  // namespace weft::formats::anthropic

#include "weft/formats/adapters/cline/message.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "weft/formats/adapters/cline/calls.hpp"
#include "weft/formats/adapters/cline/user.hpp"
#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::cline {
namespace {

using transcript::Author;
using transcript::Thinking;
using transcript::Usage;

void append_line(std::string& text, std::string_view more) {
  if (!text.empty()) text += '\n';
  text += more;
}

// {type:"reasoning", text, summary[{text}], encrypted_content}: Roo's, as an item of its own or
// as a block; and {type:"thinking", text} of sessions.
std::optional<AuthoredBlock> parse_reasoning(const json::object& block) {
  Thinking thinking;
  for (const std::string_view key : {"thinking", "text"}) {
    if (thinking.text.empty()) thinking.text = find_string(block, key).value_or("");
  }
  if (const json::array* summary = find_array(block, "summary")) {
    for (const json::value& part : *summary) {
      const json::object* object = part.if_object();
      const auto text = object == nullptr ? std::nullopt : find_string(*object, "text");
      if (text) thinking.summaries.emplace_back(*text);
    }
  }
  const auto encrypted = find_string(block, "encrypted_content");
  const auto signature = encrypted ? encrypted : find_string(block, "signature");
  const bool is_opaque = thinking.text.empty() && thinking.summaries.empty();
  if (is_opaque && encrypted) {
    return AuthoredBlock{Author::model, transcript::RedactedThinking{std::string(*encrypted)}};
  }
  if (is_opaque && !signature) return std::nullopt;
  if (signature && !signature->empty()) thinking.signature = std::string(*signature);
  return AuthoredBlock{Author::model, std::move(thinking)};
}

// The thinking that a message has beside its content: emitted if the content has none.
std::optional<AuthoredBlock> parse_outer_reasoning(const json::object& object) {
  Thinking thinking;
  thinking.text = find_string(object, "reasoning_content").value_or("");
  const json::array* details = find_array(object, "reasoning_details");
  if (thinking.text.empty() && details != nullptr) {
    for (const json::value& detail : *details) {
      const json::object* one = detail.if_object();
      if (one == nullptr) continue;
      if (const auto text = find_string(*one, "text")) append_line(thinking.text, *text);
      if (const auto text = find_string(*one, "summary")) thinking.summaries.emplace_back(*text);
      if (const auto sign = find_string(*one, "signature")) thinking.signature = *sign;
    }
  }
  if (thinking.text.empty() && thinking.summaries.empty()) return std::nullopt;
  return AuthoredBlock{Author::model, std::move(thinking)};
}

bool is_thinking(const AuthoredBlock& block) {
  return std::holds_alternative<Thinking>(block.body) ||
         std::holds_alternative<transcript::RedactedThinking>(block.body);
}

void add_model_block(const json::value& block, Era era, std::vector<AuthoredBlock>& blocks) {
  const json::object* object = block.if_object();
  const auto type = object == nullptr ? std::nullopt : find_string(*object, "type");
  if (type == "reasoning" || type == "thinking") {
    if (auto thinking = parse_reasoning(*object)) blocks.push_back(*std::move(thinking));
    return;
  }
  anthropic::ParsedBlock parsed = anthropic::parse_block(block);
  const auto* text = std::get_if<transcript::Text>(&parsed.body);
  if (text != nullptr && era == Era::task) {
    for (AuthoredBlock& one : parse_model_text(text->text)) blocks.push_back(std::move(one));
    return;
  }
  const bool is_result = std::holds_alternative<transcript::ToolResult>(parsed.body);
  blocks.push_back({is_result ? Author::tool : Author::model, std::move(parsed.body), parsed.start,
                    parsed.stop});
}

std::vector<AuthoredBlock> parse_model_content(const json::object& object, Era era) {
  std::vector<AuthoredBlock> blocks;
  const json::value* content = find_member(object, "content");
  if (content != nullptr && content->is_array()) {
    for (const json::value& block : content->get_array()) add_model_block(block, era, blocks);
  } else if (content != nullptr && !content->is_null()) {
    add_model_block(*content, era, blocks);
  }
  if (std::ranges::none_of(blocks, is_thinking)) {
    if (auto thinking = parse_outer_reasoning(object)) {
      blocks.insert(blocks.begin(), *std::move(thinking));
    }
  }
  return blocks;
}

// A condensed history, or the mark where messages were left out of it.
bool is_compaction(const json::object& object) {
  if (find_bool(object, "isSummary") == true) return true;
  if (find_bool(object, "isTruncationMarker") == true) return true;
  const json::object* metadata = find_object(object, "metadata");
  return metadata != nullptr && find_string(*metadata, "kind") == "compaction_summary";
}

// All its texts are the summary; what else is in it stays as it is.
std::vector<AuthoredBlock> parse_compaction(const json::object& object) {
  std::vector<AuthoredBlock> authored;
  transcript::Compaction compaction;
  const json::value* content = find_member(object, "content");
  json::array blocks;
  if (content != nullptr && content->is_array()) {
    blocks = content->get_array();
  } else if (content != nullptr && !content->is_null()) {
    blocks.push_back(*content);
  }
  for (const json::value& block : blocks) {
    anthropic::ParsedBlock parsed = anthropic::parse_block(block);
    if (const auto* text = std::get_if<transcript::Text>(&parsed.body)) {
      append_line(compaction.summary, text->text);
    } else {
      add_model_block(block, Era::session, authored);
    }
  }
  authored.insert(authored.begin(), AuthoredBlock{Author::model, std::move(compaction)});
  return authored;
}

// Cline's {tokens:{prompt,completion,cached}} of tasks, {inputTokens,…} of sessions.
std::optional<Usage> parse_usage(const json::object& object) {
  const json::object* metrics = find_object(object, "metrics");
  if (metrics == nullptr) return std::nullopt;
  if (const json::object* tokens = find_object(*metrics, "tokens")) {
    return Usage{.input = find_int(*tokens, "prompt").value_or(0),
                 .output = find_int(*tokens, "completion").value_or(0),
                 .cache_read = find_int(*tokens, "cached").value_or(0)};
  }
  return Usage{.input = find_int(*metrics, "inputTokens").value_or(0),
               .output = find_int(*metrics, "outputTokens").value_or(0),
               .cache_read = find_int(*metrics, "cacheReadTokens").value_or(0),
               .cache_write = find_int(*metrics, "cacheWriteTokens").value_or(0)};
}

std::optional<std::string> parse_model(const json::object& object) {
  const json::object* info = find_object(object, "modelInfo");
  if (info == nullptr) return std::nullopt;
  for (const std::string_view key : {"id", "modelId"}) {
    if (const auto name = find_name(*info, key)) return std::string(*name);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Message> parse_message(const json::object& object, Era era) {
  const auto role = find_string(object, "role");
  const bool is_reasoning = find_string(object, "type") == "reasoning";
  if (!is_reasoning && role != "user" && role != "assistant" && role != "system") {
    return std::nullopt;
  }
  Message message{.blocks = {},
                  .is_of_model = role == "assistant" && !is_reasoning,
                  .is_of_the_next = is_reasoning,
                  .id = {},
                  .time = find_moment(object, "ts"),
                  .model = parse_model(object),
                  .usage = parse_usage(object),
                  .directory = {}};
  if (const auto id = find_name(object, "id"); id && !id->starts_with('#')) message.id = *id;
  if (is_reasoning) {
    if (auto thinking = parse_reasoning(object)) message.blocks.push_back(*std::move(thinking));
  } else if (is_compaction(object)) {
    message.blocks = parse_compaction(object);
  } else if (message.is_of_model) {
    message.blocks = parse_model_content(object, era);
  } else {
    UserContent content = parse_user_content(object, era);
    message.blocks = std::move(content.blocks);
    message.directory = std::move(content.directory);
  }
  return message;
}

}  // namespace weft::formats::cline

// The messages of a design chat: {uuid, role, created_at, content: {content, contentBlocks[],
// attachments[], kind, pill}}. Calls carry their output with them; a person may break in.
#include <utility>

#include "weft/formats/adapters/claude_export/claude_export.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::claude_export {
namespace {

using transcript::Attachment;
using transcript::Author;
using transcript::Text;
using transcript::Unknown;

// {type, name, content, path}. Hidden ones are the program's.
void add_attachments(const json::object& authored, Author author, std::uint64_t line,
                     BlockList& blocks) {
  const json::array* list = find_array(authored, "attachments");
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const json::object* object = (*list)[i].if_object();
    if (object == nullptr) {
      blocks.leave_out(kEmptyBlock, line);
      continue;
    }
    Attachment attachment{.name = find_words(*object, "name"),
                          .text = find_words(*object, "content"),
                          .reference = find_words(*object, "path")};
    const std::string type = find_words(*object, "type").value_or("");
    attachment.kind = type == "image" ? type : attachment.text ? "document" : "file";
    json::object extra = *object;
    for (const std::string_view key : {"type", "name", "content", "path", "id"}) extra.erase(key);
    if (!type.empty() && type != attachment.kind) extra["type"] = type;  // "skill", "comment"
    if (!extra.empty()) attachment.extra = std::move(extra);
    const bool is_hidden = find_bool(*object, "hidden").value_or(false);
    blocks.add(is_hidden ? Author::program : author, std::move(attachment));
  }
}

// A call, and what came of it.
void add_call(const json::object& call, BlockList& blocks) {
  transcript::ToolCall request{.id = find_words(call, "id").value_or(""),
                               .name = find_words(call, "name").value_or("")};
  if (const json::value* input = find_member(call, "input")) request.input = *input;
  transcript::ToolResult result{.call_id = request.id, .name = request.name};
  blocks.add(Author::model, std::move(request));
  const json::value* output = find_member(call, "output");
  if (output == nullptr || output->is_null()) return;
  if (const json::string* text = output->if_string()) result.text = std::string(view(*text));
  else result.details = *output;
  blocks.add(Author::tool, std::move(result));
}

bool add_design_block(const json::object& block, Author sender, std::uint64_t line,
                      BlockList& blocks) {
  const std::string type = find_words(block, "type").value_or("");
  if (const auto text = find_words(block, "text"); text && type == "thinking") {
    blocks.add(Author::model, transcript::Thinking{.text = *text});
    return true;
  }
  if (const json::object* call = find_object(block, "toolCall"); call && type == "tool_call") {
    add_call(*call, blocks);
    return true;
  }
  if (const auto words = find_words(block, "message"); words && type == "error") {
    blocks.add(Author::program, transcript::Failure{.text = *words});
    return true;
  }
  if (type == "user_interjection") {
    const json::object* message = find_object(block, "message");
    auto words =
        message == nullptr ? find_words(block, "message") : find_words(*message, "content");
    if (words) add_text({.text = std::move(*words)}, Author::human, {}, {}, blocks);
    if (message != nullptr) add_attachments(*message, Author::human, line, blocks);
    return words || message != nullptr;
  }
  if (const json::value raw(block); type == "thinking" || type == "tool_call") {
    blocks.add(sender, Unknown{.block_type = type, .raw = raw});
    return true;
  }
  return false;
}

void add_block(const json::object& authored, Author sender, std::uint64_t line, BlockList& blocks) {
  const json::array* list = find_array(authored, "contentBlocks");
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    if (i == kMaxBlocks) {
      blocks.leave_out("too large: too many blocks", line);
      break;
    }
    const json::object* block = (*list)[i].if_object();
    if (block != nullptr && add_design_block(*block, sender, line, blocks)) continue;
    add_block((*list)[i], sender, line, blocks);
  }
  const std::string kind = find_words(authored, "kind").value_or("");
  if (auto words = find_words(authored, "content"); words && blocks.empty()) {
    blocks.start_over();
    if (kind == "chat-summary") blocks.add(Author::model, transcript::Compaction{*words});
    else add_text({.text = std::move(*words)}, sender, {}, {}, blocks);
  }
  add_attachments(authored, sender, line, blocks);
  // A question asked by the program's own means, and the like.
  if (blocks.empty() && !kind.empty() && kind != "chat") {
    blocks.start_over();
    blocks.add(sender, Unknown{.block_type = kind, .raw = authored});
  }
}

}  // namespace

std::optional<Message> parse_design_message(const Item& text, transcript::Sink& sink) {
  const auto parsed = parse_or_skip(text.text, text.line, sink);
  if (!parsed) return std::nullopt;
  if (parsed->value.is_null()) {
    sink.skip({text.line, "empty"});
    return std::nullopt;
  }
  const json::object* object = parsed->value.if_object();
  const auto role = object == nullptr
                        ? std::nullopt
                        : anthropic::role_of(find_words(*object, "role").value_or(""));
  if (!role) {
    sink.skip({text.line, "malformed: a message without a role"});
    return std::nullopt;
  }
  const json::object* authored = find_object(*object, "content");
  const bool is_notice = authored != nullptr && find_bool(*authored, "pill").value_or(false);
  Message message{.id = find_words(*object, "uuid").value_or(""),
                  .recorded = find_time(*object, "created_at")};
  message.sender = *role == transcript::Role::assistant             ? Author::model
                   : *role == transcript::Role::human && !is_notice ? Author::human
                                                                    : Author::program;
  if (!message.recorded && authored != nullptr)
    message.recorded = find_time(*authored, "timestamp");
  if (authored != nullptr && !is_notice)
    message.account = find_words(*authored, "authorAccountUuid");

  BlockList blocks;
  if (parsed->inexact) {
    blocks.add(message.sender, anthropic::unknown_from_text(parsed->value, text.text));
  } else if (authored != nullptr) {
    add_block(*authored, message.sender, text.line, blocks);
  } else if (const json::value* content = find_member(*object, "content")) {
    add_block(*content, message.sender, text.line, blocks);
  }
  blocks.emit_skips(text.line, sink);
  message.blocks = blocks.take();
  return message;
}

}  // namespace weft::formats::claude_export

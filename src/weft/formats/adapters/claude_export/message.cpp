// One message of a claude.ai chat: its content, or its text where that says nothing, and what
// was attached to it.
#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/adapters/claude_export/claude_export.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::claude_export {
namespace {

using transcript::Author;

constexpr std::string_view kContent = "content";

// Who speaks; empty for a message that does not say.
std::optional<Author> parse_sender(const json::object& message) {
  const auto sender = find_words(message, "sender");
  if (!sender) return std::nullopt;
  const auto role = anthropic::role_of(*sender);
  if (role == transcript::Role::human) return Author::human;
  if (role == transcript::Role::assistant) return Author::model;
  return Author::program;
}

void add_content(const json::value& content, Author sender, std::uint64_t line, BlockList& blocks) {
  const json::array* array = content.if_array();
  if (array == nullptr) {
    if (!content.is_null()) add_block(content, sender, line, blocks);
    return;
  }
  const std::size_t count = std::min<std::size_t>(array->size(), kMaxBlocks);
  for (std::size_t i = 0; i < count; ++i) add_block((*array)[i], sender, line, blocks);
  if (count < array->size()) blocks.leave_out("too large: too many blocks", line);
}

// Content that is broken, or that no value can hold: each of its blocks for itself.
void add_pieces(const Item& content, Author sender, BlockList& blocks, transcript::Sink& sink) {
  for (const JsonPiece& piece : cut_json(content.text, {})) {
    const std::uint64_t line = content.line + piece.line;
    const auto parsed = parse_or_skip(piece.text, line, sink);
    if (!parsed) {
      blocks.add_gap();
    } else if (parsed->inexact) {
      blocks.add(sender, anthropic::unknown_from_text(parsed->value, piece.text));
    } else {
      add_block(parsed->value, sender, line, blocks);
    }
  }
}

// The message with its content in `blocks`.
Message finish_message(const json::object& message, Author sender, std::uint64_t line,
                       BlockList blocks, transcript::Sink& sink) {
  if (blocks.empty()) {
    if (const auto text = find_words(message, "text")) {
      blocks.start_over();
      add_block(json::value(*text), sender, line, blocks);
    }
  }
  add_uploads(message, sender, line, blocks);
  blocks.emit_skips(line, sink);
  std::vector<transcript::Block> outcome = blocks.take();
  name_sources(outcome);
  return {.id = find_words(message, "uuid").value_or(""),
          .parent = find_words(message, "parent_message_uuid"),
          .sender = sender,
          .recorded = find_time(message, "created_at"),
          .model = find_words(message, "model"),
          .blocks = std::move(outcome)};
}

void skip_sender(std::uint64_t line, transcript::Sink& sink) {
  sink.skip({line, "malformed: a message without a sender"});
}

// A message that is not valid JSON, or not exactly a value: each of its members for itself.
std::optional<Message> parse_broken(const Item& text, bool is_json, transcript::Sink& sink) {
  const Members members(text);
  constexpr std::array<std::string_view, 9> kNames = {
      "uuid",  "sender",      "text",  "created_at", "parent_message_uuid",
      "model", "attachments", "files", "files_v2"};
  std::size_t faults = 0;
  json::object message;
  for (const std::string_view name : kNames) {
    if (!members.parse_into(message, name, sink)) ++faults;
  }
  const auto sender = parse_sender(message);
  if (!sender) {
    skip_sender(text.line, sink);
    return std::nullopt;
  }
  BlockList blocks;
  if (const auto content = members.item(kContent)) {
    const Result<ParsedJson> parsed = parse_json(content->text);
    if (parsed && !parsed->inexact) {
      add_content(parsed->value, *sender, content->line, blocks);
    } else {
      faults += parsed ? 0 : 1;
      add_pieces(*content, *sender, blocks, sink);
    }
  }
  // Every part is whole, and yet the message is not.
  if (!is_json && faults == 0) parse_or_skip(text.text, text.line, sink);
  return finish_message(message, *sender, text.line, std::move(blocks), sink);
}

}  // namespace

void BlockList::add(Author author, transcript::Body body, std::optional<Millis> start,
                    std::optional<Millis> stop) {
  blocks_.push_back(
      {.author = author, .body = std::move(body), .index = next_++, .start = start, .stop = stop});
}

void BlockList::leave_out(std::string_view reason, std::uint64_t line) {
  left_out_.push_back({line, std::string(reason)});
  ++next_;
}

void BlockList::start_over() {
  next_ = 0;
  std::erase_if(left_out_, [](const auto& skipped) { return skipped.reason == kEmptyBlock; });
}

void BlockList::emit_skips(std::uint64_t line, transcript::Sink& sink) {
  if (blocks_.empty()) start_over();
  if (blocks_.empty() && left_out_.empty() && !has_gap_) leave_out("empty", line);
  for (transcript::Skipped& skipped : left_out_) sink.skip(std::move(skipped));
  left_out_.clear();
}

std::optional<Message> parse_message(const Item& text, transcript::Sink& sink) {
  const Result<ParsedJson> parsed = parse_json(text.text);
  if (!parsed || parsed->inexact) return parse_broken(text, parsed.has_value(), sink);
  if (parsed->value.is_null()) {
    sink.skip({text.line, "empty"});
    return std::nullopt;
  }
  const json::object* message = parsed->value.if_object();
  if (message == nullptr) {
    sink.skip({text.line, "malformed: not a message"});
    return std::nullopt;
  }
  const auto sender = parse_sender(*message);
  if (!sender) {
    skip_sender(text.line, sink);
    return std::nullopt;
  }
  BlockList blocks;
  if (const json::value* content = find_member(*message, kContent)) {
    add_content(*content, *sender, text.line, blocks);
  }
  return finish_message(*message, *sender, text.line, std::move(blocks), sink);
}

}  // namespace weft::formats::claude_export

// What a claude.ai account keeps beside its chats: projects, and what Claude remembers. Each
// is a conversation of its own, in which nobody answers: a project is its instructions, which
// the program puts before its chats, and the documents that a person added to it; memories are
// documents that the program puts in.
#include <utility>

#include "weft/formats/adapters/claude_export/claude_export.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::claude_export {
namespace {

using transcript::Attachment;
using transcript::Author;
using transcript::Facts;
using transcript::Sink;
using transcript::Text;

Message authored(std::string id, Author sender, transcript::Body body, std::optional<Millis> time) {
  Message message{.id = std::move(id), .sender = sender, .recorded = time};
  message.blocks.push_back({.author = sender, .body = std::move(body)});
  return message;
}

// {uuid, filename, content, created_at} of a project, {path, content, updated_at} of memories.
// Empty, and reported to `sink`, if it has no content.
std::optional<Message> parse_document(const Item& item, Author author, Sink& sink) {
  const auto parsed = parse_or_skip(item.text, item.line, sink);
  if (!parsed) return std::nullopt;
  const json::object* document = parsed->value.if_object();
  if (document == nullptr) {
    const bool is_null = parsed->value.is_null();
    sink.skip({item.line, is_null ? "empty" : "malformed: not a document"});
    return std::nullopt;
  }
  Attachment attachment{.kind = "document", .name = find_words(*document, "filename")};
  if (!attachment.name) attachment.name = find_words(*document, "file_name");
  if (!attachment.name) attachment.name = find_words(*document, "path");
  attachment.text = find_words(*document, "content");
  if (!attachment.name && !attachment.text) {
    sink.skip({item.line, "empty"});
    return std::nullopt;
  }
  auto time = find_time(*document, "created_at");
  if (!time) time = find_time(*document, "updated_at");
  auto id = find_words(*document, "uuid");
  if (!id) id = find_words(*document, "path");
  if (parsed->inexact) {
    return authored(id.value_or(""), author, anthropic::unknown_from_text(parsed->value, item.text),
                    time);
  }
  return authored(id.value_or(""), author, std::move(attachment), time);
}

// How many there were.
std::size_t emit_documents(const std::vector<Item>& documents, Author author, ChatBuilder& builder,
                           Sink& sink) {
  for (const Item& item : documents) {
    auto document = parse_document(item, author, sink);
    if (document) builder.emit(std::move(*document), item);
  }
  return documents.size();
}

}  // namespace

void read_project(const Item& item, Members& members, Sink& sink) {
  const json::object project = members.parse(
      {"uuid", "name", "description", "prompt_template", "created_at", "updated_at", "creator"},
      sink);
  Facts facts{.title = find_words(project, "name"), .summary = find_words(project, "description")};
  facts.project = facts.title;
  facts.account = find_words(project, "creator", "uuid");
  facts.updated_at = find_time(project, "updated_at");
  const auto uuid = find_words(project, "uuid");
  const std::string id = uuid ? *uuid : session_from(item.text);
  ChatBuilder builder(id, std::move(facts), std::nullopt, sink);

  const auto prompt = find_words(project, "prompt_template");
  if (prompt) {
    builder.emit(
        authored(id, Author::program, Text{.text = *prompt}, find_time(project, "created_at")),
        item);
  }
  const std::size_t documents =
      emit_documents(members.elements("docs", sink), Author::human, builder, sink);
  if (!prompt && documents == 0 && !item.cut && !members.has_emitted())
    sink.skip({item.line, "empty"});
}

void read_memories(const Item& item, Members& members, Sink& sink) {
  const json::object memories =
      members.parse({"account_uuid", "conversations_memory", "project_memories"}, sink);
  Facts facts{.account = find_words(memories, "account_uuid")};
  // One account has one; it is another in each export, so its text does not name it.
  const std::string id = facts.account ? "memories:" + *facts.account : "memories";
  ChatBuilder builder(id, std::move(facts), std::nullopt, sink);

  bool is_empty = true;
  const auto remember = [&](std::string name, const json::value* value) {
    const json::string* text = value == nullptr ? nullptr : value->if_string();
    if (text == nullptr || text->empty()) return;
    is_empty = false;
    Attachment memory{.kind = "document", .name = name, .text = std::string(view(*text))};
    builder.emit(authored(std::move(name), Author::program, std::move(memory), std::nullopt), item);
  };
  remember("conversations_memory", find_member(memories, "conversations_memory"));
  if (const json::object* projects = find_object(memories, "project_memories")) {
    for (const auto& [project, memory] : *projects) {
      remember("project_memories/" + std::string(project), &memory);
    }
  }
  const std::size_t files =
      emit_documents(members.elements("memory_files", sink), Author::program, builder, sink);
  if (is_empty && files == 0 && !item.cut && !members.has_emitted())
    sink.skip({item.line, "empty"});
}

}  // namespace weft::formats::claude_export

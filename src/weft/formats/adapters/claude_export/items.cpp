// The items of an export: which kind each is, and the chats among them.
#include <algorithm>
#include <numeric>
#include <utility>

#include "weft/formats/adapters/claude_export/claude_export.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::claude_export {
namespace {

using transcript::Facts;
using transcript::Sink;

constexpr const char* kEndsEarly = "malformed: ends early";

// Array order is the order in which messages were made. Only where no message names its
// parent and all have an index, that counts.
std::vector<std::size_t> order_of(const std::vector<Item>& messages) {
  std::vector<std::size_t> order(messages.size());
  std::iota(order.begin(), order.end(), 0u);
  std::vector<std::int64_t> indices;
  for (const Item& message : messages) {
    // Of an official export no message has one: then nothing is cut for it.
    if (!message.text.contains("\"index\"")) return order;
    const Members members(message);
    const auto index = members.item("index"), parent = members.item("parent_message_uuid");
    const bool has_parent = parent && parent->text != "null" && parent->text != "\"\"";
    const Result<ParsedJson> number = parse_json(index ? index->text : "");
    if (has_parent || !number || !number->value.is_int64()) return order;
    indices.push_back(number->value.get_int64());
  }
  std::ranges::sort(order, {}, [&](std::size_t at) { return std::pair(indices[at], at); });
  return order;
}

std::optional<std::string> first_of(const json::object& object,
                                    std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (auto words = find_words(object, key)) return words;
  }
  return std::nullopt;
}

Facts facts_of(const json::object& chat) {
  Facts facts{.title = first_of(chat, {"name", "title"}), .summary = find_words(chat, "summary")};
  facts.project = find_words(chat, "project", "name");
  facts.account = find_words(chat, "account", "uuid");
  facts.updated_at = find_time(chat, "updated_at");
  return facts;
}

using ParseMessage = std::optional<Message> (*)(const Item& text, Sink& sink);

void read_chat(const Item& item, Members& members, std::string_view list, ParseMessage parse,
               const std::optional<std::string>& model, Sink& sink) {
  const json::object chat = members.parse({"uuid", "conversation_id", "name", "title", "summary",
                                           "updated_at", "account", "model", "project"},
                                          sink);
  const std::vector<Item> messages = members.elements(list, sink);
  if (messages.empty() && !item.cut && !members.has_emitted()) sink.skip({item.line, "empty"});
  const auto id = first_of(chat, {"uuid", "conversation_id"});
  const auto speaker = find_words(chat, "model");
  ChatBuilder builder(id ? *id : session_from(item.text), facts_of(chat), speaker ? speaker : model,
                      sink);
  for (const std::size_t at : order_of(messages)) {
    const Item& message = messages[at];
    std::optional<Message> parsed = parse(message, sink);
    if (parsed) builder.emit(std::move(*parsed), message);
  }
}

bool is_account(const Members& members) {
  return members.has("email_address") || members.has("verified_phone_number");
}

}  // namespace

Members::Members(const Item& object) : object_(object), pieces_(cut_json(object.text, {})) {}

std::optional<Item> Members::item(std::string_view name) const {
  const auto found = std::ranges::find(pieces_, name, &JsonPiece::member);
  if (found == pieces_.end() || found->stray) return std::nullopt;
  return Item{.text = found->text, .line = object_.line + found->line, .cut = found->cut};
}

std::vector<Item> Members::elements(std::string_view name, Sink& sink) {
  std::vector<Item> items;
  const auto array = item(name);
  if (!array || array->text.empty() || array->text == "null") return items;
  if (!array->text.starts_with('[')) {
    sink.skip({array->line, "malformed: not an array"});
    has_emitted_ = true;
    return items;
  }
  std::uint64_t number = 0;
  for (const JsonPiece& piece : cut_json(array->text, {})) {
    const std::uint64_t line = array->line + piece.line;
    ++number;
    if (items.size() == kMaxBlocks) {
      sink.skip({line, "too large: too many elements"});
      break;
    }
    if (piece.cut) {
      sink.skip({line, kEndsEarly});
      has_emitted_ = true;
    } else {
      items.push_back({.text = piece.text, .line = line, .number = number});
    }
  }
  return items;
}

void Members::emit_cut(Sink& sink) const {
  if (object_.cut && !has_emitted_) sink.skip({object_.line, kEndsEarly});
}

bool Members::parse_into(json::object& object, std::string_view name, Sink& sink) const {
  const auto found = item(name);
  if (!found || found->cut) return true;
  auto parsed = parse_or_skip(found->text, found->line, sink);
  if (!parsed) return false;
  object[name] = std::move(parsed->value);
  return true;
}

json::object Members::parse(std::initializer_list<std::string_view> names, Sink& sink) const {
  json::object object;
  for (const std::string_view name : names) parse_into(object, name, sink);
  return object;
}

void read_item(const Item& item, const std::optional<std::string>& model, Sink& sink) {
  if (item.text == "null") {
    sink.skip({item.line, "empty"});
    return;
  }
  if (!item.text.starts_with('{')) {
    sink.skip({item.line, "malformed: not an object"});
    return;
  }
  Members members(item);
  if (members.has("chat_messages")) {
    read_chat(item, members, "chat_messages", parse_message, model, sink);
  } else if (members.has("mapping")) {
    sink.skip({item.line, "malformed: of another format"});
  } else if (is_account(members)) {
    sink.skip({item.line, "account"});
  } else if (members.has("docs") || members.has("prompt_template")) {
    read_project(item, members, sink);
  } else if (members.has("conversations_memory") || members.has("project_memories") ||
             members.has("memory_files")) {
    read_memories(item, members, sink);
  } else if (members.has("messages")) {
    read_chat(item, members, "messages", parse_design_message, model, sink);
  } else if (!item.cut) {
    sink.skip({item.line, "malformed: neither a chat nor a project"});
  }
  members.emit_cut(sink);
}

}  // namespace weft::formats::claude_export

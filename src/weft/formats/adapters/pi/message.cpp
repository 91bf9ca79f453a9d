#include "weft/formats/adapters/pi/message.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/adapters/pi/blocks.hpp"
#include "weft/formats/apis/request_counts.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::pi {
namespace {

using transcript::Author;
using transcript::Body;

template <class T>
bool is(const Body& body) {
  return std::holds_alternative<T>(body);
}

Author author_of(std::string_view role, const Body& body) {
  if (is<transcript::ToolResult>(body)) return Author::tool;
  if (role == "assistant") return Author::model;
  const bool is_word = is<transcript::Text>(body) || is<transcript::Attachment>(body);
  return role == "user" && is_word ? Author::human : Author::program;
}

void add_content(Message& message, const json::value& content) {
  for (Body& body : parse_content(content, kMaxBlocks)) {
    const Author author = author_of(message.role, body);
    message.blocks.push_back({author, std::move(body)});
  }
  const json::array* array = content.if_array();
  message.is_too_large = array != nullptr && array->size() > kMaxBlocks;
}

// The provider's error, or that the answer was broken off.
std::optional<std::string> failure_of(const json::object& message, bool is_empty) {
  const auto error = find_string(message, "errorMessage");
  if (error && !error->empty()) return std::string(*error);
  const std::string_view reason = find_string(message, "stopReason").value_or("");
  if (is_empty && (reason == "error" || reason == "aborted")) return std::string(reason);
  return std::nullopt;
}

bool is_broken_off(const json::object& message) {
  const std::string_view reason = find_string(message, "stopReason").value_or("");
  return reason == "aborted" || reason == "length" || reason == "error";
}

void add_answer(Message& message, const json::object& source) {
  if (const json::value* content = find_member(source, "content")) add_content(message, *content);
  if (!message.blocks.empty() && is_broken_off(source)) {
    if (auto* thinking = std::get_if<transcript::Thinking>(&message.blocks.back().body)) {
      thinking->cut_off = true;
    }
  }
  if (auto failure = failure_of(source, message.blocks.empty())) {
    message.blocks.push_back({Author::program, transcript::Failure{.text = std::move(*failure)}});
  }
}

// The output of a command that a person ran, in the words that pi shows the model.
std::string output_of(const json::object& source) {
  std::string text(find_string(source, "output").value_or(""));
  const auto add = [&](const std::string& line) {
    if (!text.empty() && !text.ends_with('\n')) text += '\n';
    text += line;
  };
  const auto code = find_int(source, "exitCode");
  if (find_bool(source, "cancelled").value_or(false)) {
    add("(command cancelled)");
  } else if (code && *code != 0) {
    add("Command exited with code " + std::to_string(*code));
  }
  if (find_bool(source, "truncated").value_or(false)) {
    const auto path = find_string(source, "fullOutputPath");
    add(path ? "[Output truncated. Full output: " + std::string(*path) + "]"
             : "[Output truncated.]");
  }
  return text.empty() ? "(no output)" : text;
}

bool add_command(Message& message, const json::object& source) {
  const auto command = find_string(source, "command");
  if (!command) return false;
  const bool is_private = find_bool(source, "excludeFromContext").value_or(false);
  message.blocks.push_back(
      {Author::human, transcript::Text{.text = (is_private ? "!!" : "!") + std::string(*command)}});
  message.blocks.push_back({Author::program, transcript::Text{.text = output_of(source)}});
  return true;
}

bool add_summary(Message& message, const json::object& source) {
  const auto summary = find_string(source, "summary");
  if (!summary) return false;
  if (message.role == "compactionSummary") {
    message.blocks.push_back(
        {Author::model, transcript::Compaction{.summary = std::string(*summary)}});
  } else {
    message.blocks.push_back({Author::model, transcript::Summary{.text = std::string(*summary)}});
  }
  return true;
}

// Whether the role is known, and the message has what it must have.
bool add_message(Message& message, const json::object& source) {
  constexpr std::array<std::string_view, 5> kProgramRoles = {"system", "developer", "custom",
                                                             "hookMessage", "user"};
  if (message.role == "assistant") {
    add_answer(message, source);
    return true;
  }
  if (message.role == "toolResult") {
    message.blocks.push_back({Author::tool, parse_tool_result(source)});
    return true;
  }
  if (message.role == "bashExecution") return add_command(message, source);
  if (message.role == "compactionSummary" || message.role == "branchSummary") {
    return add_summary(message, source);
  }
  const json::value* content = find_member(source, "content");
  if (content == nullptr || std::ranges::find(kProgramRoles, message.role) == kProgramRoles.end()) {
    return false;
  }
  add_content(message, *content);
  return true;
}

std::int64_t find_count(const json::object& object, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (object.contains(key)) return count_in(object, key);
  }
  return 0;
}

}  // namespace

Message parse_message(const json::object& source) {
  Message message{.role = std::string(find_string(source, "role").value_or(""))};
  if (const auto model = find_string(source, "model")) message.model = std::string(*model);
  if (const auto id = find_string(source, "responseId")) message.response_id = std::string(*id);
  if (!add_message(message, source)) {
    message.blocks = {
        {Author::program, transcript::Unknown{.block_type = message.role, .raw = source}}};
  }
  return message;
}

Message parse_program_content(const json::value& content) {
  Message message{.role = "custom"};
  add_content(message, content);
  return message;
}

std::string words_of(const Message& message) {
  std::string words;
  for (const AuthoredBlock& block : message.blocks) {
    const auto* text = std::get_if<transcript::Text>(&block.body);
    if (text == nullptr) continue;
    if (!words.empty()) words += '\n';
    words += text->text;
  }
  return words;
}

transcript::Usage parse_usage(const json::object& usage) {
  transcript::Usage counts{.input = find_count(usage, {"input"}),
                           .output = find_count(usage, {"output"}),
                           .cache_read = find_count(usage, {"cacheRead"}),
                           .cache_write = find_count(usage, {"cacheWrite", "cacheCreation"})};
  if (const json::object* cache = find_object(usage, "cache")) {
    counts.cache_read = find_count(*cache, {"read"});
    counts.cache_write = find_count(*cache, {"write"});
  }
  return counts;
}

transcript::Request parse_request(const json::object& message, const json::object& usage) {
  transcript::Request request = to_request(parse_usage(usage), CachedInput::apart);
  request.message_id = find_string(message, "responseId").value_or("");
  request.model = find_string(message, "model").value_or("");
  const json::object* cost = find_object(usage, "cost");
  const json::value* total = cost == nullptr ? nullptr : find_member(*cost, "total");
  if (total != nullptr && total->is_number()) {
    request.stated_cost = transcript::to_nanodollars(total->to_number<double>());
  }
  return request;
}

}  // namespace weft::formats::pi

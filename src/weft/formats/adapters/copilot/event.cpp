#include "weft/formats/adapters/copilot/event.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::copilot {
namespace {

using transcript::Attachment;
using transcript::Author;
using transcript::Text;
using transcript::ToolCall;
using transcript::ToolResult;

AuthoredBlock make_call(const json::object& request, std::string_view name_key) {
  ToolCall call{.id = text_in(request, "toolCallId"),
                .name = text_in(request, name_key),
                .input = json::object{},
                .description = find_words(request, "intentionSummary"),
                .display_text = find_words(request, "toolTitle")};
  const json::value* input = find_member(request, "arguments");
  if (input == nullptr) input = find_member(request, "args");
  if (input != nullptr && input->is_string()) {
    // One family of models has its arguments as JSON in a string.
    const Result<ParsedJson> parsed = parse_json(view(input->get_string()));
    call.input = parsed && !parsed->inexact && parsed->value.is_object() ? parsed->value : *input;
  } else if (input != nullptr && !input->is_null()) {
    call.input = *input;
  }
  return {.author = Author::model, .body = std::move(call)};
}

Attachment make_attachment(const json::object& item) {
  const std::string type = text_in(item, "type");
  Attachment attachment{.kind = "file"};
  attachment.mime = find_words(item, "mimeType");
  if (attachment.mime && attachment.mime->starts_with("image/")) attachment.kind = "image";
  attachment.name = find_words(item, "displayName");
  if (!attachment.name) attachment.name = find_words(item, "title");
  for (const char* key : {"path", "filePath", "url"}) {
    if (!attachment.reference) attachment.reference = find_words(item, key);
  }
  attachment.text = find_words(item, "text");
  attachment.data = find_words(item, "data");
  constexpr std::array<std::string_view, 8> kPending = {"displayName", "path", "filePath", "url",
                                                        "text",        "data", "mimeType", "title"};
  json::object extra;
  for (const auto& [key, value] : item) {
    const bool is_plain = key == "type" && type == "file";
    if (!is_plain &&
        std::ranges::find(kPending, std::string_view(key.data(), key.size())) == kPending.end()) {
      extra[key] = value;
    }
  }
  if (!extra.empty()) attachment.extra = std::move(extra);
  return attachment;
}

}  // namespace

std::optional<Event> event_of(const json::object& record) {
  const auto type = find_string(record, "type");
  const json::object* data = find_object(record, "data");
  if (!type || data == nullptr) return std::nullopt;
  Event event{.type = *type, .id = find_string(record, "id").value_or(""), .data = data};
  if (const auto time = find_string(record, "timestamp")) event.time = parse_iso8601(*time);
  event.call = find_string(*data, "parentToolCallId").value_or("");
  event.agent = find_string(record, "agentId").value_or("");
  return event;
}

std::vector<AuthoredBlock> prompt_blocks(const json::object& data, Author from) {
  std::vector<AuthoredBlock> blocks;
  const std::string_view words = find_string(data, "content").value_or("");
  const std::string_view seen = find_string(data, "transformedContent").value_or("");
  // What the model saw besides: the date, reminders, the text of mentioned files.
  std::string around;
  if (!trim(seen).empty() && trim(seen) != trim(words)) {
    const std::size_t at = words.empty() ? std::string_view::npos : seen.find(words);
    if (at == std::string_view::npos) {
      around = trim(seen);
    } else {
      around = trim(seen.substr(0, at));
      const std::string_view after = trim(seen.substr(at + words.size()));
      if (!around.empty() && !after.empty()) around += "\n\n";
      around += after;
    }
  }
  if (!around.empty()) blocks.push_back({.author = Author::program, .body = Text{.text = around}});
  if (!words.empty()) blocks.push_back({.author = from, .body = Text{.text = std::string(words)}});
  const json::array* attachments = find_array(data, "attachments");
  for (const json::value& item : attachments == nullptr ? json::array{} : *attachments) {
    if (const json::object* object = item.if_object()) {
      blocks.push_back({.author = from, .body = make_attachment(*object)});
    } else {
      blocks.push_back(
          {.author = from, .body = transcript::Unknown{.block_type = "attachment", .raw = item}});
    }
  }
  return blocks;
}

std::string_view reasoning_of(const json::object& data) {
  const auto text = find_string(data, "reasoningText");
  return text ? *text : std::string_view();
}

std::vector<AuthoredBlock> message_blocks(const json::object& data, bool is_emitted) {
  std::vector<AuthoredBlock> blocks;
  const std::string_view thought = is_emitted ? std::string_view() : reasoning_of(data);
  std::vector<std::string> opaque;
  for (const char* key : {"reasoningOpaque", "encryptedContent"}) {
    const auto sealed = find_words(data, key);
    if (sealed && std::ranges::find(opaque, *sealed) == opaque.end()) opaque.push_back(*sealed);
  }
  if (!thought.empty()) {
    transcript::Thinking thinking{.text = std::string(thought)};
    if (!opaque.empty()) {
      thinking.signature = std::move(opaque.front());
      opaque.erase(opaque.begin());
    }
    blocks.push_back({.author = Author::model, .body = std::move(thinking)});
  }
  for (std::string& sealed : opaque) {
    blocks.push_back(
        {.author = Author::model, .body = transcript::RedactedThinking{.data = std::move(sealed)}});
  }
  if (auto words = find_words(data, "content")) {
    blocks.push_back({.author = Author::model, .body = Text{.text = *std::move(words)}});
  }
  const json::array* requests = find_array(data, "toolRequests");
  for (const json::value& request : requests == nullptr ? json::array{} : *requests) {
    if (const json::object* object = request.if_object()) {
      blocks.push_back(make_call(*object, "name"));
    } else {
      blocks.push_back({.author = Author::model,
                        .body = transcript::Unknown{.block_type = "toolRequest", .raw = request}});
    }
  }
  return blocks;
}

AuthoredBlock call_block(const json::object& data) { return make_call(data, "toolName"); }

AuthoredBlock result_block(const json::object& data) {
  ToolResult result{.call_id = text_in(data, "toolCallId"), .name = text_in(data, "toolName")};
  result.is_error = !find_bool(data, "success").value_or(true);
  if (const json::object* given = find_object(data, "result")) {
    result.text = text_in(*given, "content");
    json::object details;
    for (const auto& [key, value] : *given) {
      // The longer form is kept only where it says something else.
      const bool is_same = value.is_string() && view(value.get_string()) == result.text;
      if (key != "content" && !value.is_null() && !is_same) details[key] = value;
    }
    if (!details.empty()) result.details = std::move(details);
  } else if (const auto words = find_string(data, "result")) {
    result.text = *words;
  }
  if (const json::object* error = find_object(data, "error")) {
    if (result.text.empty()) result.text = text_in(*error, "message");
    if (find_member(*error, "code") != nullptr && !result.details) result.details = *error;
  } else if (const auto words = find_string(data, "error"); words && result.text.empty()) {
    result.text = *words;
  }
  return {.author = Author::tool, .body = std::move(result)};
}

AuthoredBlock failure_block(const json::object& data) {
  std::string text = text_in(data, "message");
  if (text.empty()) text = text_in(data, "error");
  return {.author = Author::program,
          .body = transcript::Failure{.text = std::move(text), .details = data}};
}

// inputTokens has what was read from and written to the cache in it, outputTokens has no
// reasoning in it. `tokenDetails`, of versions that count no usage by model, are what was
// billed, each kind by itself.
std::optional<transcript::Usage> segment_usage(const json::object& data) {
  UsageSum sum;
  bool is_there = false;
  if (const json::object* models = find_object(data, "modelMetrics")) {
    for (const auto& [model, metrics] : *models) {
      const json::object* object = metrics.if_object();
      const json::object* usage = object == nullptr ? nullptr : find_object(*object, "usage");
      if (usage == nullptr) continue;
      sum.add({.input = count_in(*usage, "inputTokens"),
               .output = count_in(*usage, "outputTokens") + count_in(*usage, "reasoningTokens"),
               .cache_read = count_in(*usage, "cacheReadTokens"),
               .cache_write = count_in(*usage, "cacheWriteTokens")});
      is_there = true;
    }
  }
  const json::object* details = is_there ? nullptr : find_object(data, "tokenDetails");
  if (details != nullptr) {
    const auto count = [&](const char* key) {
      const json::object* one = find_object(*details, key);
      return one == nullptr ? 0 : count_in(*one, "tokenCount");
    };
    sum.add({.input = count("input"),
             .output = count("output"),
             .cache_read = count("cache_read"),
             .cache_write = count("cache_write")});
    is_there = true;
  }
  if (!is_there) return std::nullopt;
  return sum.sum();
}

}  // namespace weft::formats::copilot

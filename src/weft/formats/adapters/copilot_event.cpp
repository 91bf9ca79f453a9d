#include "weft/formats/adapters/copilot_event.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace weft::formats::copilot {
namespace {

using transcript::Attachment;
using transcript::Author;
using transcript::Text;
using transcript::ToolCall;
using transcript::ToolResult;

std::string text_of(const json::object& object, std::string_view key) {
  return std::string(find_string(object, key).value_or(""));
}

// Empty strings say as little as absent ones.
std::optional<std::string> words_of(const json::object& object, std::string_view key) {
  const auto found = find_string(object, key);
  if (!found || found->empty()) return std::nullopt;
  return std::string(*found);
}

Said make_call(const json::object& request, std::string_view name_key) {
  ToolCall call{.id = text_of(request, "toolCallId"),
                .name = text_of(request, name_key),
                .input = json::object{},
                .description = words_of(request, "intentionSummary"),
                .display_text = words_of(request, "toolTitle")};
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
  const std::string type = text_of(item, "type");
  Attachment attachment{.kind = "file"};
  attachment.mime = words_of(item, "mimeType");
  if (attachment.mime && attachment.mime->starts_with("image/")) attachment.kind = "image";
  attachment.name = words_of(item, "displayName");
  if (!attachment.name) attachment.name = words_of(item, "title");
  for (const char* key : {"path", "filePath", "url"}) {
    if (!attachment.reference) attachment.reference = words_of(item, key);
  }
  attachment.text = words_of(item, "text");
  attachment.data = words_of(item, "data");
  constexpr std::array<std::string_view, 8> kHeld = {"displayName", "path", "filePath", "url",
                                                     "text",        "data", "mimeType", "title"};
  json::object extra;
  for (const auto& [key, value] : item) {
    const bool is_plain = key == "type" && type == "file";
    if (!is_plain &&
        std::ranges::find(kHeld, std::string_view(key.data(), key.size())) == kHeld.end()) {
      extra[key] = value;
    }
  }
  if (!extra.empty()) attachment.extra = std::move(extra);
  return attachment;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
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

std::vector<Said> prompt_said(const json::object& data, Author from) {
  std::vector<Said> said;
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
  if (!around.empty()) said.push_back({.author = Author::program, .body = Text{.text = around}});
  if (!words.empty()) said.push_back({.author = from, .body = Text{.text = std::string(words)}});
  const json::array* attachments = find_array(data, "attachments");
  for (const json::value& item : attachments == nullptr ? json::array{} : *attachments) {
    if (const json::object* object = item.if_object()) {
      said.push_back({.author = from, .body = make_attachment(*object)});
    } else {
      said.push_back(
          {.author = from, .body = transcript::Unknown{.block_type = "attachment", .raw = item}});
    }
  }
  return said;
}

std::string_view reasoning_of(const json::object& data) {
  const auto text = find_string(data, "reasoningText");
  return text ? *text : std::string_view();
}

std::vector<Said> message_said(const json::object& data, bool is_told) {
  std::vector<Said> said;
  const std::string_view thought = is_told ? std::string_view() : reasoning_of(data);
  std::vector<std::string> opaque;
  for (const char* key : {"reasoningOpaque", "encryptedContent"}) {
    const auto sealed = words_of(data, key);
    if (sealed && std::ranges::find(opaque, *sealed) == opaque.end()) opaque.push_back(*sealed);
  }
  if (!thought.empty()) {
    transcript::Thinking thinking{.text = std::string(thought)};
    if (!opaque.empty()) {
      thinking.signature = std::move(opaque.front());
      opaque.erase(opaque.begin());
    }
    said.push_back({.author = Author::model, .body = std::move(thinking)});
  }
  for (std::string& sealed : opaque) {
    said.push_back(
        {.author = Author::model, .body = transcript::RedactedThinking{.data = std::move(sealed)}});
  }
  if (auto words = words_of(data, "content")) {
    said.push_back({.author = Author::model, .body = Text{.text = *std::move(words)}});
  }
  const json::array* requests = find_array(data, "toolRequests");
  for (const json::value& request : requests == nullptr ? json::array{} : *requests) {
    if (const json::object* object = request.if_object()) {
      said.push_back(make_call(*object, "name"));
    } else {
      said.push_back({.author = Author::model,
                      .body = transcript::Unknown{.block_type = "toolRequest", .raw = request}});
    }
  }
  return said;
}

Said call_said(const json::object& data) { return make_call(data, "toolName"); }

Said result_said(const json::object& data) {
  ToolResult result{.call_id = text_of(data, "toolCallId"), .name = text_of(data, "toolName")};
  result.is_error = !find_bool(data, "success").value_or(true);
  if (const json::object* given = find_object(data, "result")) {
    result.text = text_of(*given, "content");
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
    if (result.text.empty()) result.text = text_of(*error, "message");
    if (find_member(*error, "code") != nullptr && !result.details) result.details = *error;
  } else if (const auto words = find_string(data, "error"); words && result.text.empty()) {
    result.text = *words;
  }
  return {.author = Author::tool, .body = std::move(result)};
}

Said failure_said(const json::object& data) {
  std::string text = text_of(data, "message");
  if (text.empty()) text = text_of(data, "error");
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
      const auto count = [&](const char* key) {
        return std::clamp<std::int64_t>(find_int(*usage, key).value_or(0), 0,
                                        std::int64_t{1} << 50);
      };
      sum.add({.input = count("inputTokens"),
               .output = count("outputTokens") + count("reasoningTokens"),
               .cache_read = count("cacheReadTokens"),
               .cache_write = count("cacheWriteTokens")});
      is_there = true;
    }
  }
  const json::object* details = is_there ? nullptr : find_object(data, "tokenDetails");
  if (details != nullptr) {
    const auto count = [&](const char* key) {
      const json::object* one = find_object(*details, key);
      return one == nullptr ? 0 : find_int(*one, "tokenCount").value_or(0);
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

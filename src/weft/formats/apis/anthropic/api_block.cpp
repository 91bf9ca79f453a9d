#include "weft/formats/apis/anthropic/api_block.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace weft::formats::anthropic {
namespace {

using transcript::Attachment;
using transcript::Block;
using transcript::Body;
using transcript::Compaction;
using transcript::RedactedThinking;
using transcript::Text;
using transcript::Thinking;
using transcript::ToolCall;
using transcript::ToolResult;
using transcript::Unknown;

// In `extra`: a result's content is its one part itself, and not a list.
constexpr std::string_view kContentIsPart = "content_is_part";
// Members of `extra` that describe the position of a block, not its content.
constexpr std::array<std::string_view, 4> kPlaceKeys = {"role", "part", "parts", kContentIsPart};
// Members that a ParsedBlock holds elsewhere, or that only our own blocks have.
constexpr std::array<std::string_view, 6> kPendingKeys = {
    "start_timestamp", "stop_timestamp", "model", "cut_off", "summaries", "uuid"};

std::string_view key_of(const json::key_value_pair& member) {
  return {member.key().data(), member.key().size()};
}

template <class Range>
bool has(const Range& range, std::string_view key) {
  return std::ranges::find(range, key) != range.end();
}

void drop_cache_control(json::value& block) {
  json::object* object = block.if_object();
  if (object == nullptr) return;
  object->erase("cache_control");
  // Parts of results and of documents have their own. An input may contain anything.
  if (json::value* content = object->if_contains("content")) {
    if (json::array* parts = content->if_array()) {
      for (json::value& part : *parts) drop_cache_control(part);
    }
  }
  if (json::value* source = object->if_contains("source")) drop_cache_control(*source);
}

bool is_empty_text(const json::value& part) {
  const json::object* object = part.if_object();
  return object != nullptr && find_string(*object, "type") == "text" &&
         find_string(*object, "text") == "";
}

// The content of a result in a form that does not depend on how it was written.
json::value plain_content(const json::value& content) {
  if (content.is_null() || content == json::value("")) return json::array();
  if (content.is_string()) return json::array{json::object{{"type", "text"}, {"text", content}}};
  if (!content.is_array()) return content;
  json::array parts;
  for (const json::value& part : content.get_array()) {
    if (!is_empty_text(part)) parts.push_back(part.is_string() ? plain_content(part).at(0) : part);
  }
  return parts;
}

bool is_same(std::string_view key, const json::value& a, const json::value& b) {
  const bool is_content = key == "content";
  return canonical_json(is_content ? plain_content(a) : a) ==
         canonical_json(is_content ? plain_content(b) : b);
}

bool has_error_flag(std::string_view type) {
  return type == "tool_result" || type == "mcp_tool_result";
}

// Whether a member with this value means the same as no member.
bool says_nothing(std::string_view type, std::string_view key, const json::value& value) {
  if (value.is_null()) return true;
  if (key == "is_error") return has_error_flag(type) && value == json::value(false);
  if (key == "citations") return value.is_array() && value.get_array().empty();
  if (key == "signature") return value == json::value("");
  return key == "content" && type == "tool_result" &&
         plain_content(value) == json::value(json::array());
}

json::object result_json(const ToolResult& result, std::string_view type) {
  json::object out{{"type", type}, {"tool_use_id", result.call_id}};
  if (result.parts) {
    out["content"] = *result.parts;
  } else if (!result.text.empty()) {
    out["content"] = result.text;
  }
  if (result.is_error && has_error_flag(type)) out["is_error"] = true;
  return out;
}

json::object call_json(const ToolCall& call, std::string_view type) {
  json::object out{{"type", type}, {"id", call.id}, {"name", call.name}};
  // Broken off, it may be a text, or nothing.
  if (call.input.is_object()) out["input"] = call.input;
  else if (call.input.is_null()) out["input"] = json::object();
  else out["input"] = json::object{{"input", call.input}};
  return out;
}

// The JSON that the body alone gives, under this type.
std::optional<json::object> body_json(const Body& body, std::string_view type) {
  if (const auto* text = std::get_if<Text>(&body)) {
    return json::object{{"type", type}, {"text", text->text}};
  }
  if (const auto* thinking = std::get_if<Thinking>(&body)) {
    json::object out{{"type", type}, {"thinking", thinking->text}};
    if (thinking->signature) out["signature"] = *thinking->signature;
    return out;
  }
  if (const auto* redacted = std::get_if<RedactedThinking>(&body)) {
    return json::object{{"type", type}, {"data", redacted->data}};
  }
  if (const auto* call = std::get_if<ToolCall>(&body)) return call_json(*call, type);
  if (const auto* result = std::get_if<ToolResult>(&body)) return result_json(*result, type);
  if (const auto* file = std::get_if<Attachment>(&body)) return attachment_json(*file);
  if (const auto* compaction = std::get_if<Compaction>(&body)) {
    return json::object{{"type", type}, {"content", compaction->summary}};
  }
  if (const auto* unknown = std::get_if<Unknown>(&body)) return unknown_json(*unknown);
  return std::nullopt;
}

std::string_view plain_type_of(const Body& body) {
  if (std::holds_alternative<Text>(body)) return "text";
  if (std::holds_alternative<Thinking>(body)) return "thinking";
  if (std::holds_alternative<RedactedThinking>(body)) return "redacted_thinking";
  if (std::holds_alternative<ToolCall>(body)) return "tool_use";
  if (std::holds_alternative<ToolResult>(body)) return "tool_result";
  if (std::holds_alternative<Compaction>(body)) return "compaction";
  return "";
}

// The members of `block` that `body` does not give back.
json::object left_over(const json::object& block, const Body& body) {
  json::object extra;
  const std::string type(find_string(block, "type").value_or(""));
  const auto written = body_json(body, type);
  if (!written) return extra;
  if (type != plain_type_of(body)) {
    extra["type"] = type;
    // Its call may be in a message that was not recorded.
    const auto* result = std::get_if<ToolResult>(&body);
    if (result != nullptr) extra["tool_use_id"] = result->call_id;
  }
  for (const json::key_value_pair& member : block) {
    const std::string_view key = key_of(member);
    if (has(kPendingKeys, key) || says_nothing(type, key, member.value())) continue;
    const json::value* ours = find_member(*written, key);
    if (ours != nullptr && is_same(key, *ours, member.value())) continue;
    const auto* result = std::get_if<ToolResult>(&body);
    const bool is_part = key == "content" && result != nullptr && result->parts &&
                         result->parts->size() == 1 && result->parts->front() == member.value();
    if (is_part) extra[kContentIsPart] = true;
    else extra[key] = member.value();
  }
  return extra;
}

bool is_void(const Block& block) {
  if (const auto* text = std::get_if<Text>(&block.body)) return text->text.empty();
  if (const auto* thinking = std::get_if<Thinking>(&block.body)) return !thinking->signature;
  if (const auto* redacted = std::get_if<RedactedThinking>(&block.body)) {
    return redacted->data.empty();
  }
  return false;
}

}  // namespace

std::optional<json::object> unknown_json(const Unknown& unknown) {
  if (!unknown.raw_text) {
    if (const json::object* object = unknown.raw.if_object()) return *object;
    return std::nullopt;
  }
  const Result<ParsedJson> parsed = parse_json(*unknown.raw_text);
  if (!parsed || !parsed->value.is_object()) return std::nullopt;
  return parsed->value.get_object();
}

ParsedBlock parse_api_block(const json::value& block) {
  json::value kept = block;
  drop_cache_control(kept);
  ParsedBlock parsed = parse_block(kept);
  parsed.extra.reset();
  const bool is_whole = std::holds_alternative<Unknown>(parsed.body) ||
                        std::holds_alternative<Attachment>(parsed.body);
  if (is_whole || !kept.is_object()) return parsed;
  json::object extra = left_over(kept.get_object(), parsed.body);
  if (!extra.empty()) parsed.extra = std::move(extra);
  return parsed;
}

std::string api_type_of(const Block& block) {
  if (const auto* unknown = std::get_if<Unknown>(&block.body)) return unknown->block_type;
  if (const auto* file = std::get_if<Attachment>(&block.body)) return file->kind;
  if (block.extra) {
    if (const auto type = find_string(*block.extra, "type")) return std::string(*type);
  }
  return std::string(plain_type_of(block.body));
}

bool is_server_side(const Block& block) {
  const std::string type = api_type_of(block);
  const bool is_call = type.ends_with("_tool_use");
  return is_call || type.ends_with("_tool_result");
}

std::optional<json::object> to_api_block(const Block& block, std::string_view call_id) {
  if (is_void(block)) return std::nullopt;
  std::optional<json::object> out = body_json(block.body, api_type_of(block));
  if (!out) return std::nullopt;
  if (std::holds_alternative<ToolCall>(block.body)) (*out)["id"] = call_id;
  if (std::holds_alternative<ToolResult>(block.body)) (*out)["tool_use_id"] = call_id;
  if (!block.extra) return out;
  for (const json::key_value_pair& member : *block.extra) {
    if (!has(kPlaceKeys, key_of(member))) (*out)[member.key()] = member.value();
  }
  const json::array* parts = find_array(*out, "content");
  if (find_bool(*block.extra, kContentIsPart).value_or(false) && parts != nullptr &&
      parts->size() == 1) {
    json::value part = parts->front();
    (*out)["content"] = std::move(part);
  }
  return out;
}

}  // namespace weft::formats::anthropic

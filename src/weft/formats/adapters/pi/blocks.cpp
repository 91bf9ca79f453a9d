#include "weft/formats/adapters/pi/blocks.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/apis/anthropic/blocks.hpp"

namespace weft::formats::pi {
namespace {

using transcript::Body;
using transcript::Unknown;

// For models that chat completions serve, the "signature" of a thought is the name of the
// field that it came in.
constexpr std::array<std::string_view, 4> kFieldNames = {"reasoning_content", "reasoning",
                                                         "reasoning_text", "reasoning_details"};

std::optional<std::string> signature_of(const json::object& block) {
  for (const std::string_view key : {"thinkingSignature", "thoughtSignature", "signature"}) {
    const auto signature = find_string(block, key);
    if (!signature || signature->empty()) continue;
    if (std::ranges::find(kFieldNames, *signature) != kFieldNames.end()) return std::nullopt;
    return std::string(*signature);
  }
  return std::nullopt;
}

std::optional<Body> parse_thinking(const json::object& block) {
  const auto text = find_string(block, "thinking");
  std::optional<std::string> signature = signature_of(block);
  if (find_bool(block, "redacted").value_or(false) && signature) {
    return transcript::RedactedThinking{.data = std::move(*signature)};
  }
  if (!text && !signature) return std::nullopt;
  return transcript::Thinking{.text = std::string(text.value_or("")),
                              .signature = std::move(signature)};
}

// Some backends give the arguments as the JSON text that the model wrote.
json::value arguments_of(const json::object& block) {
  const json::value* arguments = find_member(block, "arguments");
  if (arguments == nullptr) arguments = find_member(block, "input");
  if (arguments == nullptr) return {};
  if (const json::string* text = arguments->if_string()) {
    Result<ParsedJson> parsed = parse_json(view(*text));
    if (parsed && !parsed->inexact) return std::move(parsed->value);
  }
  return *arguments;
}

std::optional<Body> parse_call(const json::object& block) {
  const auto name = find_string(block, "name");
  if (!name) return std::nullopt;
  transcript::ToolCall call{.id = std::string(find_string(block, "id").value_or("")),
                            .name = std::string(*name),
                            .input = arguments_of(block)};
  if (const json::object* input = call.input.if_object()) {
    if (const auto why = find_string(*input, "description")) call.description = std::string(*why);
  }
  return call;
}

std::optional<Body> parse_image(const json::object& block) {
  const auto data = find_string(block, "data");
  if (!data) return std::nullopt;
  transcript::Attachment image{.kind = "image", .data = std::string(*data)};
  if (const auto mime = find_string(block, "mimeType")) image.mime = std::string(*mime);
  return image;
}

// The words of a part that is nothing but words.
std::optional<std::string_view> words_of_part(const json::value& part) {
  const json::object* object = part.if_object();
  if (object == nullptr || object->size() != 2) return std::nullopt;
  return find_string(*object, "type") == "text" ? find_string(*object, "text") : std::nullopt;
}

void add_content(transcript::ToolResult& result, const json::value& content) {
  const json::array* parts = content.if_array();
  const auto words =
      parts != nullptr && parts->size() == 1 ? words_of_part((*parts)[0]) : std::nullopt;
  if (const json::string* text = content.if_string()) {
    result.text = view(*text);
  } else if (words) {
    result.text = *words;
  } else {
    const json::object whole{{"type", "tool_result"}, {"content", content}};
    result = std::get<transcript::ToolResult>(anthropic::parse_block(whole).body);
  }
}

std::optional<Body> parse_known(std::string_view type, const json::object& block) {
  if (type == "thinking") return parse_thinking(block);
  if (type == "toolCall") return parse_call(block);
  if (type == "image") return parse_image(block);
  // A result that stands among the blocks, its words in `text` or in `content`.
  if (type == "toolResult") return parse_tool_result(block);
  return std::nullopt;
}

Body parse_one(const json::value& block) {
  if (const json::object* object = block.if_object()) {
    if (auto body = parse_known(find_string(*object, "type").value_or(""), *object)) {
      return std::move(*body);
    }
  }
  return anthropic::parse_block(block).body;
}

}  // namespace

std::vector<Body> parse_content(const json::value& content, std::size_t limit) {
  std::vector<Body> bodies;
  if (const json::array* array = content.if_array()) {
    const std::size_t count = std::min(array->size(), limit);
    bodies.reserve(count);
    for (std::size_t i = 0; i < count; ++i) bodies.push_back(parse_one((*array)[i]));
  } else if (!content.is_null() && content != json::value("")) {
    bodies.push_back(parse_one(content));
  }
  return bodies;
}

Body parse_tool_result(const json::object& message) {
  transcript::ToolResult result;
  if (const json::value* content = find_member(message, "content")) {
    add_content(result, *content);
  } else {
    result.text = find_string(message, "text").value_or("");
  }
  for (const std::string_view key : {"toolUseId", "toolCallId"}) {
    if (const auto id = find_string(message, key)) result.call_id = *id;
  }
  for (const std::string_view key : {"name", "toolName"}) {
    if (const auto name = find_string(message, key)) result.name = *name;
  }
  result.is_error = find_bool(message, "isError").value_or(false);
  const json::value* details = find_member(message, "details");
  if (details != nullptr && !details->is_null()) result.details = *details;
  return result;
}

}  // namespace weft::formats::pi

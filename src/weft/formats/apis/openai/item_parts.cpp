#include "weft/formats/apis/openai/item_parts.hpp"

#include <utility>

namespace weft::formats::openai {

std::optional<std::string_view> text_of_part(const json::value& part) {
  if (const json::string* text = part.if_string()) return view(*text);
  const json::object* object = part.if_object();
  if (object == nullptr) return std::nullopt;
  const auto type = find_string(*object, "type");
  const bool is_text =
      type == "input_text" || type == "output_text" || type == "text" || type == "Text";
  return is_text ? find_string(*object, "text") : std::nullopt;
}

transcript::Attachment image_of(std::string_view url) {
  constexpr std::string_view kScheme = "data:", kBase64 = ";base64,";
  transcript::Attachment image{.kind = "image"};
  const std::size_t at = url.find(kBase64);
  if (url.starts_with(kScheme) && at != std::string_view::npos) {
    image.mime = std::string(url.substr(kScheme.size(), at - kScheme.size()));
    image.data = std::string(url.substr(at + kBase64.size()));
  } else {
    image.reference = std::string(url);
  }
  return image;
}

transcript::Unknown unknown_of(std::string_view type, json::object object) {
  transcript::Unknown unknown{.block_type = std::string(type), .raw = nullptr};
  for (const std::string_view key :
       {"id", "turn_id", "thread_id", "timestamp", "internal_chat_message_metadata_passthrough"}) {
    object.erase(key);
  }
  unknown.raw = std::move(object);
  return unknown;
}

std::string mcp_name(std::string_view server, std::string_view tool) {
  return "mcp__" + std::string(server) + "__" + std::string(tool);
}

Reasoning parse_reasoning(const json::object& item) {
  Reasoning reasoning;
  transcript::Thinking thinking;
  for (const std::string_view key : {"summary", "content"}) {
    const json::array* parts = find_array(item, key);
    if (parts == nullptr) continue;
    for (const json::value& part : *parts) {
      const json::object* object = part.if_object();
      const auto text = object == nullptr ? text_of_part(part) : find_string(*object, "text");
      if (!text) continue;
      reasoning.texts.emplace_back(*text);
      if (key == "summary") {
        thinking.summaries.emplace_back(*text);
      } else {
        if (!thinking.text.empty()) thinking.text += '\n';
        thinking.text += *text;
      }
    }
  }
  const auto encrypted = find_string(item, "encrypted_content");
  const bool is_opaque = thinking.text.empty() && thinking.summaries.empty();
  if (is_opaque && encrypted) {
    reasoning.body = transcript::RedactedThinking{std::string(*encrypted)};
  } else if (!is_opaque) {
    if (encrypted) thinking.signature = std::string(*encrypted);
    reasoning.body = std::move(thinking);
  }
  return reasoning;
}

}  // namespace weft::formats::openai

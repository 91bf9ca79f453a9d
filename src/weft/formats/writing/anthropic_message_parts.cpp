#include "weft/formats/writing/anthropic_message_parts.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "weft/formats/apis/anthropic/api_block.hpp"
#include "weft/formats/writing/session_dialogue.hpp"

namespace weft::formats::anthropic {
namespace {

using transcript::Attachment;

bool is_image_type(std::string_view mime) {
  constexpr std::array<std::string_view, 4> kTypes = {"image/jpeg", "image/png", "image/gif",
                                                      "image/webp"};
  return std::ranges::find(kTypes, mime) != kTypes.end();
}

bool is_link(std::string_view reference) {
  return reference.starts_with("https://") || reference.starts_with("http://");
}

json::object block_of(std::string_view type, json::object source,
                      const std::optional<std::string>& title) {
  json::object block{{"type", type}, {"source", std::move(source)}};
  if (title && !title->empty() && type == "document") block["title"] = *title;
  return block;
}

json::object base64(std::string_view mime, std::string_view data) {
  return {{"type", "base64"}, {"media_type", mime}, {"data", data}};
}

// Images and documents of results look alike in Anthropic's own formats and in MCP.
bool is_known_part(const json::value& part) {
  const json::object* object = part.if_object();
  if (object == nullptr) return false;
  const std::string_view type = find_string(*object, "type").value_or("");
  if (type == "text") return find_string(*object, "text").has_value();
  const json::object* source = find_object(*object, "source");
  if (source == nullptr) return false;
  const std::string_view kind = find_string(*source, "type").value_or("");
  const std::string_view mime = find_string(*source, "media_type").value_or("");
  const bool is_url = kind == "url" && is_link(find_string(*source, "url").value_or(""));
  const bool has_data = find_string(*source, "data").value_or("") != "";
  if (type == "image") return is_url || (kind == "base64" && has_data && is_image_type(mime));
  if (type != "document") return false;
  return is_url || (has_data && ((kind == "base64" && mime == "application/pdf") ||
                                 (kind == "text" && mime == "text/plain")));
}

json::object plain_part(const json::object& part) {
  json::object plain{{"type", part.at("type")}};
  for (const char* key : {"text", "source", "title"}) {
    if (const json::value* value = find_member(part, key)) plain[key] = *value;
  }
  return plain;
}

}  // namespace

std::optional<json::object> foreign_attachment(const Attachment& attachment) {
  const std::string_view mime = attachment.mime ? *attachment.mime : std::string_view();
  const bool has_data = attachment.data && !attachment.data->empty();
  if (has_data && is_image_type(mime)) {
    return block_of("image", base64(mime, *attachment.data), {});
  }
  if (has_data && mime == "application/pdf") {
    return block_of("document", base64(mime, *attachment.data), attachment.name);
  }
  if (attachment.text && !attachment.text->empty()) {
    return block_of("document",
                    {{"type", "text"}, {"media_type", "text/plain"}, {"data", *attachment.text}},
                    attachment.name);
  }
  if (!attachment.reference || !is_link(*attachment.reference)) return std::nullopt;
  const bool is_image = attachment.kind == "image" || mime.starts_with("image/");
  const bool is_document = attachment.kind == "document" || mime == "application/pdf";
  if (!is_image && !is_document) return std::nullopt;
  return block_of(is_image ? "image" : "document",
                  {{"type", "url"}, {"url", *attachment.reference}}, attachment.name);
}

json::value foreign_content(const transcript::ToolResult& result) {
  if (!result.parts || !std::ranges::all_of(*result.parts, is_known_part)) {
    return json::string(result.text);
  }
  json::array parts;
  for (const json::value& part : *result.parts) {
    if (find_string(part.get_object(), "text") != "") {
      parts.push_back(plain_part(part.get_object()));
    }
  }
  return parts;
}

std::optional<json::object> foreign_block(const transcript::Block& block,
                                          std::string_view call_id) {
  if (const auto* file = std::get_if<Attachment>(&block.body)) return foreign_attachment(*file);
  if (const auto* compaction = std::get_if<transcript::Compaction>(&block.body)) {
    if (compaction->summary.empty()) return std::nullopt;
    return json::object{{"type", "text"}, {"text", compaction->summary}};
  }
  std::optional<json::object> out = to_api_block(block, call_id);
  if (const auto* call = std::get_if<transcript::ToolCall>(&block.body)) {
    const std::string name = plain_name(call->name, kMaxToolName);
    (*out)["name"] = name.empty() ? "tool" : name;
  }
  if (const auto* result = std::get_if<transcript::ToolResult>(&block.body)) {
    json::value content = foreign_content(*result);
    if (content == json::value("") || content == json::value(json::array())) {
      out->erase("content");
    } else {
      (*out)["content"] = std::move(content);
    }
  }
  return out;
}

json::object missing_result(std::string_view call_id) {
  return {{"type", "tool_result"},
          {"tool_use_id", call_id},
          {"content", kNoResult},
          {"is_error", true}};
}

std::optional<json::object> tool_definition(const json::value& tool) {
  const json::object* object = tool.if_object();
  if (object == nullptr) return std::nullopt;
  const json::object* function = find_object(*object, "function");
  const bool is_theirs = function != nullptr || find_string(*object, "type") == "function";
  if (!is_theirs) {
    // OpenAI's own have a type and no schema that we could give.
    if (object->contains("input_schema") || object->contains("name")) return *object;
    return std::nullopt;
  }
  const json::object& theirs = function == nullptr ? *object : *function;
  json::object ours{{"name", plain_name(find_string(theirs, "name").value_or(""), kMaxToolName)}};
  if (ours["name"] == json::value("")) return std::nullopt;
  if (const auto says = find_string(theirs, "description")) ours["description"] = *says;
  const json::object* schema = find_object(theirs, "parameters");
  ours["input_schema"] =
      schema != nullptr && schema->contains("type") ? *schema : json::object{{"type", "object"}};
  return ours;
}

}  // namespace weft::formats::anthropic

#include "weft/formats/writing/openai_message_parts.hpp"

#include <algorithm>
#include <utility>

#include "weft/formats/writing/dialogue.hpp"

namespace weft::formats::openai {
namespace {

using transcript::Attachment;

std::string data_url(std::string_view mime, std::string_view data) {
  return "data:" + std::string(mime) + ";base64," + std::string(data);
}

json::object with_extra(json::object object, const Attachment& attachment) {
  for (const auto& member : attachment.extra.value_or(json::object())) {
    if (member.key() == "detail") object["detail"] = member.value();
  }
  return object;
}

std::optional<json::object> image_part(const Attachment& attachment) {
  std::string url;
  if (attachment.data) url = data_url(attachment.mime.value_or("image/png"), *attachment.data);
  else if (attachment.reference && attachment.reference->starts_with("http")) {
    url = *attachment.reference;
  } else {
    return std::nullopt;
  }
  return json::object{{"type", "image_url"}, {"image_url", with_extra({{"url", url}}, attachment)}};
}

std::optional<json::object> audio_part(const Attachment& attachment) {
  const std::string_view mime = attachment.mime ? *attachment.mime : std::string_view();
  const std::string_view format = mime == "audio/wav" ? "wav" : mime == "audio/mp3" ? "mp3" : "";
  if (!attachment.data || format.empty()) return std::nullopt;
  return json::object{{"type", "input_audio"},
                      {"input_audio", {{"data", *attachment.data}, {"format", format}}}};
}

std::optional<json::object> file_part(const Attachment& attachment) {
  json::object file;
  if (attachment.name) file["filename"] = *attachment.name;
  if (attachment.data && attachment.mime) {
    file["file_data"] = data_url(*attachment.mime, *attachment.data);
  } else if (attachment.reference && attachment.reference->starts_with("file-")) {
    file["file_id"] = *attachment.reference;
  } else {
    return std::nullopt;
  }
  return json::object{{"type", "file"}, {"file", std::move(file)}};
}

bool is_text(const json::value& part) {
  const json::object* object = part.if_object();
  return object != nullptr && find_string(*object, "type") == "text" &&
         find_string(*object, "text");
}

}  // namespace

json::object text_part(std::string_view text) { return {{"type", "text"}, {"text", text}}; }

std::optional<json::object> attachment_part(const Attachment& attachment) {
  const std::string_view mime = attachment.mime ? *attachment.mime : std::string_view();
  std::optional<json::object> part;
  if (attachment.kind == "image" || mime.starts_with("image/")) part = image_part(attachment);
  else if (attachment.kind == "audio") part = audio_part(attachment);
  else if (!attachment.text) part = file_part(attachment);
  if (!part && attachment.text && !attachment.text->empty()) part = text_part(*attachment.text);
  return part;
}

json::object call_json(const transcript::Block& block, std::string_view id) {
  const auto& call = std::get<transcript::ToolCall>(block.body);
  static const json::object kNone;
  const json::object& extra = block.extra ? *block.extra : kNone;
  std::string name = plain_name(call.name, kMaxToolNameBytes);
  if (name.empty()) name = "tool";
  if (find_string(extra, "type") == "custom" && call.input.is_string()) {
    return {{"id", id},
            {"type", "custom"},
            {"custom", {{"name", std::move(name)}, {"input", call.input}}}};
  }
  std::string arguments = "{}";
  if (const auto blocks = find_string(extra, "arguments")) arguments = *blocks;
  else if (const json::string* text = call.input.if_string()) arguments = view(*text);
  else if (!call.input.is_null()) arguments = canonical_json(call.input);
  return {{"id", id},
          {"type", "function"},
          {"function", {{"name", std::move(name)}, {"arguments", std::move(arguments)}}}};
}

json::object result_message(const transcript::ToolResult& result, std::string_view id,
                            bool& left_out) {
  json::value content = json::string(result.text);
  if (result.parts) {
    json::array texts;
    for (const json::value& part : *result.parts) {
      if (!is_text(part)) left_out = true;
      else texts.push_back(text_part(*find_string(part.get_object(), "text")));
    }
    if (texts.size() > 1) content = std::move(texts);
  } else if (result.text.empty() && result.details) {
    content = json::string(canonical_json(*result.details));
  }
  return {{"role", "tool"}, {"tool_call_id", id}, {"content", std::move(content)}};
}

std::optional<json::object> tool_json(const json::value& tool) {
  const json::object* object = tool.if_object();
  if (object == nullptr) return std::nullopt;
  if (object->contains("function") || object->contains("custom")) return *object;
  const auto name = find_string(*object, "name");
  const json::object* schema = find_object(*object, "input_schema");
  if (schema == nullptr) schema = find_object(*object, "parameters");
  const bool is_function = schema != nullptr || find_string(*object, "type") == "function";
  if (!name || name->empty() || !is_function) return std::nullopt;
  json::object function{{"name", plain_name(*name, kMaxToolNameBytes)}};
  if (const auto says = find_string(*object, "description")) function["description"] = *says;
  if (schema != nullptr) function["parameters"] = *schema;
  return json::object{{"type", "function"}, {"function", std::move(function)}};
}

}  // namespace weft::formats::openai

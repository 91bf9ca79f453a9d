// Parses and writes Anthropic's images, documents and files: {type, source, …}. The source's type
// decides which of its members holds what; other members are kept in `extra`.
#include <string>
#include <utility>

#include "weft/formats/apis/anthropic/blocks.hpp"

namespace weft::formats::anthropic {
namespace {

using transcript::Attachment;

// Removes the member from `object` if it is a string.
std::optional<std::string> take_string(json::object& object, std::string_view key) {
  const auto text = find_string(object, key);
  if (!text) return std::nullopt;
  std::string outcome(*text);
  object.erase(key);
  return outcome;
}

std::optional<std::string> join_texts(const json::value& content) {
  if (content.is_string()) return std::string(view(content.get_string()));
  const json::array* parts = content.if_array();
  std::optional<std::string> joined;
  for (const json::value& part : parts == nullptr ? json::array() : *parts) {
    const json::object* object = part.if_object();
    if (object == nullptr || find_string(*object, "type") != "text") continue;
    const auto text = find_string(*object, "text");
    if (!text) continue;
    if (joined) *joined += '\n';
    joined = joined.value_or("") + std::string(*text);
  }
  return joined;
}

// The source's type, if the attachment's own members show it.
std::string_view plain_source_type(const Attachment& attachment) {
  if (attachment.data) return "base64";
  if (attachment.text) return "text";
  if (attachment.reference) return "url";
  return "none";
}

// Moves what the source holds into `attachment`. False for a source of no known shape.
bool take_source(Attachment& attachment, json::object& source) {
  const std::string type(find_string(source, "type").value_or(""));
  if (type == "base64") {
    attachment.data = take_string(source, "data");
    if (!attachment.data) return false;
  } else if (type == "text") {
    attachment.text = take_string(source, "data");
    if (!attachment.text) return false;
  } else if (type == "url" || type == "file") {
    attachment.reference = take_string(source, type == "url" ? "url" : "file_id");
    if (!attachment.reference) return false;
  } else if (type == "content") {
    const json::value* content = find_member(source, "content");
    if (content == nullptr) return false;
    attachment.text = join_texts(*content);
  } else if (type != "none") {
    return false;
  }
  attachment.mime = take_string(source, "media_type");
  if (type == plain_source_type(attachment)) source.erase("type");
  return true;
}

}  // namespace

std::optional<Attachment> parse_attachment(std::string_view kind, const json::object& block) {
  const json::object* found = find_object(block, "source");
  if (found == nullptr) return std::nullopt;
  Attachment attachment{.kind = std::string(kind)};
  json::object source = *found;
  if (!take_source(attachment, source)) return std::nullopt;

  json::object extra = block;
  for (const char* key :
       {"type", "source", "start_timestamp", "stop_timestamp", "model", "cache_control"}) {
    extra.erase(key);
  }
  attachment.name = take_string(extra, "title");
  if (kind == "file") attachment.kind = take_string(extra, "kind").value_or("file");
  if (const auto size = find_int(extra, "size"); size && *size >= 0) {
    attachment.size = static_cast<std::uint64_t>(*size);
    extra.erase("size");
  }
  if (!source.empty()) extra["source"] = std::move(source);
  if (!extra.empty()) attachment.extra = std::move(extra);
  return attachment;
}

json::object attachment_json(const Attachment& attachment) {
  json::object source;
  // Of a kind that no block is called by: a file, and the kind beside it.
  const bool is_type = attachment.kind == "image" || attachment.kind == "document";
  json::object block{{"type", is_type ? attachment.kind : "file"}, {"source", nullptr}};
  if (!is_type && attachment.kind != "file") block["kind"] = attachment.kind;
  if (attachment.name) block["title"] = *attachment.name;
  if (attachment.size) block["size"] = *attachment.size;
  for (const auto& member : attachment.extra.value_or(json::object())) {
    // A name that another format gives it is not kept.
    if (member.key() == "type") continue;
    if (member.key() == "source" && member.value().is_object()) {
      source = member.value().get_object();
    } else {
      block[member.key()] = member.value();
    }
  }
  if (!source.contains("type")) source["type"] = plain_source_type(attachment);
  const std::string type(find_string(source, "type").value_or(""));
  if (attachment.mime) source["media_type"] = *attachment.mime;
  if (type == "base64") source["data"] = attachment.data.value_or("");
  if (type == "text") source["data"] = attachment.text.value_or("");
  if (type == "url") source["url"] = attachment.reference.value_or("");
  if (type == "file") source["file_id"] = attachment.reference.value_or("");
  block["source"] = std::move(source);
  return block;
}

}  // namespace weft::formats::anthropic

// Images, sounds and files. Their bytes lie elsewhere in the archive, under names that begin
// with their ids.
#include "weft/formats/adapters/chatgpt_export/chatgpt_export.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::chatgpt_export {
namespace {

using transcript::Attachment;
using transcript::Author;

// "file-service://file-AbC" and "sediment://file_0001" → the id behind the scheme.
std::string id_of(std::string_view pointer) {
  const std::size_t scheme = pointer.find("://");
  if (scheme != std::string_view::npos) pointer.remove_prefix(scheme + 3);
  return std::string(pointer.substr(0, pointer.find_first_of("?#")));
}

std::optional<std::uint64_t> find_size(const json::object& object, std::string_view key) {
  const auto size = find_int(object, key);
  if (!size || *size < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*size);
}

void keep(json::object& extra, const json::object& object, std::string_view key) {
  const json::value* value = find_member(object, key);
  if (value != nullptr && !value->is_null()) extra[key] = *value;
}

}  // namespace

void Assets::add_pointer(std::string_view kind, const json::object& pointer,
                         std::vector<AuthoredBlock>& blocks) {
  Attachment attachment{.kind = std::string(kind)};
  attachment.reference = find_words(pointer, "asset_pointer");
  attachment.size = find_size(pointer, "size_bytes");
  if (const auto format = find_words(pointer, "format")) attachment.mime = "audio/" + *format;
  json::object extra;
  keep(extra, pointer, "width");
  keep(extra, pointer, "height");
  if (const json::object* metadata = find_object(pointer, "metadata"))
    keep(extra, *metadata, "dalle");
  if (!extra.empty()) attachment.extra = std::move(extra);
  if (attachment.reference) pointers_[id_of(*attachment.reference)] = blocks.size();
  blocks.push_back({.author = author_, .body = std::move(attachment)});
}

void Assets::add_part(const json::value& part, std::vector<AuthoredBlock>& blocks) {
  if (part.is_null()) return;
  const json::object* object = part.if_object();
  const std::string_view type =
      object == nullptr ? "" : find_string(*object, "content_type").value_or("");
  if (type == "image_asset_pointer") {
    add_pointer("image", *object, blocks);
  } else if (type == "audio_asset_pointer" || type == "video_container_asset_pointer") {
    add_pointer("file", *object, blocks);
  } else if (type == "audio_transcription") {
    // Of a tool, it is in the text of its result.
    const auto text = find_words(*object, "text");
    if (text && author_ != Author::tool) {
      blocks.push_back(
          {.author = author_, .body = transcript::Text{.text = *text, .citations = {}}});
    }
  } else if (type == "real_time_user_audio_video_asset_pointer") {
    for (const std::string_view key : {"audio_asset_pointer", "video_container_asset_pointer"}) {
      if (const json::object* inner = find_object(*object, key))
        add_pointer("file", *inner, blocks);
    }
    const json::array* frames = find_array(*object, "frames_asset_pointers");
    for (std::size_t i = 0; frames != nullptr && i < frames->size(); ++i) {
      if (const json::object* frame = (*frames)[i].if_object())
        add_pointer("image", *frame, blocks);
    }
  } else {
    blocks.push_back({.author = author_,
                      .body = transcript::Unknown{
                          .block_type = std::string(type), .raw = part, .raw_text = std::nullopt}});
  }
}

void Assets::add_attachments(const json::object& message, std::vector<AuthoredBlock>& blocks) {
  const json::object* metadata = find_object(message, "metadata");
  const json::array* attachments =
      metadata == nullptr ? nullptr : find_array(*metadata, "attachments");
  for (std::size_t i = 0; attachments != nullptr && i < attachments->size(); ++i) {
    const json::object* object = (*attachments)[i].if_object();
    if (object == nullptr) continue;
    const auto id = find_words(*object, "id");
    auto mime = find_words(*object, "mime_type");
    if (!mime) mime = find_words(*object, "mimeType");
    const auto shown = id ? pointers_.find(*id) : pointers_.end();
    if (shown != pointers_.end()) {
      auto& pointer = std::get<Attachment>(blocks[shown->second].body);
      pointer.name = find_words(*object, "name");
      pointer.mime = mime;
      continue;
    }
    Attachment attachment{.kind = mime && mime->starts_with("image/") ? "image" : "file"};
    attachment.name = find_words(*object, "name");
    attachment.mime = mime;
    attachment.reference = id ? id : find_words(*object, "file_id");
    attachment.size = find_size(*object, "size");
    blocks.push_back({.author = author_, .body = std::move(attachment)});
  }
}

}  // namespace weft::formats::chatgpt_export

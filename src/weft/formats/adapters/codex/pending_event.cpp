#include "weft/formats/adapters/codex/pending_event.hpp"

#include <string_view>
#include <utility>

namespace weft::formats::codex {
namespace {

using transcript::Author;

json::array authored_json(const std::vector<AuthoredBlock>& blocks) {
  json::array array;
  for (const AuthoredBlock& one : blocks) {
    json::object object{{"by", static_cast<std::int64_t>(one.author)}};
    if (const auto* text = std::get_if<transcript::Text>(&one.body)) {
      object["text"] = text->text;
    } else if (const auto* thinking = std::get_if<transcript::Thinking>(&one.body)) {
      object["thinking"] = thinking->text;
      object["summaries"] = json::array(thinking->summaries.begin(), thinking->summaries.end());
    } else if (const auto* image = std::get_if<transcript::Attachment>(&one.body)) {
      object["image"] = image->kind;
      if (image->mime) object["mime"] = *image->mime;
      if (image->data) object["data"] = *image->data;
      if (image->reference) object["url"] = *image->reference;
    }
    array.push_back(std::move(object));
  }
  return array;
}

std::optional<std::string> optional_string(const json::object& object, std::string_view key) {
  const auto text = find_string(object, key);
  return text ? std::optional(std::string(*text)) : std::nullopt;
}

std::optional<std::vector<std::string>> strings(const json::array* array) {
  if (array == nullptr) return std::nullopt;
  std::vector<std::string> texts;
  for (const json::value& text : *array) {
    if (!text.is_string()) return std::nullopt;
    texts.emplace_back(view(text.get_string()));
  }
  return texts;
}

std::optional<AuthoredBlock> parse_authored(const json::value& value) {
  const json::object* object = value.if_object();
  const auto by = object == nullptr ? std::nullopt : find_int(*object, "by");
  if (!by || *by < 0 || *by > static_cast<std::int64_t>(Author::program)) return std::nullopt;
  AuthoredBlock block{.author = static_cast<Author>(*by), .body = {}};
  if (auto text = optional_string(*object, "text")) {
    block.body = transcript::Text{std::move(*text)};
  } else if (auto thought = optional_string(*object, "thinking")) {
    auto summaries = strings(find_array(*object, "summaries"));
    if (!summaries) return std::nullopt;
    block.body =
        transcript::Thinking{.text = std::move(*thought), .summaries = std::move(*summaries)};
  } else if (auto image = optional_string(*object, "image")) {
    transcript::Attachment attachment{.kind = std::move(*image)};
    attachment.mime = optional_string(*object, "mime");
    attachment.data = optional_string(*object, "data");
    attachment.reference = optional_string(*object, "url");
    block.body = std::move(attachment);
  } else {
    return std::nullopt;
  }
  return block;
}

std::optional<PairKind> pair_kind_at(const json::object& object) {
  const auto pair_kind = find_int(object, "voice");
  if (!pair_kind || *pair_kind < 0 || *pair_kind > static_cast<std::int64_t>(PairKind::reasoning)) {
    return std::nullopt;
  }
  return static_cast<PairKind>(*pair_kind);
}

}  // namespace

json::object pending_json(const PendingEvent& pending) {
  json::object object{{"voice", static_cast<std::int64_t>(pending.content.pair_kind)},
                      {"said", authored_json(pending.content.blocks)},
                      {"echoes", json::array(pending.content.match_texts.begin(),
                                             pending.content.match_texts.end())},
                      {"line", pending.line},
                      {"place", pending.place}};
  if (pending.time) object["time"] = *pending.time;
  return object;
}

std::optional<PendingEvent> parse_pending(const json::value& value) {
  const json::object* object = value.if_object();
  if (object == nullptr) return std::nullopt;
  const auto pair_kind = pair_kind_at(*object);
  const json::array* authored = find_array(*object, "said");
  auto match_texts = strings(find_array(*object, "echoes"));
  const auto line = find_int(*object, "line");
  const auto place = find_string(*object, "place");
  if (!pair_kind || authored == nullptr || !match_texts || !line || *line < 0 || !place)
    return std::nullopt;
  PendingEvent pending{
      .content = {.blocks = {}, .pair_kind = *pair_kind, .match_texts = std::move(*match_texts)},
      .line = static_cast<std::uint64_t>(*line),
      .place = std::string(*place),
      .time = find_int(*object, "time")};
  pending.content.is_prompt = *pair_kind == PairKind::prompt;
  for (const json::value& one : *authored) {
    auto parsed = parse_authored(one);
    if (!parsed) return std::nullopt;
    pending.content.blocks.push_back(std::move(*parsed));
  }
  return pending;
}

}  // namespace weft::formats::codex

#include "weft/formats/adapters/codex/pending_event.hpp"

#include <string_view>
#include <utility>

namespace weft::formats::codex {
namespace {

using transcript::Author;

json::array said_json(const std::vector<Said>& said) {
  json::array array;
  for (const Said& one : said) {
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

std::optional<Said> parse_said(const json::value& value) {
  const json::object* object = value.if_object();
  const auto by = object == nullptr ? std::nullopt : find_int(*object, "by");
  if (!by || *by < 0 || *by > static_cast<std::int64_t>(Author::program)) return std::nullopt;
  Said said{.author = static_cast<Author>(*by), .body = {}};
  if (auto text = optional_string(*object, "text")) {
    said.body = transcript::Text{std::move(*text)};
  } else if (auto thought = optional_string(*object, "thinking")) {
    auto summaries = strings(find_array(*object, "summaries"));
    if (!summaries) return std::nullopt;
    said.body =
        transcript::Thinking{.text = std::move(*thought), .summaries = std::move(*summaries)};
  } else if (auto image = optional_string(*object, "image")) {
    transcript::Attachment attachment{.kind = std::move(*image)};
    attachment.mime = optional_string(*object, "mime");
    attachment.data = optional_string(*object, "data");
    attachment.reference = optional_string(*object, "url");
    said.body = std::move(attachment);
  } else {
    return std::nullopt;
  }
  return said;
}

std::optional<Voice> voice_at(const json::object& object) {
  const auto voice = find_int(object, "voice");
  if (!voice || *voice < 0 || *voice > static_cast<std::int64_t>(Voice::reasoning)) {
    return std::nullopt;
  }
  return static_cast<Voice>(*voice);
}

}  // namespace

json::object held_json(const Held& held) {
  json::object object{
      {"voice", static_cast<std::int64_t>(held.utterance.voice)},
      {"said", said_json(held.utterance.said)},
      {"echoes", json::array(held.utterance.echoes.begin(), held.utterance.echoes.end())},
      {"line", held.line},
      {"place", held.place}};
  if (held.time) object["time"] = *held.time;
  return object;
}

std::optional<Held> parse_held(const json::value& value) {
  const json::object* object = value.if_object();
  if (object == nullptr) return std::nullopt;
  const auto voice = voice_at(*object);
  const json::array* said = find_array(*object, "said");
  auto echoes = strings(find_array(*object, "echoes"));
  const auto line = find_int(*object, "line");
  const auto place = find_string(*object, "place");
  if (!voice || said == nullptr || !echoes || !line || *line < 0 || !place) return std::nullopt;
  Held held{.utterance = {.said = {}, .voice = *voice, .echoes = std::move(*echoes)},
            .line = static_cast<std::uint64_t>(*line),
            .place = std::string(*place),
            .time = find_int(*object, "time")};
  held.utterance.is_prompt = *voice == Voice::person;
  for (const json::value& one : *said) {
    auto parsed = parse_said(one);
    if (!parsed) return std::nullopt;
    held.utterance.said.push_back(std::move(*parsed));
  }
  return held;
}

}  // namespace weft::formats::codex

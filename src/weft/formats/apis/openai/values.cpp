#include "weft/formats/apis/openai/values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/apis/openai/item_parts.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::openai {
namespace {

using transcript::Attachment;
using transcript::Body;
using transcript::Text;

// The first of `keys` that counts anything.
std::int64_t first_count(const json::object& object, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (const std::int64_t count = count_in(object, key); count != 0) return count;
  }
  return 0;
}

std::optional<std::string> text_in(const json::object& object, std::string_view key) {
  const auto text = find_string(object, key);
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

// {"image_url":{"url":"…"}} of Chat, {"image_url":"…"} of Responses.
std::optional<Attachment> linked(const json::object& part, std::string_view key,
                                 std::string_view kind) {
  const json::object* inner = find_object(part, key);
  const auto url = inner == nullptr ? find_string(part, key) : find_string(*inner, "url");
  if (!url) return std::nullopt;
  Attachment file = image_of(*url);
  file.kind = kind;
  if (inner != nullptr && find_string(*inner, "detail")) {
    file.extra = json::object{{"detail", inner->at("detail")}};
  }
  return file;
}

std::optional<Attachment> file_of(const json::object& part) {
  const json::object* inner = find_object(part, "file");
  const json::object& file = inner == nullptr ? part : *inner;
  Attachment attachment{.kind = "file", .name = text_in(file, "filename")};
  if (const auto data = find_string(file, "file_data")) {
    const Attachment bytes = image_of(*data);
    attachment.mime = bytes.mime;
    attachment.data = bytes.data ? bytes.data : std::optional<std::string>(*data);
  } else {
    attachment.reference = text_in(file, "file_id");
    if (!attachment.reference) attachment.reference = text_in(file, "file_url");
  }
  const bool is_there = attachment.data || attachment.reference;
  return is_there ? std::optional(std::move(attachment)) : std::nullopt;
}

std::optional<Attachment> audio_of(const json::object& part) {
  const json::object* audio = find_object(part, "input_audio");
  const auto data = audio == nullptr ? std::nullopt : find_string(*audio, "data");
  if (!data) return std::nullopt;
  const auto format = find_string(*audio, "format");
  Attachment attachment{.kind = "audio", .data = std::string(*data)};
  if (format) attachment.mime = "audio/" + std::string(*format);
  return attachment;
}

std::optional<Attachment> attachment_of(std::string_view type, const json::object& part) {
  if (type == "image_url" || type == "input_image" || type == "computer_screenshot") {
    if (auto image = linked(part, "image_url", "image")) return image;
    auto image = file_of(part);
    if (image) image->kind = "image";
    return image;
  }
  if (type == "video_url") return linked(part, "video_url", "video");
  if (type == "input_audio") return audio_of(part);
  if (type == "file" || type == "input_file") return file_of(part);
  return std::nullopt;
}

// {"type":"thinking","thinking":[{"type":"text","text":"…"}]}, as Mistral has it.
std::optional<std::string> thought_of(const json::object& part) {
  const json::array* pieces = find_array(part, "thinking");
  if (pieces == nullptr) return std::nullopt;
  std::string text;
  for (const json::value& piece : *pieces) {
    const json::object* object = piece.if_object();
    if (object != nullptr) text += find_string(*object, "text").value_or("");
  }
  return text;
}

bool is_text_type(std::string_view type) {
  return type == "text" || type == "input_text" || type == "output_text" || type == "summary_text";
}

}  // namespace

std::string name_in(const json::object& object, std::string_view key) {
  const auto name = find_string(object, key);
  return name && name->size() <= kMaxNameBytes ? std::string(*name) : std::string();
}

const json::value* find_given(const json::object& object, std::string_view key) {
  const json::value* value = find_member(object, key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

json::array& array_in(json::object& object, std::string_view key) {
  json::value& value = object[key];
  return value.is_array() ? value.get_array() : value.emplace_array();
}

json::object& object_in(json::object& object, std::string_view key) {
  json::value& value = object[key];
  return value.is_object() ? value.get_object() : value.emplace_object();
}

json::value arguments_of(const json::value* arguments) {
  if (arguments == nullptr) return {};
  if (const json::string* text = arguments->if_string()) {
    Result<ParsedJson> parsed = parse_json(view(*text));
    if (parsed && !parsed->inexact && parsed->value.is_object()) return std::move(parsed->value);
  }
  return *arguments;
}

transcript::Usage usage_of(const json::object& usage) {
  const json::object* in = find_object(usage, "prompt_tokens_details");
  if (in == nullptr) in = find_object(usage, "input_tokens_details");
  const auto count_within = [&](std::string_view key) {
    return in == nullptr ? 0 : count_in(*in, key);
  };
  transcript::Usage counted{
      .input = first_count(usage, {"prompt_tokens", "input_tokens"}),
      .output = first_count(usage, {"completion_tokens", "output_tokens"}),
      .cache_read = count_within("cached_tokens"),
      .cache_write = count_within("cache_write_tokens"),
  };
  if (counted.cache_read == 0) {
    counted.cache_read = first_count(usage, {"cache_read_input_tokens", "prompt_cache_hit_tokens"});
  }
  if (counted.cache_write == 0) {
    counted.cache_write = count_within("cache_creation_tokens");
  }
  if (counted.cache_write == 0) {
    counted.cache_write = count_in(usage, "cache_creation_input_tokens");
  }
  return counted;
}

std::optional<Millis> time_of(const json::value* value) {
  // Whatever is not within these, in whatever unit, is no time: seconds up to the year 5138.
  constexpr double kMostSeconds = 1e11, kThousand = 1000;
  if (value == nullptr) return std::nullopt;
  if (const json::string* text = value->if_string()) return parse_iso8601(view(*text));
  double seconds = 0;
  if (const std::int64_t* whole = value->if_int64()) seconds = static_cast<double>(*whole);
  if (const double* fraction = value->if_double()) seconds = *fraction;
  if (seconds >= kMostSeconds) seconds /= kThousand;
  if (!(seconds > 0) || seconds >= kMostSeconds) return std::nullopt;
  return static_cast<Millis>(std::floor(seconds * kThousand));
}

std::vector<transcript::Citation> citations_of(const json::value* annotations) {
  std::vector<transcript::Citation> citations;
  const json::array* list = annotations == nullptr ? nullptr : annotations->if_array();
  if (list == nullptr) return citations;
  for (const json::value& annotation : *list) {
    const json::object* source = annotation.if_object();
    if (source == nullptr) continue;
    if (const json::object* inner = find_object(*source, "url_citation")) source = inner;
    transcript::Citation citation{.url = text_in(*source, "url"),
                                  .title = text_in(*source, "title")};
    if (!citation.title) citation.title = text_in(*source, "filename");
    for (const std::string_view key : {"cited_text", "content", "quote"}) {
      if (!citation.text) citation.text = text_in(*source, key);
    }
    if (!citation.url && !citation.title) continue;
    const auto from = find_int(*source, "start_index"), to = find_int(*source, "end_index");
    if (from && to && *from >= 0 && *to > *from) {
      citation.indices = {static_cast<std::uint64_t>(*from), static_cast<std::uint64_t>(*to)};
    }
    citations.push_back(std::move(citation));
  }
  return citations;
}

std::vector<Body> parse_part(const json::value& part) {
  if (const json::string* text = part.if_string()) {
    if (text->empty()) return {};
    return {Text{std::string(view(*text))}};
  }
  const json::object* object = part.if_object();
  if (object == nullptr) {
    if (part.is_null()) return {};
    return {transcript::Unknown{.block_type = "", .raw = part}};
  }
  const std::string_view type = find_string(*object, "type").value_or("text");
  if (is_text_type(type)) {
    const auto text = find_string(*object, "text");
    if (text) {
      if (text->empty()) return {};
      return {Text{std::string(*text), citations_of(find_member(*object, "annotations"))}};
    }
  }
  if (const auto refusal = find_string(*object, "refusal")) {
    // The model's own words: it is the provider's refusals that are failures.
    if (refusal->empty()) return {};
    return {Text{std::string(*refusal)}};
  }
  if (auto thought = type == "thinking" ? thought_of(*object) : std::nullopt) {
    if (thought->empty()) return {};
    return {transcript::Thinking{.text = std::move(*thought)}};
  }
  if (auto file = attachment_of(type, *object)) return {std::move(*file)};
  // Proxies pass on blocks in other vendors' formats.
  Body theirs = anthropic::parse_block(part).body;
  if (!std::holds_alternative<transcript::Unknown>(theirs)) return {std::move(theirs)};
  return {unknown_of(type, *object)};
}

transcript::ToolResult parse_output(const json::value* output) {
  transcript::ToolResult result;
  if (output == nullptr) return result;
  if (const json::string* text = output->if_string()) {
    result.text = view(*text);
  } else if (const json::array* parts = output->if_array()) {
    std::size_t texts = 0;
    for (const json::value& part : *parts) {
      const json::object* object = part.if_object();
      if (object == nullptr || !is_text_type(find_string(*object, "type").value_or("text")))
        continue;
      const auto words = find_string(*object, "text");
      if (!words) continue;
      if (texts++ > 0) result.text += '\n';
      result.text += *words;
    }
    if (!parts->empty() && (parts->size() > 1 || texts == 0)) result.parts = *parts;
  } else if (!output->is_null()) {
    result.details = *output;
  }
  return result;
}

transcript::Failure failure_of(const json::value& error) {
  transcript::Failure failure;
  if (const json::string* text = error.if_string()) {
    failure.text = view(*text);
    return failure;
  }
  const json::object* object = error.if_object();
  if (object == nullptr) return failure;
  for (const std::string_view key : {"message", "error_message", "code", "type"}) {
    if (failure.text.empty()) failure.text = find_string(*object, key).value_or("");
  }
  failure.details = *object;
  return failure;
}

std::vector<std::string> tool_names(const json::object& body) {
  constexpr std::size_t kMost = 2000;
  std::vector<std::string> names;
  for (const std::string_view key : {"tools", "functions"}) {
    const json::array* tools = find_array(body, key);
    if (tools == nullptr) continue;
    const std::string server = name_in(body, "server_label");
    for (const json::value& value : *tools) {
      const json::object* tool = value.if_object();
      if (tool == nullptr || names.size() == kMost) continue;
      const std::string type = name_in(*tool, "type");
      for (const std::string_view inner : {"function", "custom"}) {
        if (const json::object* object = find_object(*tool, inner)) tool = object;
      }
      std::string name = name_in(*tool, "name");
      if (name.empty() && type == "mcp") name = "mcp__" + name_in(*tool, "server_label");
      if (name.empty()) name = type;
      if (!server.empty()) name = mcp_name(server, name);
      if (!name.empty()) names.push_back(std::move(name));
    }
  }
  return names;
}

std::size_t size_of(const json::object& object) {
  std::size_t size = 0;
  for (const auto& member : object) size += member.key().size() + size_of(member.value());
  return size;
}

std::size_t size_of(const json::value& value) {
  if (const json::string* text = value.if_string()) return sizeof value + text->size();
  if (const json::object* object = value.if_object()) return sizeof value + size_of(*object);
  std::size_t size = sizeof value;
  if (const json::array* array = value.if_array()) {
    for (const json::value& element : *array) size += size_of(element);
  }
  return size;
}

std::string provider_of(std::string_view model) {
  constexpr std::array<std::string_view, 9> kOwn = {
      "gpt-", "chatgpt-", "o1", "o3", "o4", "codex-", "ft:gpt-", "openai/", "computer-use"};
  // Those whose weights are open run anywhere.
  if (model.find("gpt-oss") != std::string_view::npos) return {};
  const bool is_own =
      std::ranges::any_of(kOwn, [&](std::string_view own) { return model.starts_with(own); });
  return is_own ? "openai" : "";
}

}  // namespace weft::formats::openai

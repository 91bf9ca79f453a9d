// Parts of messages, calls and results, which all three logs have in common.
#include <algorithm>
#include <array>

#include "weft/formats/adapters/kimi/kimi.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::kimi {
namespace {

using transcript::Attachment;
using transcript::Author;
using transcript::Body;
using transcript::Text;
using transcript::Thinking;
using transcript::ToolCall;
using transcript::ToolResult;

transcript::Unknown unknown(const json::value& part, std::string_view type) {
  return {.block_type = std::string(type), .raw = part, .raw_text = std::nullopt};
}

// "data:image/png;base64,AAAA" has type and bytes in it; anything else is elsewhere.
void set_source(Attachment& attachment, std::string_view url) {
  constexpr std::string_view kData = "data:", kBase64 = ";base64,";
  const std::size_t comma = url.substr(0, 256).find(kBase64);
  if (!url.starts_with(kData) || comma == std::string_view::npos) {
    attachment.reference = std::string(url);
    return;
  }
  const std::string_view mime = url.substr(kData.size(), comma - kData.size());
  if (!mime.empty()) attachment.mime = std::string(mime);
  attachment.data = std::string(url.substr(comma + kBase64.size()));
}

// {"type": "image_url", "image_url": {"url"}}; Kimi Code writes imageUrl, migrated logs
// {"type": "image", "url"}.
std::optional<Attachment> parse_media(const json::object& part, std::string_view type) {
  constexpr std::array<std::string_view, 3> kMedia = {"image", "audio", "video"};
  for (const std::string_view media : kMedia) {
    if (type != media && type != std::string(media) + "_url") continue;
    const json::object* inner = find_object(part, std::string(media) + "_url");
    if (inner == nullptr) inner = find_object(part, std::string(media) + "Url");
    if (inner == nullptr) inner = &part;
    const auto url = find_string(*inner, "url");
    if (!url) return std::nullopt;
    Attachment attachment{.kind = media == "image" ? "image" : "file"};
    set_source(attachment, *url);
    return attachment;
  }
  return std::nullopt;
}

bool is_empty(const Body& body) {
  if (const auto* text = std::get_if<Text>(&body)) return text->text.empty();
  const auto* thinking = std::get_if<Thinking>(&body);
  return thinking != nullptr && thinking->text.empty() && !thinking->signature;
}

void add(std::vector<AuthoredBlock>& blocks, Author author, Body body) {
  if (!is_empty(body)) blocks.push_back({.author = author, .body = std::move(body)});
}

}  // namespace

Body parse_part(const json::value& part) {
  if (part.is_string()) return Text{.text = std::string(view(part.get_string())), .citations = {}};
  const json::object* object = part.if_object();
  if (object == nullptr) return unknown(part, "");
  const std::string_view type = find_string(*object, "type").value_or("");
  if (type == "text") {
    if (const auto text = find_string(*object, "text")) {
      return Text{.text = std::string(*text), .citations = {}};
    }
  }
  if (type == "think") {
    auto text = find_string(*object, "think");
    if (!text) text = find_string(*object, "text");
    const auto signature = find_words(*object, "encrypted");
    if (text || signature) {
      return Thinking{
          .text = std::string(text.value_or("")), .signature = signature, .summaries = {}};
    }
  }
  if (auto media = parse_media(*object, type)) return *std::move(media);
  return unknown(part, type);
}

std::vector<AuthoredBlock> append_text(const json::value* content, Author author) {
  std::vector<AuthoredBlock> blocks;
  if (content == nullptr || content->is_null()) return blocks;
  const json::array* parts = content->if_array();
  if (parts == nullptr) {
    add(blocks, author, parse_part(*content));
    return blocks;
  }
  for (const json::value& part : *parts) {
    if (!part.is_null()) add(blocks, author, parse_part(part));
  }
  return blocks;
}

std::vector<AuthoredBlock> append_prompt(const json::value* content) {
  std::vector<AuthoredBlock> blocks = append_text(content, Author::human);
  for (AuthoredBlock& one : blocks) {
    const auto* text = std::get_if<Text>(&one.body);
    if (text != nullptr && is_injected(text->text)) one.author = Author::program;
  }
  return blocks;
}

std::string text_of(const json::value* content) {
  std::string all;
  for (const AuthoredBlock& one : append_text(content, Author::human)) {
    const auto* text = std::get_if<Text>(&one.body);
    if (text == nullptr) continue;
    if (!all.empty()) all += '\n';
    all += text->text;
  }
  return all;
}

bool is_injected(std::string_view text) {
  constexpr std::array<std::string_view, 4> kTags = {"<system>", "<system-reminder>",
                                                     "<notification", "<git-context>"};
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return std::ranges::any_of(kTags, [&](std::string_view tag) { return text.starts_with(tag); });
}

void set_output(ToolResult& result, const json::value* output) {
  if (output == nullptr || output->is_null()) return;
  const json::array* parts = output->if_array();
  if (parts == nullptr && !output->is_string()) {
    result.details = *output;
    return;
  }
  result.text = text_of(output);
  if (parts == nullptr) return;
  const bool is_one_text =
      parts->size() == 1 && std::holds_alternative<Text>(parse_part(parts->front()));
  if (!is_one_text && !parts->empty()) result.parts = *parts;
}

json::value parse_arguments(std::string_view arguments) {
  if (arguments.empty()) return json::object();
  Result<ParsedJson> parsed = parse_json(arguments);
  if (parsed && !parsed->inexact) return std::move(parsed->value);
  return json::value(arguments);
}

ToolCall parse_call(const json::object& call) {
  ToolCall parsed{.id = find_words(call, "id").value_or(""), .name = {}, .input = json::object()};
  const json::object* function = find_object(call, "function");
  if (function == nullptr) function = &call;  // Kimi Code: {"id", "name", "arguments"}
  parsed.name = find_words(*function, "name").value_or("");
  const json::value* arguments = find_member(*function, "arguments");
  if (arguments == nullptr) arguments = find_member(*function, "args");
  if (arguments == nullptr || arguments->is_null()) return parsed;
  parsed.input =
      arguments->is_string() ? parse_arguments(view(arguments->get_string())) : *arguments;
  return parsed;
}

bool is_spawning(std::string_view tool) {
  return tool == "Agent" || tool == "AgentSwarm" || tool == "Task";
}

std::optional<std::string> spawned_agent(const ToolResult& result) {
  constexpr std::string_view kLabel = "agent_id: ";
  if (!result.text.starts_with(kLabel)) return std::nullopt;
  const std::string_view rest = std::string_view(result.text).substr(kLabel.size());
  const std::string_view id = rest.substr(0, rest.find_first_of(" \t\r\n"));
  if (id.empty()) return std::nullopt;
  return std::string(id);
}

std::optional<transcript::Usage> find_usage(const json::object& object, std::string_view key) {
  const json::object* usage = find_object(object, key);
  if (usage == nullptr) return std::nullopt;
  const auto tokens = [&](std::string_view snake, std::string_view camel) {
    auto found = find_int(*usage, snake);
    if (!found) found = find_int(*usage, camel);
    return found.value_or(0);
  };
  return transcript::Usage{.input = tokens("input_other", "inputOther"),
                           .output = tokens("output", "output"),
                           .cache_read = tokens("input_cache_read", "inputCacheRead"),
                           .cache_write = tokens("input_cache_creation", "inputCacheCreation")};
}

}  // namespace weft::formats::kimi

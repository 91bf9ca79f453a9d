#include "weft/formats/adapters/codex/items.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/adapters/codex/line.hpp"
#include "weft/formats/adapters/codex/prompt_origin.hpp"
#include "weft/formats/adapters/codex/results.hpp"
#include "weft/formats/framing/framing.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::codex {
namespace {

using transcript::Author;
using transcript::Body;
using transcript::Text;
using transcript::ToolCall;
using transcript::ToolResult;

// Arguments are the JSON text that the model wrote; kept as it is where it is broken.
json::value arguments_of(const json::object& item) {
  const json::value* arguments = find_member(item, "arguments");
  if (arguments == nullptr) return {};
  if (const json::string* text = arguments->if_string()) {
    Result<ParsedJson> parsed = parse_json(view(*text));
    if (parsed && !parsed->inexact && parsed->value.is_object()) return std::move(parsed->value);
  }
  return *arguments;
}

std::string call_name(const json::object& item) {
  std::string name(find_string(item, "name").value_or(""));
  if (const json::object* function = find_object(item, "function"); function && name.empty()) {
    name = find_string(*function, "name").value_or("");
  }
  std::string space(find_string(item, "namespace").value_or(""));
  if (space.empty()) return name;
  if (!space.ends_with('_') && !space.ends_with('.')) space += '.';
  return space + name;
}

// Points into `item`; null where there is none.
const json::value& member_of(const json::object& item, std::string_view key) {
  static const json::value nothing;
  const json::value* value = find_member(item, key);
  return value == nullptr ? nothing : *value;
}

std::vector<transcript::Citation> citations_of(const json::object& part) {
  std::vector<transcript::Citation> citations;
  const json::array* annotations = find_array(part, "annotations");
  if (annotations == nullptr) return citations;
  for (const json::value& annotation : *annotations) {
    const json::object* source = annotation.if_object();
    const auto url = source == nullptr ? std::nullopt : find_string(*source, "url");
    if (!url) continue;
    transcript::Citation citation{.url = std::string(*url)};
    if (const auto title = find_string(*source, "title")) citation.title = std::string(*title);
    const auto from = find_int(*source, "start_index"), to = find_int(*source, "end_index");
    if (from && to && *from >= 0 && *to >= *from) {
      citation.indices = {static_cast<std::uint64_t>(*from), static_cast<std::uint64_t>(*to)};
    }
    citations.push_back(std::move(citation));
  }
  return citations;
}

Body parse_part(const json::value& part) {
  const json::object* object = part.if_object();
  if (const auto text = openai::text_of_part(part)) {
    return Text{std::string(*text),
                object == nullptr ? std::vector<transcript::Citation>() : citations_of(*object)};
  }
  if (object == nullptr) return transcript::Unknown{.block_type = "", .raw = part};
  const std::string_view type = find_string(*object, "type").value_or("");
  if (const auto refusal = find_string(*object, "refusal")) return Text{std::string(*refusal)};
  const auto url = find_string(*object, "image_url");
  if (type == "input_image" && url) return openai::image_of(*url);
  return openai::unknown_of(type, *object);
}

// Whether a part is a person's: since mid-2026 each says where it comes from, or what it is
// ("user.text", "environments.environment_context"). Empty where it says neither.
std::optional<bool> is_persons(const json::object& item, std::size_t part) {
  const json::object* passed = find_object(item, "internal_chat_message_metadata_passthrough");
  if (passed == nullptr) return std::nullopt;
  const json::array* parts = find_array(*passed, "content_item_metadata");
  const json::object* metadata =
      parts == nullptr || part >= parts->size() ? nullptr : (*parts)[part].if_object();
  const json::object* provenance =
      metadata == nullptr ? nullptr : find_object(*metadata, "provenance");
  if (provenance != nullptr) return find_string(*provenance, "type") == "user";
  const json::array* kinds = find_array(*passed, "content_item_kinds");
  if (kinds == nullptr || part >= kinds->size() || !(*kinds)[part].is_string()) return std::nullopt;
  const std::string_view kind = view((*kinds)[part].get_string());
  if (kind == "unknown") return std::nullopt;
  return kind.starts_with("user.");
}

void add_persons_part(ItemContent& message, const json::object& item, std::size_t index,
                      Body body) {
  const auto* text = std::get_if<Text>(&body);
  const bool is_command = text != nullptr && is_shell_command(text->text);
  const bool is_theirs =
      is_command ||
      is_persons(item, index).value_or(text == nullptr || !openai::is_injected(text->text));
  if (is_command) message.is_prompt = false;
  if (!is_theirs) {
    message.blocks.push_back({Author::program, std::move(body)});
  } else if (text != nullptr) {
    for (AuthoredBlock& block : words_of(text->text)) message.blocks.push_back(std::move(block));
  } else {
    message.blocks.push_back({Author::human, std::move(body)});
  }
}

ItemContent parse_message(const json::object& item, Prompter prompter) {
  const std::string_view role = find_string(item, "role").value_or("");
  ItemContent message{.blocks = {}, .is_prompt = true};
  const json::value& content = member_of(item, "content");
  const json::array* array = content.if_array();
  const std::size_t count = array == nullptr ? 1 : array->size();
  message.is_too_large = count > kMaxBlocks;
  std::string words;
  for (std::size_t i = 0; i < std::min<std::size_t>(count, kMaxBlocks); ++i) {
    const json::value& part = array == nullptr ? content : (*array)[i];
    if (part.is_null()) continue;
    if (const auto text = openai::text_of_part(part)) words += *text;
    Body body = parse_part(part);
    if (role == "assistant") message.blocks.push_back({Author::model, std::move(body)});
    else if (role == "user" && prompter == Prompter::person) {
      add_persons_part(message, item, i, std::move(body));
    } else {
      message.blocks.push_back({Author::program, std::move(body)});
    }
  }
  const bool is_prompt = role == "user" && message.is_prompt &&
                         (prompter == Prompter::program
                              ? !openai::is_injected(words)
                              : std::ranges::find(message.blocks, Author::human,
                                                  &AuthoredBlock::author) != message.blocks.end());
  if (role == "assistant") message.pair_kind = PairKind::answer;
  else if (is_prompt) message.pair_kind = PairKind::prompt;
  if (message.pair_kind != PairKind::none) message.match_texts.push_back(std::move(words));
  return message;
}

ItemContent parse_reasoning(const json::object& item) {
  openai::Reasoning parsed = openai::parse_reasoning(item);
  ItemContent reasoning{.blocks = {}, .pair_kind = PairKind::reasoning};
  reasoning.match_texts = std::move(parsed.texts);
  if (parsed.body) reasoning.blocks.push_back({Author::model, std::move(*parsed.body)});
  return reasoning;
}

ItemContent call(const json::object& item, std::string name, json::value input) {
  return {.blocks = {
              {Author::model,
               ToolCall{.id = call_of(item), .name = std::move(name), .input = std::move(input)}}}};
}

ItemContent result(const json::object& item, ToolResult body) {
  body.call_id = call_of(item);
  if (body.name.empty()) body.name = find_string(item, "name").value_or("");
  return {.blocks = {{Author::tool, std::move(body)}}};
}

ItemContent parse_generated_image(const json::object& item) {
  json::object input;
  if (const auto prompt = find_string(item, "revised_prompt")) input["revised_prompt"] = *prompt;
  ItemContent image = call(item, "image_generation", std::move(input));
  const auto data = find_string(item, "result");
  if (!data || data->empty()) return image;
  image.blocks.push_back(
      {Author::tool, ToolResult{.call_id = call_of(item),
                                .name = "image_generation",
                                .text = std::string(find_string(item, "status").value_or(""))}});
  image.blocks.push_back(
      {Author::tool, transcript::Attachment{.kind = "image", .data = std::string(*data)}});
  return image;
}

}  // namespace

bool is_internal_item(std::string_view type) {
  return type == "ghost_snapshot" || type == "token_count";
}

std::string call_of(const json::object& item) {
  for (const std::string_view key : {"call_id", "id"}) {
    if (const auto id = find_name(item, key)) return std::string(*id);
  }
  return {};
}

bool is_spawn(const Body& body) {
  const auto* call = std::get_if<ToolCall>(&body);
  return call != nullptr && (call->name == "spawn_agent" || call->name.ends_with("__spawn_agent") ||
                             call->name.ends_with(".spawn_agent"));
}

ItemContent parse_item(const json::object& item, Prompter prompter) {
  const std::string_view type = type_of(item);
  if (type == "message") return parse_message(item, prompter);
  if (type == "reasoning") return parse_reasoning(item);
  if (type == "function_call" || type == "tool_call") {
    return call(item, call_name(item), arguments_of(item));
  }
  if (type == "custom_tool_call") return call(item, call_name(item), member_of(item, "input"));
  if (type == "local_shell_call") return call(item, "local_shell", member_of(item, "action"));
  if (type == "web_search_call") return call(item, "web_search", member_of(item, "action"));
  if (type == "tool_search_call") return call(item, "tool_search", arguments_of(item));
  if (type == "image_generation_call") return parse_generated_image(item);
  if (type == "function_call_output" || type == "custom_tool_call_output") {
    return result(item, parse_output(member_of(item, "output")));
  }
  if (type == "tool_result") return result(item, parse_output(member_of(item, "result")));
  if (type == "tool_search_output") {
    return result(item, {.name = "tool_search", .details = member_of(item, "tools")});
  }
  if (type == "agent_message") {
    // What another agent says to this one.
    ItemContent message = parse_message(item, Prompter::program);
    return {.blocks = std::move(message.blocks), .is_too_large = message.is_too_large};
  }
  return {.blocks = {{Author::program, openai::unknown_of(type, item)}}};
}

}  // namespace weft::formats::codex

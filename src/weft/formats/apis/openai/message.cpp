#include "weft/formats/apis/openai/message.hpp"

#include <algorithm>
#include <utility>

#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/apis/openai/injected_text.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::openai {
namespace {

using transcript::Author;
using transcript::Body;
using transcript::Text;
using transcript::Thinking;
using transcript::ToolCall;
using From = Message::From;

Author author_of(From from, const Body& body) {
  if (std::holds_alternative<transcript::ToolResult>(body)) return Author::tool;
  switch (from) {
    case From::program: return Author::program;
    case From::model: return Author::model;
    case From::tool: return Author::tool;
    case From::person: break;
  }
  const auto* text = std::get_if<Text>(&body);
  if (text == nullptr) {
    return std::holds_alternative<transcript::Attachment>(body) ? Author::human : Author::program;
  }
  const bool is_programs = text->text.starts_with("<system-reminder>") || is_injected(text->text);
  return is_programs ? Author::program : Author::human;
}

void think(Message& message, std::string_view text) {
  if (text.empty()) return;
  message.blocks.push_back({Author::model, Thinking{.text = std::string(text)}});
}

// OpenRouter's form: texts with their signatures, summaries, and opaque data.
bool append_details(Message& message, const json::array* details) {
  const std::size_t before = message.blocks.size();
  if (details == nullptr) return false;
  for (const json::value& value : *details) {
    const json::object* detail = value.if_object();
    if (detail == nullptr) continue;
    const auto text = find_string(*detail, "text"), summary = find_string(*detail, "summary"),
               data = find_string(*detail, "data"), signature = find_string(*detail, "signature");
    if (data && !data->empty()) {
      message.blocks.push_back({Author::model, transcript::RedactedThinking{std::string(*data)}});
      continue;
    }
    Thinking thinking{.text = std::string(text.value_or(""))};
    if (summary && !summary->empty()) thinking.summaries.emplace_back(*summary);
    if (signature && !signature->empty()) thinking.signature = std::string(*signature);
    if (thinking == Thinking()) continue;
    message.blocks.push_back({Author::model, std::move(thinking)});
  }
  return message.blocks.size() > before;
}

// LiteLLM's form: Anthropic's own blocks.
bool append_thinking_blocks(Message& message, const json::object& object) {
  const json::array* blocks = find_array(object, "thinking_blocks");
  const json::object* fields = find_object(object, "provider_specific_fields");
  if (blocks == nullptr && fields != nullptr) blocks = find_array(*fields, "thinking_blocks");
  const std::size_t before = message.blocks.size();
  if (blocks == nullptr) return false;
  for (const json::value& value : *blocks) {
    if (!value.is_object()) continue;
    message.blocks.push_back({Author::model, anthropic::parse_block(value).body});
  }
  return message.blocks.size() > before;
}

// The same thought often comes in several forms: the fullest one is used. False if there is none.
bool append_thoughts(Message& message, const json::object& object) {
  if (append_thinking_blocks(message, object)) return true;
  if (append_details(message, find_array(object, "reasoning_details"))) return true;
  for (const std::string_view key : {"reasoning_content", "reasoning"}) {
    const auto text = find_string(object, key);
    if (!text || text->empty()) continue;
    think(message, *text);
    return true;
  }
  return false;
}

// Gemini's signatures of thoughts follow this mark in the ids of calls.
constexpr std::string_view kSigned = "__thought__";

std::string call_id_of(std::string_view id) {
  const std::size_t at = id.find(kSigned);
  const std::string_view own = id.substr(0, at);
  return own.size() <= kMaxNameBytes ? std::string(own) : std::string();
}

void append_call(Message& message, const json::object& call) {
  const std::string_view id = find_string(call, "id").value_or("");
  if (const std::size_t at = id.find(kSigned); at != std::string_view::npos) {
    message.blocks.push_back(
        {Author::model,
         Thinking{.text = {}, .signature = std::string(id.substr(at + kSigned.size()))}});
  }
  const json::object* function = find_object(call, "function");
  const json::object* custom = find_object(call, "custom");
  const json::object& asked = function != nullptr ? *function : custom != nullptr ? *custom : call;
  ToolCall body{.id = call_id_of(id), .name = name_in(asked, "name")};
  json::object extra;
  if (custom != nullptr && function == nullptr) {
    if (const json::value* input = find_member(asked, "input")) body.input = *input;
    extra["type"] = "custom";
  } else {
    body.input = arguments_of(find_member(asked, "arguments"));
    // As the model wrote them, if that differs from their canonical form.
    const auto written = find_string(asked, "arguments");
    if (written && body.input.is_object() && *written != canonical_json(body.input)) {
      extra["arguments"] = *written;
    }
  }
  AuthoredBlock block{Author::model, std::move(body)};
  if (!extra.empty()) block.extra = std::move(extra);
  message.blocks.push_back(std::move(block));
}

void append_calls(Message& message, const json::object& object) {
  if (const json::array* calls = find_array(object, "tool_calls")) {
    for (const json::value& call : *calls) {
      if (const json::object* one = call.if_object()) append_call(message, *one);
    }
  }
  if (const json::object* old = find_object(object, "function_call")) append_call(message, *old);
}

// {"id":"audio_…","data":"…","transcript":"…"}: its text, and the audio.
void append_audio(Message& message, const json::object& object) {
  const json::object* audio = find_object(object, "audio");
  if (audio == nullptr) return;
  if (const auto words = find_string(*audio, "transcript"); words && !words->empty()) {
    message.blocks.push_back({Author::model, Text{std::string(*words)}});
  }
  const auto data = find_string(*audio, "data"), id = find_string(*audio, "id");
  if (!data && !id) return;
  transcript::Attachment voice{.kind = "audio"};
  if (data) voice.data = std::string(*data);
  else voice.reference = std::string(*id);
  message.blocks.push_back({Author::model, std::move(voice)});
}

// Citations beside the text belong to its first uncited part.
void cite(Message& message, std::vector<transcript::Citation> citations) {
  for (AuthoredBlock& block : message.blocks) {
    auto* text = std::get_if<Text>(&block.body);
    if (text == nullptr || !text->citations.empty()) continue;
    text->citations = std::move(citations);
    return;
  }
}

std::vector<transcript::Citation> citations_beside(const json::object& object) {
  std::vector<transcript::Citation> citations = citations_of(find_member(object, "annotations"));
  const json::object* fields = find_object(object, "provider_specific_fields");
  const json::array* lists = fields == nullptr ? nullptr : find_array(*fields, "citations");
  if (!citations.empty() || lists == nullptr) return citations;
  for (const json::value& list : *lists) {
    for (transcript::Citation& one : citations_of(&list)) citations.push_back(std::move(one));
  }
  return citations;
}

void append_answer(Message& message, const json::object& object) {
  const bool has_thought = append_thoughts(message, object);
  const json::value* content = find_given(object, "content");
  const json::string* text = content == nullptr ? nullptr : content->if_string();
  if (text != nullptr && !has_thought) {
    for (Body& body : split_thought(view(*text))) {
      message.blocks.push_back({Author::model, std::move(body)});
    }
  } else {
    append_content(message, content);
  }
  if (const auto refusal = find_string(object, "refusal"); refusal && !refusal->empty()) {
    message.blocks.push_back({Author::model, Text{std::string(*refusal)}});
  }
  append_audio(message, object);
  append_content(message, find_given(object, "images"));
  cite(message, citations_beside(object));
  append_calls(message, object);
}

}  // namespace

void append_content(Message& message, const json::value* content) {
  if (content == nullptr) return;
  const json::array* parts = content->if_array();
  const std::size_t count = parts == nullptr ? 1 : parts->size();
  message.is_too_large = message.is_too_large || count > kMaxParts;
  for (std::size_t i = 0; i < std::min(count, kMaxParts); ++i) {
    for (Body& body : parse_part(parts == nullptr ? *content : (*parts)[i])) {
      const Author author = author_of(message.from, body);
      message.blocks.push_back({author, std::move(body)});
    }
  }
}

std::vector<Body> split_thought(std::string_view text) {
  constexpr std::string_view kOpen = "<think>", kClose = "</think>";
  if (text.empty()) return {};
  if (!text.starts_with(kOpen)) return {Text{std::string(text)}};
  const std::size_t end = text.find(kClose);
  std::vector<Body> blocks;
  Thinking thinking{.text = std::string(trim(text.substr(kOpen.size(), end - kOpen.size()))),
                    .cut_off = end == std::string_view::npos};
  if (!thinking.text.empty()) blocks.emplace_back(std::move(thinking));
  if (end == std::string_view::npos) return blocks;
  const std::string_view rest = text.substr(end + kClose.size());
  const std::size_t first = rest.find_first_not_of("\r\n");
  if (first != std::string_view::npos) blocks.emplace_back(Text{std::string(rest.substr(first))});
  return blocks;
}

std::optional<Message> parse_message(const json::object& object) {
  const std::string_view role = find_string(object, "role").value_or("");
  Message message;
  if (role == "assistant" || role == "model") {
    append_answer(message, object);
    return message;
  }
  if (role == "tool" || role == "function") {
    message.from = From::tool;
    transcript::ToolResult result = parse_output(find_member(object, "content"));
    result.call_id = call_id_of(find_string(object, "tool_call_id").value_or(""));
    result.name = name_in(object, "name");
    message.blocks.push_back({Author::tool, std::move(result)});
    return message;
  }
  if (role == "user") message.from = From::person;
  else if (role == "system" || role == "developer") message.from = From::program;
  else return std::nullopt;
  append_content(message, find_given(object, "content"));
  // A program's text is the system prompt, unless it is marked with another role.
  for (AuthoredBlock& block : message.blocks) {
    if (block.author != Author::program || role == "system") continue;
    if (std::holds_alternative<Text>(block.body)) block.extra = json::object{{"role", role}};
  }
  return message;
}

}  // namespace weft::formats::openai

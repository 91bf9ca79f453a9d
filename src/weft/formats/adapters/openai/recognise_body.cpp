// Anthropic's bodies look much alike, agents keep messages in envelopes of their own, and other
// endpoints answer with objects too: so what may be in a body is listed, and what is more than
// that is not ours.
#include "weft/formats/adapters/openai/recognise_body.hpp"

#include <algorithm>
#include <array>

#include "weft/formats/apis/openai/message.hpp"

namespace weft::formats::openai {
namespace {

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Whether all members are among `names`, but for one that the head was cut in.
template <std::size_t N>
bool has_only(const PartialObject& body, const std::array<std::string_view, N>& names) {
  return std::ranges::all_of(body.members(), [&](const JsonPiece& member) {
    return member.cut || is_one_of(names, member.member);
  });
}

std::string kind_in(const PartialObject& body, std::string_view key) {
  return body.string(key).value_or("");
}

BodyLook look_at_message(const PartialObject& message) {
  constexpr std::array<std::string_view, 21> kMembers = {"role",
                                                         "content",
                                                         "name",
                                                         "tool_calls",
                                                         "tool_call_id",
                                                         "function_call",
                                                         "refusal",
                                                         "annotations",
                                                         "audio",
                                                         "reasoning_content",
                                                         "reasoning",
                                                         "reasoning_details",
                                                         "thinking_blocks",
                                                         "provider_specific_fields",
                                                         "images",
                                                         "weight",
                                                         "prefix",
                                                         "type",
                                                         "id",
                                                         "status",
                                                         "phase"};
  constexpr std::array<std::string_view, 6> kRoles = {"user",      "assistant", "system",
                                                      "developer", "tool",      "function"};
  constexpr std::array<std::string_view, 7> kParts = {"image_url",   "input_audio", "input_text",
                                                      "input_image", "input_file",  "output_text",
                                                      "video_url"};
  if (!has_only(message, kMembers)) return BodyLook::foreign;
  const std::string role = kind_in(message, "role"), type = kind_in(message, "type");
  if (!is_one_of(kRoles, role)) return BodyLook::foreign;
  if (!type.empty() && type != "message") return BodyLook::foreign;
  for (const PartialObject& call : message.elements("tool_calls")) {
    if (!call.has("function") && !call.has("custom")) return BodyLook::foreign;
  }
  BodyLook look = BodyLook::plain;
  if (message.has_array("tool_calls") || message.has("tool_call_id") || role == "developer" ||
      message.has_object("function_call")) {
    look = BodyLook::own;
  }
  for (const PartialObject& part : message.elements("content")) {
    const std::string kind = kind_in(part, "type");
    if (kind == "tool_use" || kind == "tool_result" || part.has("source")) return BodyLook::foreign;
    if (is_one_of(kParts, kind)) look = BodyLook::own;
  }
  return look;
}

BodyLook look_at_items(const std::vector<PartialObject>& items) {
  BodyLook look = BodyLook::nothing;
  for (const PartialObject& item : items) {
    const std::string type = kind_in(item, "type");
    if (!type.empty() && type != "message") {
      if (!is_item_type(type)) return BodyLook::foreign;
      look = BodyLook::own;
      continue;
    }
    if (!item.has("role")) return BodyLook::foreign;
    const BodyLook one = look_at_message(item);
    if (one == BodyLook::foreign) return one;
    look = std::max(look, one);
  }
  return look;
}

bool is_claude(std::string_view model) { return model.find("claude") != std::string_view::npos; }

BodyLook look_at_chat_request(const PartialObject& body) {
  constexpr std::array<std::string_view, 45> kMembers = {"model",
                                                         "messages",
                                                         "tools",
                                                         "tool_choice",
                                                         "temperature",
                                                         "top_p",
                                                         "top_k",
                                                         "n",
                                                         "stream",
                                                         "stream_options",
                                                         "stop",
                                                         "max_tokens",
                                                         "max_completion_tokens",
                                                         "presence_penalty",
                                                         "frequency_penalty",
                                                         "repetition_penalty",
                                                         "logit_bias",
                                                         "logprobs",
                                                         "top_logprobs",
                                                         "user",
                                                         "functions",
                                                         "function_call",
                                                         "response_format",
                                                         "seed",
                                                         "parallel_tool_calls",
                                                         "store",
                                                         "metadata",
                                                         "modalities",
                                                         "audio",
                                                         "prediction",
                                                         "reasoning_effort",
                                                         "reasoning",
                                                         "service_tier",
                                                         "safety_identifier",
                                                         "prompt_cache_key",
                                                         "prompt_cache_retention",
                                                         "web_search_options",
                                                         "verbosity",
                                                         "extra_body",
                                                         "extra_headers",
                                                         "provider",
                                                         "plugins",
                                                         "transforms",
                                                         "models",
                                                         "thinking"};
  if (!has_only(body, kMembers)) return BodyLook::foreign;
  BodyLook look = BodyLook::nothing;
  for (const PartialObject& message : body.elements("messages")) {
    const BodyLook one = look_at_message(message);
    if (one == BodyLook::foreign) return one;
    look = std::max(look, one);
  }
  bool has_functions = body.has("functions");
  for (const PartialObject& tool : body.elements("tools")) {
    if (tool.has("input_schema")) return BodyLook::foreign;
    has_functions = has_functions || tool.has("function");
  }
  const std::string model = kind_in(body, "model");
  if (look == BodyLook::plain) {
    const bool is_emitted = has_functions || body.has("max_completion_tokens") ||
                            body.has("response_format") || body.has("stream_options");
    if (is_emitted || (!model.empty() && !is_claude(model))) return BodyLook::own;
    // Somebody else's, as far as it shows.
    if (is_claude(model)) return BodyLook::foreign;
  }
  return look;
}

BodyLook look_at_responses_request(const PartialObject& body) {
  constexpr std::array<std::string_view, 31> kMembers = {"model",
                                                         "input",
                                                         "instructions",
                                                         "tools",
                                                         "tool_choice",
                                                         "previous_response_id",
                                                         "conversation",
                                                         "reasoning",
                                                         "max_output_tokens",
                                                         "max_tool_calls",
                                                         "include",
                                                         "store",
                                                         "stream",
                                                         "stream_options",
                                                         "temperature",
                                                         "top_p",
                                                         "text",
                                                         "truncation",
                                                         "metadata",
                                                         "user",
                                                         "parallel_tool_calls",
                                                         "background",
                                                         "prompt",
                                                         "prompt_cache_key",
                                                         "prompt_cache_retention",
                                                         "safety_identifier",
                                                         "service_tier",
                                                         "top_logprobs",
                                                         "context_management",
                                                         "client_metadata",
                                                         "moderation"};
  constexpr std::array<std::string_view, 10> kOwn = {
      "instructions", "previous_response_id", "conversation",      "reasoning", "tools",
      "text",         "truncation",           "max_output_tokens", "store",     "include"};
  if (!has_only(body, kMembers)) return BodyLook::foreign;
  const std::string model = kind_in(body, "model");
  if (model.find("embed") != std::string::npos) return BodyLook::foreign;
  const bool is_emitted =
      !provider_of(model).empty() ||
      std::ranges::any_of(kOwn, [&](std::string_view key) { return body.has(key); });
  if (!body.has_array("input")) return is_emitted ? BodyLook::own : BodyLook::foreign;
  const BodyLook look = look_at_items(body.elements("input"));
  return look == BodyLook::plain && is_emitted ? BodyLook::own : look;
}

BodyLook look_at_choices(const PartialObject& body) {
  const std::string kind = kind_in(body, "object");
  if (kind == "text_completion" || body.has("session_id") || body.has("sessionId")) {
    return BodyLook::foreign;
  }
  for (const PartialObject& choice : body.elements("choices")) {
    if (choice.has_object("message") || choice.has_object("delta")) return BodyLook::own;
    if (choice.has("text")) return BodyLook::foreign;
  }
  const bool is_own = kind.starts_with("chat.completion") || body.has("prompt_filter_results");
  return is_own ? BodyLook::own : BodyLook::nothing;
}

// {"error":{"message":…,"type":…,"param":…,"code":…}}
BodyLook look_at_error(const PartialObject& body) {
  constexpr std::array<std::string_view, 4> kMembers = {"message", "type", "param", "code"};
  const PartialObject error = body.inner("error");
  const bool is_own = body.members().size() == 1 && error.has("message") && error.has("param") &&
                      error.has("code") && has_only(error, kMembers);
  return is_own ? BodyLook::own : BodyLook::foreign;
}

BodyLook look_at_event(const PartialObject& body) {
  // The Realtime API has events of such names too.
  if (body.has("event_id") || body.has("session_id")) return BodyLook::foreign;
  const bool is_own = body.has("response") || body.has("output_index") || body.has("item") ||
                      body.has("item_id") || body.has("sequence_number");
  return is_own ? BodyLook::own : BodyLook::nothing;
}

BodyLook look_at_pair(const PartialObject& body) {
  constexpr std::array<std::string_view, 4> kOthers = {"call_type", "batch", "session_id",
                                                       "sessionId"};
  for (const std::string_view key : kOthers) {
    if (body.has(key)) return BodyLook::foreign;
  }
  BodyLook look = BodyLook::nothing;
  for (const char* key : {"request", "response"}) {
    const PartialObject outer = body.inner(key);
    const PartialObject inner = outer.has_object("body") ? outer.inner("body") : outer;
    if (inner.members().empty()) continue;
    const BodyLook one = look_at(inner);
    if (one == BodyLook::foreign) return one;
    look = std::max(look, one);
  }
  return look;
}

// {"custom_id":…,"method":"POST","url":"/v1/chat/completions","body":{…}} and its answer.
BodyLook look_at_batch(const PartialObject& body) {
  const PartialObject request = body.inner("body");
  if (!request.members().empty()) return look_at(request);
  if (!body.has("response")) return BodyLook::foreign;
  const PartialObject answer = body.inner("response").inner("body");
  if (!answer.members().empty()) return look_at(answer);
  return kind_in(body, "id").starts_with("batch_req_") ? BodyLook::own : BodyLook::foreign;
}

}  // namespace

BodyLook look_at(const PartialObject& body) {
  const std::string type = kind_in(body, "type"), kind = kind_in(body, "object");
  if (type.starts_with("response.")) return look_at_event(body);
  if (body.has_array("choices")) return look_at_choices(body);
  if (kind == "response") return body.has_array("output") ? BodyLook::own : BodyLook::nothing;
  if (kind == "list" && body.has_array("data")) {
    const std::vector<PartialObject> bodies = body.elements("data");
    return bodies.empty() || !bodies[0].has("object") ? look_at_items(bodies) : look_at(bodies[0]);
  }
  if (body.has("custom_id")) return look_at_batch(body);
  if (body.has_array("messages")) return look_at_chat_request(body);
  if (body.has("request") || body.has_object("response")) return look_at_pair(body);
  if (type == "error") return body.has("sequence_number") ? BodyLook::own : BodyLook::foreign;
  if (body.has("role")) return look_at_message(body);
  if (is_item_type(type)) return BodyLook::nothing;
  if (body.has("input") && body.has("model")) return look_at_responses_request(body);
  if (body.has_object("error")) return look_at_error(body);
  return BodyLook::foreign;
}

}  // namespace weft::formats::openai

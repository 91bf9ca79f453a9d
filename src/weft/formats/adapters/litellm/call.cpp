#include "weft/formats/adapters/litellm/call.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace weft::formats::litellm {
namespace {

using openai::Answer;
using openai::Choice;
using openai::find_given;
using openai::Message;
using openai::name_in;
using openai::Request;
using transcript::Text;

constexpr std::string_view kRedacted = "redacted-by-litellm";

bool is_generation(const json::object& record) {
  return find_string(record, "type") == "generation-create" &&
         find_object(record, "body") != nullptr;
}

// Columns of the database hold JSON as values or as texts.
json::value decoded(const json::value* value) {
  if (value == nullptr) return {};
  if (const json::string* text = value->if_string(); text != nullptr && !text->empty()) {
    if (text->front() == '{' || text->front() == '[') {
      Result<ParsedJson> parsed = parse_json(view(*text));
      if (parsed) return std::move(parsed->value);
    }
  }
  return *value;
}

bool is_empty(const json::value& value) {
  if (const json::object* object = value.if_object()) return object->empty();
  if (const json::array* array = value.if_array()) return array->empty();
  if (const json::string* text = value.if_string()) return text->empty() || *text == kRedacted;
  return true;
}

void redact(std::vector<Message>& messages) {
  for (Message& message : messages) {
    std::erase_if(message.blocks, [](const AuthoredBlock& block) {
      const auto* text = std::get_if<Text>(&block.body);
      return text != nullptr && text->text == kRedacted;
    });
  }
}

bool is_other_endpoint(std::string_view call_type) {
  constexpr std::array<std::string_view, 16> kOthers = {
      "embedding", "image",  "transcription", "speech", "moderation", "rerank", "file",     "batch",
      "fine_tun",  "search", "text_complet",  "ocr",    "video",      "vector", "realtime", "mcp"};
  return std::ranges::any_of(kOthers, [&](std::string_view other) {
    return call_type.find(other) != std::string_view::npos;
  });
}

void ask(Request& request, const json::value& asked) {
  if (is_empty(asked)) return;
  const json::object* object = asked.if_object();
  if (object != nullptr && (object->contains("messages") || object->contains("input"))) {
    Request inner = openai::parse_request(*object);
    request.prompts = std::move(inner.prompts);
    request.messages = std::move(inner.messages);
    request.after = std::move(inner.after);
    request.strange = inner.strange;
    request.is_too_large = inner.is_too_large;
    if (request.facts.tools.empty()) request.facts.tools = std::move(inner.facts.tools);
  } else {
    openai::add_messages(request, asked);
  }
}

// A body of either API, one message, or a text.
void take_answer(Answer& answer, const json::value& given) {
  if (is_empty(given)) return;
  const json::object* object = given.if_object();
  if (const json::string* text = given.if_string()) {
    const json::object message{{"role", "assistant"}, {"content", *text}};
    answer.choices.push_back(openai::parse_choice(0, message, ""));
  } else if (const json::array* list = given.if_array()) {
    for (std::size_t i = 0; i < list->size() && i < openai::kMaxParts; ++i) {
      const json::object* one = (*list)[i].if_object();
      if (one == nullptr || !one->contains("role")) continue;
      answer.choices.push_back(openai::parse_choice(static_cast<std::uint32_t>(i), *one, ""));
    }
  } else if (object != nullptr && (object->contains("choices") || object->contains("output"))) {
    Answer inner = openai::parse_answer(*object);
    if (!inner.id.empty()) answer.id = std::move(inner.id);
    if (!inner.model.empty()) answer.model = std::move(inner.model);
    answer.choices = std::move(inner.choices);
    answer.usage = inner.usage;
    answer.time = inner.time;
    answer.prompts = std::move(inner.prompts);
  } else if (object != nullptr && (object->contains("content") || object->contains("tool_calls"))) {
    answer.choices.push_back(openai::parse_choice(0, *object, ""));
    if (const json::object* usage = find_object(*object, "usage")) {
      answer.usage = openai::usage_of(*usage);
    }
  }
}

// What was used by LiteLLM's own count, in which the input includes what was cached; what of it
// was, the provider's says.
void count(Answer& answer, const json::object& counts, std::string_view in, std::string_view out) {
  const auto input = find_int(counts, in), output = find_int(counts, out);
  if (!input && !output) return;
  transcript::Usage usage = answer.usage.value_or(transcript::Usage());
  if (input.value_or(0) > 0) usage.input = *input;
  if (output.value_or(0) > 0) usage.output = *output;
  answer.usage = usage;
}

void fail(Answer& answer, const json::object& record, const json::value& metadata) {
  const json::object* error = find_object(record, "error_information");
  if (error == nullptr && metadata.is_object()) {
    error = find_object(metadata.get_object(), "error_information");
  }
  transcript::Failure failure;
  if (error != nullptr) {
    json::object blocks = *error;
    blocks.erase("traceback");
    failure = openai::failure_of(blocks);
  }
  if (const auto text = find_string(record, "error_str"); text && failure.text.empty()) {
    failure.text = *text;
  }
  if (failure.text.empty()) failure.text = "failure";
  if (answer.choices.empty()) answer.choices.emplace_back();
  answer.choices.back().failure = std::move(failure);
}

// The session that the client named, else the trace.
void name_session(Call& call, const json::object& record, const json::value& metadata) {
  std::string session = name_in(record, "session_id");
  const json::object* known = metadata.if_object();
  const json::object* sent = known == nullptr ? nullptr : find_object(*known, "requester_metadata");
  for (const json::object* where : {known, sent}) {
    for (const std::string_view key : {"session_id", "conversation_id"}) {
      if (session.empty() && where != nullptr) session = name_in(*where, key);
    }
  }
  Scope scope = Scope::session;
  if (session.empty()) {
    scope = Scope::trace;
    session = name_in(record, "trace_id");
  }
  if (session.empty()) session = name_in(record, "id");
  if (session.empty()) session = name_in(record, "request_id");
  call.request.session = call.answer.session = std::move(session);
  call.request.scope = call.answer.scope = scope;
}

Call parse_generation(const json::object& body) {
  Call call{.request = {.model = name_in(body, "model"),
                        .session = name_in(body, "traceId"),
                        .scope = Scope::trace},
            .answer = {.id = name_in(body, "id"),
                       .session = name_in(body, "traceId"),
                       .scope = Scope::trace},
            .start = openai::time_of(find_given(body, "startTime")),
            .stop = openai::time_of(find_given(body, "endTime"))};
  call.answer.model = call.request.model;
  if (const json::value* input = find_given(body, "input")) ask(call.request, decoded(input));
  take_answer(call.answer, decoded(find_given(body, "output")));
  if (const json::object* details = find_object(body, "usageDetails")) {
    call.answer.usage = openai::usage_of(*details);
    count(call.answer, *details, "input", "output");
  }
  if (const json::object* usage = find_object(body, "usage")) {
    count(call.answer, *usage, "input", "output");
  }
  if (find_string(body, "level") == "ERROR") {
    if (call.answer.choices.empty()) call.answer.choices.emplace_back();
    call.answer.choices.back().failure =
        transcript::Failure{.text = std::string(find_string(body, "statusMessage").value_or(""))};
  }
  return call;
}

Call parse_logged(const json::object& record) {
  Call call{.start = openai::time_of(find_given(record, "startTime")),
            .stop = openai::time_of(find_given(record, "endTime"))};
  const json::value metadata = decoded(find_given(record, "metadata"));
  name_session(call, record, metadata);
  call.request.model = call.answer.model = name_in(record, "model");
  call.request.provider = call.answer.provider = name_in(record, "custom_llm_provider");
  call.answer.id = name_in(record, "id");
  if (call.answer.id.empty()) call.answer.id = name_in(record, "request_id");
  if (const json::object* parameters = find_object(record, "model_parameters")) {
    call.request.facts.tools = openai::tool_names(*parameters);
  }
  const json::value messages = decoded(find_given(record, "messages"));
  const json::value passed = decoded(find_given(record, "proxy_server_request"));
  ask(call.request, is_empty(messages) ? openai::unwrapped(passed) : messages);
  take_answer(call.answer, decoded(find_given(record, "response")));
  const json::object* known = metadata.if_object();
  const json::object* used = known == nullptr ? nullptr : find_object(*known, "usage_object");
  if (!call.answer.usage && used != nullptr) call.answer.usage = openai::usage_of(*used);
  count(call.answer, record, "prompt_tokens", "completion_tokens");
  if (find_string(record, "status") == "failure") fail(call.answer, record, metadata);
  return call;
}

}  // namespace

std::string reason_to_skip(const json::object& record) {
  const std::string type = name_in(record, "type");
  if (type.ends_with("-create") || type.ends_with("-update")) {
    // A trace says again what its generations say.
    if (type == "trace-create") return "mirror";
    if (!is_generation(record)) return "internal";
    const json::object& body = record.at("body").get_object();
    return is_other_endpoint(name_in(body, "name")) ? "another endpoint" : "";
  }
  if (!record.contains("call_type")) return "no message";
  return is_other_endpoint(name_in(record, "call_type")) ? "another endpoint" : "";
}

Call parse_call(const json::object& record) {
  Call call = is_generation(record) ? parse_generation(record.at("body").get_object())
                                    : parse_logged(record);
  redact(call.request.prompts);
  redact(call.request.messages);
  for (Choice& choice : call.answer.choices) redact(choice.messages);
  if (call.stop) call.answer.time = call.stop;
  return call;
}

}  // namespace weft::formats::litellm

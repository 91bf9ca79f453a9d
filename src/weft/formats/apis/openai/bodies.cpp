#include "weft/formats/apis/openai/bodies.hpp"

#include <algorithm>
#include <utility>

namespace weft::formats::openai {
namespace {

using transcript::Failure;

// "conv_…", or an object that has it.
std::string conversation_of(const json::object& body) {
  const json::object* conversation = find_object(body, "conversation");
  return conversation == nullptr ? name_in(body, "conversation") : name_in(*conversation, "id");
}

// A program's text before the first message is the system prompt.
void add_message(Request& request, Message message) {
  request.is_too_large = request.is_too_large || message.is_too_large;
  for (std::string& tool : message.tools) request.facts.tools.push_back(std::move(tool));
  const bool is_prompt =
      message.from == Message::From::program && request.messages.empty() && message.refers.empty();
  auto& to = is_prompt ? request.prompts : request.messages;
  to.push_back(std::move(message));
}

Message words_of(const json::value& content, Message::From from) {
  Message message{.from = from};
  append_content(message, &content);
  return message;
}

std::vector<Message> instructions_of(const json::object& body) {
  const json::value* instructions = find_given(body, "instructions");
  if (instructions == nullptr) return {};
  if (instructions->is_string()) return {words_of(*instructions, Message::From::program)};
  Request request;
  add_messages(request, *instructions);
  return std::move(request.prompts);
}

Answer parse_response(const json::object& body) {
  Answer answer{.id = name_in(body, "id"),
                .model = name_in(body, "model"),
                .session = conversation_of(body),
                .after = name_in(body, "previous_response_id"),
                .time = time_of(find_given(body, "created_at")),
                .prompts = instructions_of(body),
                .tools = tool_names(body)};
  answer.provider = provider_of(answer.model);
  Choice choice;
  if (const json::array* output = find_array(body, "output")) {
    for (const json::value& value : *output) {
      const json::object* item = value.if_object();
      if (item == nullptr || choice.messages.size() >= kMaxParts) continue;
      choice.messages.push_back(parse_item(*item));
      for (std::string& tool : choice.messages.back().tools)
        answer.tools.push_back(std::move(tool));
    }
  }
  const json::object* details = find_object(body, "incomplete_details");
  const std::string reason = details == nullptr ? std::string() : name_in(*details, "reason");
  if (const json::value* error = find_given(body, "error")) {
    choice.failure = failure_of(*error);
  } else if (reason == "content_filter") {
    choice.failure = Failure{.text = reason};
  }
  answer.choices.push_back(std::move(choice));
  if (const json::object* usage = find_object(body, "usage")) answer.usage = usage_of(*usage);
  return answer;
}

// Sources that some vendors list beside the choices.
void cite(Choice& choice, const json::array* urls) {
  if (urls == nullptr) return;
  for (Message& message : choice.messages) {
    for (AuthoredBlock& block : message.blocks) {
      auto* text = std::get_if<transcript::Text>(&block.body);
      if (text == nullptr || !text->citations.empty()) continue;
      for (const json::value& url : *urls) {
        if (url.is_string())
          text->citations.push_back({.url = std::string(view(url.get_string()))});
      }
    }
  }
}

bool has_array(const json::object& body, std::string_view key) {
  return find_array(body, key) != nullptr;
}

Shape shape_of_choices(const json::object& body, const json::array& choices) {
  const auto kind = find_string(body, "object");
  if (kind == "text_completion") return Shape::endpoint;
  const json::object* first = choices.empty() ? nullptr : choices[0].if_object();
  if (first == nullptr) {
    const bool is_chunk = kind == "chat.completion.chunk" || body.contains("usage") ||
                          body.contains("prompt_filter_results");
    return is_chunk && kind != "chat.completion" ? Shape::chunk : Shape::answer;
  }
  if (first->contains("text") && !first->contains("message") && !first->contains("delta")) {
    return Shape::endpoint;
  }
  const bool is_chunk = kind == "chat.completion.chunk" || first->contains("delta");
  return is_chunk ? Shape::chunk : Shape::answer;
}

}  // namespace

void add_messages(Request& request, const json::value& messages) {
  if (messages.is_string()) {
    add_message(request, words_of(messages, Message::From::person));
    return;
  }
  const json::array* list = messages.if_array();
  const std::size_t count = list == nullptr ? 1 : list->size();
  std::size_t content = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const json::value& value = list == nullptr ? messages : (*list)[i];
    const json::object* one = value.if_object();
    if (content >= kMaxParts) {
      request.is_too_large = true;
      return;
    }
    const bool is_message = one != nullptr && one->contains("role");
    const bool is_item = one != nullptr && is_item_type(find_string(*one, "type").value_or(""));
    std::optional<Message> message;
    if (is_item) message = parse_item(*one);
    else if (is_message) message = parse_message(*one);
    else if (one != nullptr && one->contains("type")) message = parse_item(*one);
    if (!message) {
      ++request.strange;
      continue;
    }
    content += 1 + message->blocks.size();
    add_message(request, std::move(*message));
  }
}

Request parse_request(const json::object& body) {
  Request request{.prompts = instructions_of(body),
                  .model = name_in(body, "model"),
                  .session = conversation_of(body),
                  .after = name_in(body, "previous_response_id")};
  request.provider = provider_of(request.model);
  request.facts.tools = tool_names(body);
  // Larger tools are kept by name alone: facts of a conversation are read often.
  constexpr std::size_t kMaxToolBytes = 1u << 20;
  const json::value* tools = find_member(body, "tools");
  if (tools != nullptr && tools->is_array() && size_of(*tools) <= kMaxToolBytes) {
    request.facts.tool_definitions = tools->get_array();
  }
  if (const std::string user = name_in(body, "user"); !user.empty()) request.facts.account = user;
  // The Messages API has its prompt here, and so have some gateways.
  if (const json::value* system = find_given(body, "system")) {
    request.prompts.push_back(words_of(*system, Message::From::program));
  }
  for (const std::string_view key : {"messages", "input"}) {
    const json::value* messages = find_given(body, key);
    if (messages == nullptr) continue;
    add_messages(request, *messages);
    break;
  }
  return request;
}

Choice parse_choice(std::uint32_t index, const json::object& message, std::string_view reason) {
  Choice choice{.index = index};
  json::object blocks = message;
  if (!blocks.contains("role")) blocks["role"] = "assistant";
  if (auto parsed = parse_message(blocks)) choice.messages.push_back(std::move(*parsed));
  if (reason == "content_filter" || reason == "error") {
    choice.failure = Failure{.text = std::string(reason)};
  }
  return choice;
}

Answer parse_answer(const json::object& body) {
  const json::array* choices = find_array(body, "choices");
  if (choices == nullptr) return parse_response(body);
  Answer answer{.id = name_in(body, "id"),
                .model = name_in(body, "model"),
                .time = time_of(find_given(body, "created"))};
  answer.provider = provider_of(answer.model);
  for (std::size_t i = 0; i < choices->size() && i < kMaxParts; ++i) {
    const json::object* one = (*choices)[i].if_object();
    const json::object* message = one == nullptr ? nullptr : find_object(*one, "message");
    if (message == nullptr) continue;
    const std::string_view reason = find_string(*one, "finish_reason").value_or("");
    answer.choices.push_back(parse_choice(static_cast<std::uint32_t>(i), *message, reason));
    cite(answer.choices.back(), find_array(body, "citations"));
  }
  if (const json::value* error = find_given(body, "error"); error && answer.choices.empty()) {
    answer.choices.push_back({.failure = failure_of(*error)});
  }
  if (const json::object* usage = find_object(body, "usage")) answer.usage = usage_of(*usage);
  return answer;
}

Shape shape_of(const json::object& body) {
  const std::string_view type = find_string(body, "type").value_or("");
  const auto kind = find_string(body, "object");
  if (type.starts_with("response.") && !type.starts_with("response.audio")) return Shape::event;
  if (type == "keepalive") return Shape::event;
  if (const json::array* choices = find_array(body, "choices")) {
    return shape_of_choices(body, *choices);
  }
  if (kind == "response" || (has_array(body, "output") && body.contains("status"))) {
    return Shape::answer;
  }
  if (kind == "list" && has_array(body, "data")) return Shape::list;
  if (body.contains("custom_id")) return Shape::batch;
  if (has_array(body, "messages")) return Shape::request;
  if (body.contains("request") || find_object(body, "response") != nullptr) return Shape::pair;
  if (type == "error" && (body.contains("error") || body.contains("message"))) return Shape::event;
  if (is_item_type(type)) return Shape::item;
  if (body.contains("role")) return Shape::message;
  if (body.contains("input") && body.contains("model")) return Shape::request;
  if (find_given(body, "error") != nullptr) return Shape::error;
  if (kind || type.starts_with("session.") || has_array(body, "data")) return Shape::endpoint;
  return Shape::other;
}

const json::value& unwrapped(const json::value& body) {
  const json::object* object = body.if_object();
  const json::value* inner = object == nullptr ? nullptr : find_given(*object, "body");
  return inner == nullptr ? body : *inner;
}

std::optional<Millis> logged_at(const json::object& record) {
  for (const std::string_view key : {"timestamp", "created_at", "time", "ts", "startTime"}) {
    if (const auto time = time_of(find_given(record, key))) return time;
  }
  return std::nullopt;
}

}  // namespace weft::formats::openai

#include "weft/formats/adapters/openai/conversation_key.hpp"

#include "weft/base/utf8.hpp"
#include "weft/formats/apis/openai/conversation_log.hpp"

namespace weft::formats::openai {
namespace {

// {"id":…} of a body, or {"response":{"id":…}} of an event.
std::string response_name(std::string_view json) {
  const Result<ParsedJson> parsed = parse_json(json);
  const json::object* body = parsed ? parsed->value.if_object() : nullptr;
  if (body == nullptr) return {};
  const json::object* inner = find_object(*body, "response");
  const json::object& response = inner == nullptr ? *body : *inner;
  return find_string(response, "object") == "response" ? name_in(response, "id") : "";
}

}  // namespace

ConversationKey conversation_key(std::string_view request) {
  std::string storage;
  std::size_t repairs = 0;
  const Result<ParsedJson> parsed = parse_json(repair_json(request, storage, repairs));
  const json::object* body = parsed ? parsed->value.if_object() : nullptr;
  if (body == nullptr) return {.key = "none"};
  Request asked = parse_request(*body);
  if (!asked.session.empty()) return {.key = "session " + asked.session};
  if (!asked.after.empty()) return {.key = "after " + asked.after, .after = asked.after};
  const ConversationLog talk({}, {});
  return {.key = "begins " + std::to_string(talk.beginning_of(std::move(asked)))};
}

std::string answer_name(std::string_view response) {
  if (const std::size_t first = response.find_first_not_of(" \t\r\n");
      first != std::string_view::npos && response[first] == '{') {
    return response_name(response);
  }
  std::string name;
  const auto framer = sse_framer();
  const OnRecord record = [&](const Record& event) {
    if (name.empty() && !event.stray) name = response_name(event.text);
  };
  // The first event has the name.
  constexpr std::size_t kHead = 256u << 10;
  framer->push(response.substr(0, kHead), record, [](std::uint64_t, std::uint64_t) {});
  return name;
}

}  // namespace weft::formats::openai

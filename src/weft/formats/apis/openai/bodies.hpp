// Parses the bodies of both APIs into requests and answers. Pure: from JSON to values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/formats/apis/openai/message.hpp"
#include "weft/formats/reading/request_history.hpp"

namespace weft::formats::openai {

// A request: mostly the whole history once more.
struct Request {
  std::vector<Message> prompts{};   // the system prompt
  std::vector<Message> messages{};  // all others
  std::string model{};
  std::string provider{};  // of the model
  std::string session{};   // the conversation that it names as its own
  Scope scope = Scope::session;
  std::string after{};  // the response that it continues
  transcript::Facts facts{};
  std::size_t strange = 0;    // number of messages of unknown roles, left out
  bool is_too_large = false;  // there are more messages or parts than are kept
};

// One of the alternatives that an answer gives.
struct Choice {
  std::uint32_t index = 0;
  std::vector<Message> messages{};
  std::optional<transcript::Failure> failure{};
};

struct Answer {
  std::string id{};    // empty if it has none
  std::string name{};  // then names a conversation that begins with it
  std::vector<Choice> choices{};
  std::string model{}, provider{}, session{}, after{};
  Scope scope = Scope::session;
  std::optional<Millis> time{};
  std::optional<transcript::Usage> usage{};
  std::vector<Message> prompts{};  // repeated by a response
  std::vector<std::string> tools{};
};

// {"messages":[…]} or {"input":…}.
Request parse_request(const json::object& body);
// The messages of a history: a list of them, one alone, or a person's text.
void add_messages(Request& request, const json::value& messages);

// {"choices":[{"message":…}]} or {"output":[…]}.
Answer parse_answer(const json::object& body);
// A choice that ended for `reason`.
Choice parse_choice(std::uint32_t index, const json::object& message, std::string_view reason);

// The kinds of bodies. Other endpoints answer with objects, too.
enum class Shape {
  event,     // of a stream of the Responses API
  chunk,     // of one of the Chat API
  answer,    // a body of either
  request,   // a body of either
  pair,      // a request and its response
  batch,     // a line of a batch, asked or answered
  list,      // several bodies in one
  message,   // of a list of them
  item,      // the same of the Responses API
  error,     // instead of an answer
  endpoint,  // of another endpoint
  other,
};
Shape shape_of(const json::object& body);

// The body inside an envelope with a status; else `body` itself.
const json::value& unwrapped(const json::value& body);

// The time that the log gives; empty if it gives none.
std::optional<Millis> logged_at(const json::object& record);

}  // namespace weft::formats::openai

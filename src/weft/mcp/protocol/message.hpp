// JSON-RPC messages in and out.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "weft/mcp/protocol/protocol.hpp"

namespace weft::mcp {

struct Message {
  enum class Kind { request, notification, response };
  Kind kind = Kind::request;
  json::value id{};  // a request's: a string or an integer
  std::string method{};
  json::object params{};
};

// What is no message, with the error to answer; `id` is null where it could not be read.
struct Malformed {
  RpcError error;
  json::value id{};
};

// One message in UTF-8. Lone surrogates in escapes become U+FFFD.
std::expected<Message, Malformed> parse_message(std::string_view text);

// Without line ends inside.
std::string to_response(const json::value& id, json::object result);
std::string to_error(const json::value& id, const RpcError& error);
std::string to_notification(std::string_view method, json::object params);

// The `_meta` of a message's params; null if it has none.
const json::object* meta_of(const json::object& params);
// Whether a message is of the modern era by what it says itself.
bool is_modern(const Message& message);

}  // namespace weft::mcp

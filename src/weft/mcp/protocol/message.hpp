// Parses and formats JSON-RPC messages.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "weft/mcp/protocol/protocol.hpp"

namespace weft::mcp {

struct Message {
  enum class Kind { request, notification, response };
  Kind kind = Kind::request;
  json::value id{};  // of a request: a string or an integer
  std::string method{};
  json::object params{};
};

// An invalid message, with the error to answer; `id` is null if it could not be read.
struct Malformed {
  RpcError error;
  json::value id{};
};

// Parses one message in UTF-8. Lone surrogates in escapes become U+FFFD.
std::expected<Message, Malformed> parse_message(std::string_view text);

// Without newlines inside.
std::string to_response(const json::value& id, json::object result);
std::string to_error(const json::value& id, const RpcError& error);
std::string to_notification(std::string_view method, json::object params);

// The `_meta` of a message's params; null if it has none.
const json::object* meta_of(const json::object& params);
// Whether a message declares itself to be of the modern era.
bool is_modern(const Message& message);

}  // namespace weft::mcp

#include "weft/mcp/protocol/message.hpp"

#include <boost/json/serialize.hpp>

#include "weft/base/utf8.hpp"

namespace weft::mcp {
namespace {

std::unexpected<Malformed> malformed(int code, std::string message, json::value id = {}) {
  return std::unexpected(Malformed{{code, std::move(message)}, std::move(id)});
}

bool is_id(const json::value& value) {
  return value.is_string() || value.is_int64() || value.is_uint64();
}

Result<ParsedJson> parse(std::string_view text) {
  Result<ParsedJson> parsed = parse_json(text);
  if (parsed) return parsed;
  // A lone surrogate in an escape is repaired; bytes that are not UTF-8 are refused.
  std::string storage;
  std::size_t repairs = 0;
  repair_utf8(text, storage, repairs);
  if (repairs > 0) return parsed;
  const std::string_view repaired = repair_json(text, storage, repairs);
  return repairs > 0 ? parse_json(repaired) : std::move(parsed);
}

}  // namespace

std::expected<Message, Malformed> parse_message(std::string_view text) {
  Result<ParsedJson> parsed = parse(text);
  if (!parsed) return malformed(code::kParseError, "not valid JSON: " + parsed.error().message);
  json::object* object = parsed->value.if_object();
  if (object == nullptr) {
    return malformed(code::kInvalidRequest,
                     parsed->value.is_array()
                         ? "batches are not supported: send one message at a time"
                         : "a message must be a JSON object");
  }
  const json::value* id = find_member(*object, "id");
  const json::value answer_to = id != nullptr && is_id(*id) ? *id : json::value();
  if (find_string(*object, "jsonrpc") != "2.0") {
    return malformed(code::kInvalidRequest, "expected \"jsonrpc\": \"2.0\"", answer_to);
  }
  const json::value* method = find_member(*object, "method");
  if (method == nullptr) {
    if (object->contains("result") || object->contains("error")) {
      return Message{.kind = Message::Kind::response, .id = answer_to};
    }
    return malformed(code::kInvalidRequest, "method is missing", answer_to);
  }
  if (!method->is_string()) {
    return malformed(code::kInvalidRequest, "method must be a string", answer_to);
  }
  if (id != nullptr && !is_id(*id)) {
    return malformed(code::kInvalidRequest, "id must be a string or an integer, and not null");
  }
  Message message{.kind = id != nullptr ? Message::Kind::request : Message::Kind::notification,
                  .id = answer_to,
                  .method = std::string(view(method->get_string()))};
  if (json::value* params = object->if_contains("params")) {
    if (!params->is_object()) {
      if (message.kind == Message::Kind::notification) return message;
      return malformed(code::kInvalidParams, "params must be a JSON object", answer_to);
    }
    message.params = std::move(params->get_object());
  }
  return message;
}

std::string to_response(const json::value& id, json::object result) {
  json::object message{{"jsonrpc", "2.0"}, {"id", id}};
  message["result"] = std::move(result);
  return json::serialize(message);
}

std::string to_error(const json::value& id, const RpcError& error) {
  json::object body{{"code", error.code}, {"message", error.message}};
  if (error.data) body["data"] = *error.data;
  return json::serialize(json::object{{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(body)}});
}

std::string to_notification(std::string_view method, json::object params) {
  json::object message{{"jsonrpc", "2.0"}, {"method", method}};
  if (!params.empty()) message["params"] = std::move(params);
  return json::serialize(message);
}

const json::object* meta_of(const json::object& params) { return find_object(params, "_meta"); }

bool is_modern(const Message& message) {
  const json::object* meta = meta_of(message.params);
  return meta != nullptr && (meta->contains(kMetaVersion) || meta->contains(kMetaCapabilities));
}

}  // namespace weft::mcp

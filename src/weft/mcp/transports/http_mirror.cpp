#include "weft/mcp/transports/http_mirror.hpp"

#include <algorithm>

#include "weft/crypto/base64.hpp"
#include "weft/net/ascii.hpp"

namespace weft::mcp {
namespace {

RpcError mismatch(std::string message) { return {code::kHeaderMismatch, std::move(message)}; }

// What a header says, in full; empty if it is malformed.
std::optional<std::string> decoded(std::string_view value) {
  constexpr std::string_view kBefore = "=?base64?", kAfter = "?=";
  if (value.starts_with(kBefore) && value.ends_with(kAfter) &&
      value.size() >= kBefore.size() + kAfter.size()) {
    value.remove_prefix(kBefore.size());
    value.remove_suffix(kAfter.size());
    return crypto::parse_base64(value);
  }
  const bool plain =
      std::ranges::all_of(value, [](char c) { return c == '\t' || (' ' <= c && c <= '~'); });
  return plain ? std::optional<std::string>(value) : std::nullopt;
}

// Whether a header says what a value is. Numbers are compared as such: 42.0 is 42.
bool says(const std::string& header, const json::value& value) {
  if (value.is_string()) return header == view(value.get_string());
  if (value.is_bool()) return header == (value.get_bool() ? "true" : "false");
  const Result<ParsedJson> number = parse_json(header);
  if (!number || !number->value.is_number() || !value.is_number()) return false;
  return number->value == value || number->value.to_number<double>() == value.to_number<double>();
}

std::optional<RpcError> check_one(const net::RequestHead& head, const std::string& name,
                                  const json::value& value) {
  const std::string field = net::to_lower(name);
  if (head.count(field) == 0) return mismatch("the header " + name + " is missing");
  if (head.count(field) > 1) return mismatch("the header " + name + " is there twice");
  const std::optional<std::string> said = decoded(*head.find(field));
  if (!said) return mismatch("the header " + name + " is malformed");
  if (!says(*said, value)) {
    return mismatch("the header " + name + " does not say what the message says");
  }
  return std::nullopt;
}

std::optional<RpcError> check_parameters(const net::RequestHead& head, const Message& message,
                                         std::span<const HeaderParameter> parameters) {
  const json::object* arguments = find_object(message.params, "arguments");
  for (const auto& [header, argument] : parameters) {
    const json::value* value = arguments ? find_member(*arguments, argument) : nullptr;
    if (value != nullptr && !value->is_null()) {
      if (auto error = check_one(head, header, *value)) return error;
    } else if (head.count(net::to_lower(header)) > 0) {
      return mismatch("the header " + header + " says what the message does not");
    }
  }
  return std::nullopt;
}

// The member of params that Mcp-Name repeats; empty for methods that name nothing.
std::string_view named_by(std::string_view method) {
  if (method == "tools/call" || method == "prompts/get") return "name";
  return method == "resources/read" ? "uri" : "";
}

RpcError unsupported(const std::string& version) {
  json::array supported = {kModernVersion};
  for (const std::string_view legacy : kLegacyVersions) supported.emplace_back(legacy);
  return {code::kUnsupportedVersion, "this version of the protocol is not spoken here",
          json::object{{"supported", std::move(supported)}, {"requested", version}}};
}

// A message that does not say of which version it is.
std::optional<RpcError> check_silent(const net::RequestHead& head, const Message& message) {
  if (head.count("mcp-protocol-version") == 0) return std::nullopt;
  for (const auto& [name, value] : head.fields) {
    if (name != "mcp-protocol-version" || is_legacy_version(value)) continue;
    if (value != kModernVersion) return unsupported(value);
    if (message.kind != Message::Kind::request) continue;
    return RpcError{code::kInvalidParams, "params._meta lacks " + std::string(kMetaVersion) +
                                              ", which every request of " + value + " carries"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<RpcError> check_mirrored(const net::RequestHead& head, const Message& message,
                                       std::span<const HeaderParameter> parameters) {
  if (!is_modern(message)) return check_silent(head, message);
  if (message.kind != Message::Kind::request) return std::nullopt;
  const json::object* meta = meta_of(message.params);
  const json::value* version = meta ? find_member(*meta, kMetaVersion) : nullptr;
  // What is wrong with the message alone is for the core to say.
  if (version == nullptr || !version->is_string()) return std::nullopt;
  if (auto error = check_one(head, "MCP-Protocol-Version", *version)) return error;
  // So is what other versions want in their headers: they are not spoken here.
  if (view(version->get_string()) != kModernVersion) return std::nullopt;
  if (auto error = check_one(head, "Mcp-Method", json::value(message.method))) return error;
  const std::string_view member = named_by(message.method);
  const json::value* name = member.empty() ? nullptr : find_member(message.params, member);
  if (name != nullptr && name->is_string()) {
    if (auto error = check_one(head, "Mcp-Name", *name)) return error;
  }
  return check_parameters(head, message, parameters);
}

}  // namespace weft::mcp

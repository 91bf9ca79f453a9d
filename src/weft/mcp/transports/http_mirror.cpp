#include "weft/mcp/transports/http_mirror.hpp"

#include <algorithm>

#include "weft/crypto/base64.hpp"
#include "weft/net/ascii.hpp"

namespace weft::mcp {
namespace {

RpcError mismatch(std::string message) { return {code::kHeaderMismatch, std::move(message)}; }

// The decoded value of a header; empty if it is malformed.
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

// Whether a header has the same value. Numbers are compared as such: 42.0 is 42.
bool equals(const std::string& header, const json::value& value) {
  if (value.is_string()) return header == view(value.get_string());
  if (value.is_bool()) return header == (value.get_bool() ? "true" : "false");
  const Result<ParsedJson> number = parse_json(header);
  if (!number || !number->value.is_number() || !value.is_number()) return false;
  return number->value == value || number->value.to_number<double>() == value.to_number<double>();
}

std::optional<RpcError> check_one(const net::RequestHead& head, const std::string& name,
                                  const json::value& value) {
  const std::string field = net::to_lower(name);
  if (head.count(field) == 0)
    return mismatch("the header " + name + " is missing; it must repeat the value in the message");
  if (head.count(field) > 1)
    return mismatch("the header " + name + " occurs more than once; send it once");
  const std::optional<std::string> text = decoded(*head.find(field));
  if (!text)
    return mismatch("the header " + name + " is malformed; send printable ASCII or =?base64?…?=");
  if (!equals(*text, value)) {
    return mismatch("the header " + name +
                    " differs from the message; send the same value in both");
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
      return mismatch("the header " + header +
                      " has no counterpart in the message; remove it, or add the argument");
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
  return {code::kUnsupportedVersion,
          "this protocol version is not supported; use one of data.supported",
          json::object{{"supported", std::move(supported)}, {"requested", version}}};
}

// Checks a message that does not name its version.
std::optional<RpcError> check_unversioned(const net::RequestHead& head, const Message& message) {
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
  if (!is_modern(message)) return check_unversioned(head, message);
  if (message.kind != Message::Kind::request) return std::nullopt;
  const json::object* meta = meta_of(message.params);
  const json::value* version = meta ? find_member(*meta, kMetaVersion) : nullptr;
  // The protocol server reports errors of the message itself.
  if (version == nullptr || !version->is_string()) return std::nullopt;
  if (auto error = check_one(head, "MCP-Protocol-Version", *version)) return error;
  // It also refuses other versions, whatever headers they require.
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

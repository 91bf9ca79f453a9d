// Constants of the Model Context Protocol: versions, names and error codes.
//
// weft speaks both eras at once: in `modern`, which is stateless, every request carries its client
// and version; `legacy` begins with an `initialize`.
#pragma once

#include <array>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"

namespace weft::mcp {

enum class Era { legacy, modern };

inline constexpr std::string_view kModernVersion = "2026-07-28";
// The newest first: offered to a client whose own version is unknown.
inline constexpr std::array<std::string_view, 4> kLegacyVersions = {"2025-11-25", "2025-06-18",
                                                                    "2025-03-26", "2024-11-05"};
bool is_legacy_version(std::string_view version);

// Members of `_meta`.
inline constexpr std::string_view kMetaVersion = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kMetaCapabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kMetaClient = "io.modelcontextprotocol/clientInfo";
inline constexpr std::string_view kMetaServer = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view kMetaSubscription = "io.modelcontextprotocol/subscriptionId";
inline constexpr std::string_view kMetaLogLevel = "io.modelcontextprotocol/logLevel";

namespace code {
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
inline constexpr int kLegacyResourceNotFound = -32002;
inline constexpr int kForbidden = -32003;  // the sender lacks a right
inline constexpr int kHeaderMismatch = -32020;
inline constexpr int kMissingCapability = -32021;
inline constexpr int kUnsupportedVersion = -32022;
}  // namespace code

// A JSON-RPC error: the request itself was wrong. A tool that fails reports it in its result
// (tool.hpp).
struct RpcError {
  int code = code::kInternalError;
  std::string message;
  std::optional<json::value> data{};
};

template <class T = json::object>
using Served = std::expected<T, RpcError>;

inline std::unexpected<RpcError> reject(int code, std::string message,
                                        std::optional<json::value> data = {}) {
  return std::unexpected(RpcError{code, std::move(message), std::move(data)});
}

}  // namespace weft::mcp

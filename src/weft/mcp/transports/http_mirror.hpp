// Checks the header fields that repeat parts of a message, so that proxies can route by them. They
// must agree with the message: otherwise the proxy and the server act on different requests.
#pragma once

#include <optional>
#include <span>

#include "weft/mcp/protocol/server.hpp"
#include "weft/net/http_request.hpp"

namespace weft::mcp {

// Checks MCP-Protocol-Version, Mcp-Method, Mcp-Name, and the headers of `parameters`, which belong
// to the tool that is called. The error is answered with status 400. For the legacy era and for
// notifications, only the version is checked, and only if it is present.
std::optional<RpcError> check_mirrored(const net::RequestHead& head, const Message& message,
                                       std::span<const HeaderParameter> parameters);

}  // namespace weft::mcp

// Headers that say again what the message says, so that proxies can route by them: they must not
// differ, or two would act on two different requests.
#pragma once

#include <optional>
#include <span>

#include "weft/mcp/protocol/server.hpp"
#include "weft/net/http_request.hpp"

namespace weft::mcp {

// What is wrong with MCP-Protocol-Version, Mcp-Method, Mcp-Name, and the headers of `parameters`,
// which are those of the tool that is called; answered with 400. Of the legacy era and of
// notifications, only the version is looked at, and only if it is there.
std::optional<RpcError> check_mirrored(const net::RequestHead& head, const Message& message,
                                       std::span<const HeaderParameter> parameters);

}  // namespace weft::mcp

// Checks the head of a request and routes it. Pure. Only the head has been read by then, so that a
// client that is refused uploads nothing.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "weft/net/hosts.hpp"
#include "weft/net/http_request.hpp"

namespace weft::mcp {

enum class Route { mcp, health };

struct HttpRules {
  net::Hosts hosts;
  std::optional<std::string> token{};  // required for every path but /healthz
  std::size_t most_body_bytes = 0;
};

// The route of a request, or its refusal. Checks in this order: Host (400, 403) and Origin (403),
// for every path; Authorization (401); the path (404); the method (405); Expect (417);
// Content-Type (415); Accept (406); the length (413). `local` is the address that the client
// connected to.
std::expected<Route, net::HttpRefusal> admit(const net::RequestHead& head, const HttpRules& rules,
                                             std::string_view local);

// The media types that a client accepts.
struct Accepts {
  bool json = false, stream = false;
};
Accepts accepted_by(const net::RequestHead& head);

// Whether the client waits for 100 Continue before it sends the body.
bool waits_to_continue(const net::RequestHead& head);

}  // namespace weft::mcp

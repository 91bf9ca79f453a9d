// What the head of a request must say for the request to be looked at. Pure; the head is all there
// is by then, so that nobody uploads anything who may not.
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
  std::optional<std::string> token{};  // asked of every request but those for /healthz
  std::size_t most_body_bytes = 0;
};

// Where a request goes. In this order: Host (400, 403) and Origin (403), whatever is asked for;
// Authorization (401); the path (404); the method (405); Expect (417); Content-Type (415);
// Accept (406); the length (413). `local` is the address that the client has reached.
std::expected<Route, net::HttpRefusal> admit(const net::RequestHead& head, const HttpRules& rules,
                                             std::string_view local);

// What a client can read.
struct Accepts {
  bool json = false, stream = false;
};
Accepts accepted_by(const net::RequestHead& head);

// Whether the client waits for a word before it sends the body.
bool waits_to_continue(const net::RequestHead& head);

}  // namespace weft::mcp

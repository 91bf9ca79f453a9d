// Checks the head of a request and routes it. Pure. Only the head has been read by then, so that a
// client that is refused uploads nothing.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "weft/net/hosts.hpp"
#include "weft/net/http_request.hpp"
#include "weft/net/site.hpp"

namespace weft::mcp {

enum class Route { mcp, health, file, question, stream };

struct HttpRules {
  net::Hosts hosts;
  // Every path but /healthz and files of the site is for those who send the token, and for programs
  // of the server's own user; for everybody if neither is set.
  std::optional<std::string> token{};
  bool admits_own_user = false;
  std::size_t most_body_bytes = 0;
  const net::Site* site = nullptr;  // null: there is none
};

// What the connection says of the client.
struct Caller {
  std::string_view local;    // the address that it connected to
  bool is_own_user = false;  // it runs on this machine, as the user of the server
};

// The route of a request, or its refusal. Checks in this order: Host (400, 403) and Origin (403),
// for every path; that no page of another site asks (403); Authorization (401); the path (404); the
// method (405); and of a message Expect (417); Content-Type (415); Accept (406); the length (413).
// Anybody may ask for a file of the site, from another page too: it holds nothing. A request that a
// proxy passed on, by its fields or because it names a host other than loopback, is not its
// sender's own: it needs the token whatever user the proxy runs as.
std::expected<Route, net::HttpRefusal> admit(const net::RequestHead& head, const HttpRules& rules,
                                             const Caller& caller);

// The media types that a client accepts.
struct Accepts {
  bool json = false, stream = false;
};
Accepts accepted_by(const net::RequestHead& head);

// Whether the client waits for 100 Continue before it sends the body.
bool waits_to_continue(const net::RequestHead& head);

}  // namespace weft::mcp

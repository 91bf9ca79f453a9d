// Checks the head of a request and routes it. Pure. Only the head has been read by then, so that a
// client that is refused uploads nothing.
#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "weft/net/hosts.hpp"
#include "weft/net/http_request.hpp"
#include "weft/net/rights.hpp"
#include "weft/net/site.hpp"

namespace weft::mcp {

enum class Route { mcp, health, file, question, stream };

struct HttpRules {
  net::Hosts hosts;
  // Every path but /healthz and files of the site is for those who send the token, for programs of
  // the server's own user, and for people with tokens of their own; for everybody if none is set.
  // The first two may do everything.
  std::optional<std::string> token{};
  bool admits_own_user = false;
  // What the person with this token may do; empty if nobody has it. Asked again while an answer is
  // sent, so a token that was removed ends it.
  std::function<std::optional<net::Rights>(std::string_view token)> find_person{};
  // Only what a proxy passed on that got it over TLS, as X-Forwarded-Proto or Forwarded says.
  bool needs_tls_proxy = false;
  std::size_t most_body_bytes = 0;
  const net::Site* site = nullptr;  // null: there is none
};

// What the connection says of the client.
struct Caller {
  std::string_view local;    // the address that it connected to
  bool is_own_user = false;  // it runs on this machine, as the user of the server
};

struct Admitted {
  Route route;
  net::Rights rights{};  // of who asks; none for /healthz and files, which need none
};

// What a request's sender may do; empty if it may not use the server.
std::optional<net::Rights> rights_of(const net::RequestHead& head, const HttpRules& rules,
                                     const Caller& caller);

// The route of a request, or its refusal. Checks in this order: Host (400, 403) and Origin (403),
// for every path; that no page of another site asks (403); that a proxy with TLS passed it on where
// that is demanded (403); Authorization (401); the right to ask a question of the site (403); the
// path (404); the method (405); and of a message Expect (417); Content-Type (415); Accept (406);
// the length (413). What a message needs is for its reader to check. Anybody may ask for a file of
// the site, from another page too: it holds nothing. A request that a proxy passed on, by its
// fields or because it names a host other than loopback, is not its sender's own: it needs the
// token whatever user the proxy runs as.
std::expected<Admitted, net::HttpRefusal> admit(const net::RequestHead& head,
                                                const HttpRules& rules, const Caller& caller);

// The refusal of somebody who lacks a right: 403, which names it.
net::HttpRefusal lacks(net::Right right);

// The media types that a client accepts.
struct Accepts {
  bool json = false, stream = false;
};
Accepts accepted_by(const net::RequestHead& head);

// Whether the client waits for 100 Continue before it sends the body.
bool waits_to_continue(const net::RequestHead& head);

}  // namespace weft::mcp

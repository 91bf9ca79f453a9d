// Serves MCP over Streamable HTTP: POST /mcp; GET /healthz for monitoring; and a site.
//
// Every request must name a Host and Origin of loopback or of `hosts`, and come from a program that
// may use the server. There are no sessions: the
// modern era has none, and a legacy client is served without.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/crypto/secret.hpp"
#include "weft/mcp/protocol/server.hpp"
#include "weft/net/rights.hpp"
#include "weft/net/site.hpp"

namespace weft::mcp {

struct HttpOptions {
  std::string address = "127.0.0.1";  // to listen on, IPv4 or IPv6
  std::uint16_t port = 4737;          // 0: the system chooses one
  // Names of this server to accept besides those of loopback; "name" or "name:port".
  std::vector<std::string> hosts{};
  // Who may use /mcp: a client that sends the token, as `Authorization: Bearer …`, and, with
  // `admits_own_user`, programs on this machine that run as the same user. If neither is set,
  // everybody who can connect. Both may do everything.
  std::optional<std::string> token{};
  bool admits_own_user = false;
  // People with tokens of their own, and the proxy with TLS that is demanded (http_rules.hpp).
  std::function<std::optional<net::Rights>(std::string_view token)> find_person{};
  bool needs_tls_proxy = false;

  net::Site* site = nullptr;  // served at all other paths, if there is one; outlives the server

  std::size_t most_body_bytes = 4u << 20;
  std::size_t most_bodies_bytes = 64u << 20;  // in all (body_budget.hpp)
  std::size_t most_header_bytes = 32u << 10;
  // Of one client (an address; on loopback, the programs of one user), of the programs of the user
  // who runs the server, and in all. At a limit, the connection that has been idle for longest is
  // closed.
  std::size_t most_connections_each = 64;
  std::size_t most_connections_own = 512;
  std::size_t most_connections = 1024;
  std::size_t most_streams_each = 32;  // open streams of one client
  std::chrono::milliseconds header_time{10'000}, body_time{30'000}, idle_time{60'000};
  std::chrono::milliseconds keep_alive{15'000};  // between comments on an idle stream
  std::chrono::milliseconds drain_time{5'000};   // for the requests under way when it stops
};

// Serves until the descriptor `stop` becomes readable (a signal came). Then it accepts no more
// requests, answers those under way, and returns. Calls `listening` with the port once it listens.
// invalid_input if the address is not one; unavailable if it cannot be listened on.
Status serve_http(Server& server, const HttpOptions& options, int stop,
                  const std::function<void(std::uint16_t port)>& listening);

}  // namespace weft::mcp

// MCP over Streamable HTTP: POST /mcp, and GET /healthz beside it.
//
// Host and Origin are checked on every request of any method: those of `hosts`, of loopback, and
// no others. There are no sessions: the modern era has none, and a legacy client is served
// without.
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

namespace weft::mcp {

struct HttpOptions {
  std::string address = "127.0.0.1";  // of an interface, IPv4 or IPv6
  std::uint16_t port = 4737;          // 0: any that is free
  // Names by which clients may call this server besides loopback's own; "name" or "name:port".
  std::vector<std::string> hosts{};
  // Asked of every client where it is set, as `Authorization: Bearer …`.
  std::optional<std::string> token{};

  std::size_t most_body_bytes = 4u << 20;
  std::size_t most_header_bytes = 32u << 10;
  std::size_t most_connections = 1024;
  std::size_t most_streams_each = 32;  // open streams of one address
  std::chrono::milliseconds header_time{10'000}, body_time{30'000}, idle_time{60'000};
  std::chrono::milliseconds keep_alive{15'000};  // a comment on a stream that is silent so long
  std::chrono::milliseconds last_time{5'000};    // for what is under way when it stops
};

// Serves until `stop` becomes readable (a signal came): then it takes no more, finishes what is
// under way, and returns. `listening` is told the port once it listens. unavailable if it
// cannot listen there.
Status serve_http(Server& server, const HttpOptions& options, int stop,
                  const std::function<void(std::uint16_t port)>& listening);

}  // namespace weft::mcp

// A recording proxy for an API. Passes requests to the upstream and responses to the client at
// once and byte for byte, and records each exchange that `open_listener` accepts.
//
// Each client connection has an upstream connection of its own, for as long as both last. So
// keep-alive, pipelining, 100-continue and upgrades work as they do without the proxy, and clients
// never share anything. Each direction has one buffer of fixed size: a slow reader makes the other
// side wait, and memory does not grow.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/capture/proxy/exchange_tap.hpp"
#include "weft/net/endpoint.hpp"

namespace weft::capture {

struct ProxyOptions {
  std::string address = "127.0.0.1";  // to listen on, as numbers
  std::uint16_t port = 0;             // 0: the system chooses one
  net::Url upstream;
  // Host names to accept besides those of loopback; their web pages may use the proxy.
  std::vector<std::string> hosts{};
  // Values of Origin to accept besides, exactly as the client sends them.
  std::vector<std::string> origins{};
  // Otherwise only programs of this user on this machine may use the proxy.
  bool admits_others = false;
  OpenListener open_listener;
  std::function<void(const std::string& line)> note;  // receives failures; never content
};

// Runs until the descriptor `stop` becomes readable, and drains it. Then it accepts no more
// connections, and returns once every exchange under way is complete, after 30 seconds, or when
// `stop` becomes readable again. Calls `listening` with the port. invalid_input if the address is
// not one; unavailable if it cannot be listened on, or the system's certificates cannot be read.
Status run_proxy(const ProxyOptions& options, int stop,
                 const std::function<void(std::uint16_t port)>& listening);

}  // namespace weft::capture

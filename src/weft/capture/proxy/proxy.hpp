// A proxy that stands before an API: what a client sends goes on to the upstream, what comes back
// goes to the client, byte for byte and at once; and each exchange that is worth it is heard.
//
// Each connection of a client has one of its own to the upstream, for as long as both last: so
// whatever the two agree on (keep-alive, pipelining, 100-continue, an upgrade) holds as it would
// without us, and what one client does is never another's. Each way has one buffer of fixed size:
// who reads slowly makes the other side wait, and nothing grows.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/capture/proxy/tap.hpp"
#include "weft/net/endpoint.hpp"

namespace weft::capture {

struct ProxyOptions {
  std::string address = "127.0.0.1";  // as numbers
  std::uint16_t port = 0;             // 0: any
  net::Url upstream;
  // Names by which clients may call it besides loopback's own, and whose web pages may use it.
  std::vector<std::string> hosts{};
  Listen listen;
  std::function<void(const std::string& line)> note;  // what went wrong; never quotes what was said
};

// Runs until `stop` becomes readable, then until what is under way is answered, for a while, or
// until it is readable once more; each time it reads what is there. `listening` is told the port.
// unavailable if it cannot listen there.
Status run_proxy(const ProxyOptions& options, int stop,
                 const std::function<void(std::uint16_t port)>& listening);

}  // namespace weft::capture

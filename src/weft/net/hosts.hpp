// Checks the Host and Origin of a request against the names of this server. It keeps a web page
// whose own name was made to resolve to this machine (DNS rebinding) from using the server.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/net/endpoint.hpp"

namespace weft::net {

class Hosts {
 public:
  // `names` are accepted besides the names of loopback. Each is read by parse_authority; one that
  // it refuses is ignored.
  Hosts(std::uint16_t port, const std::vector<std::string>& names);

  // Checks the value of a Host field: without a port, or with this server's. `local` is the
  // address that the client connected to. Naming the server by its address is always accepted: a
  // page has an address for its name only if it came from there.
  bool allow_host(std::string_view host, std::string_view local) const;
  // Whether a Host field names the server as programs on this machine do: by a name of loopback, or
  // by the address that the client connected to. False for `names`.
  bool is_own_host(std::string_view host, std::string_view local) const;
  // Checks the value of an Origin field. The port must be this server's; for one of `names` the
  // scheme's own is accepted as well, because a reverse proxy may stand before the server.
  bool allow_origin(std::string_view origin, std::string_view local) const;

 private:
  std::uint16_t port_;
  std::vector<Authority> names_;
};

}  // namespace weft::net

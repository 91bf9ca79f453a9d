// By which names a server may be called: the check that keeps a web page, whose own name was made
// to lead here (DNS rebinding), from talking to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::net {

// "name", "name:port", "[v6]", "[v6]:port".
struct Authority {
  std::string name;  // in lower case
  std::optional<std::uint16_t> port{};

  friend bool operator==(const Authority&, const Authority&) = default;
};
// Empty for anything else: a name is letters, digits, '-', '_' and '.'.
std::optional<Authority> parse_authority(std::string_view text);

class Hosts {
 public:
  // `names` are what it may be called besides loopback's own names, as parse_authority reads them;
  // others are left out.
  Hosts(std::uint16_t port, const std::vector<std::string>& names);

  // What a request says in Host. `local` is the address that the client has reached: calling a
  // server by its address is fine, since no page can have an address for its name unless it came
  // from there. Without a port, or with this server's.
  bool allow_host(std::string_view host, std::string_view local) const;
  // What a request says in Origin. The port is this server's; for one of `names`, that of the
  // scheme is fine too, because a proxy stands before it.
  bool allow_origin(std::string_view origin, std::string_view local) const;

 private:
  std::uint16_t port_;
  std::vector<Authority> names_;
};

}  // namespace weft::net

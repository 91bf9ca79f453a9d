#include "weft/cli/serve/listen_address.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include "weft/net/hosts.hpp"

namespace weft::cli {

std::string ListenAddress::url(std::uint16_t got) const {
  const bool is_v6 = address.find(':') != std::string::npos;
  return fmt::format("http://{}:{}/mcp", is_v6 ? "[" + address + "]" : address, got);
}

std::optional<ListenAddress> parse_listen_address(std::string_view text, std::uint16_t port) {
  const std::optional<net::Authority> typed = net::parse_authority(text);
  if (!typed) return std::nullopt;
  ListenAddress at{.address = typed->name, .port = port};
  if (typed->port) at.port = *typed->port;
  if (at.address == "localhost") at.address = "127.0.0.1";
  in_addr v4{};
  in6_addr v6{};
  if (at.address.starts_with('[')) {
    at.address = at.address.substr(1, at.address.size() - 2);
    if (::inet_pton(AF_INET6, at.address.c_str(), &v6) != 1) return std::nullopt;
    at.is_loopback = IN6_IS_ADDR_LOOPBACK(&v6) != 0;
  } else {
    if (::inet_pton(AF_INET, at.address.c_str(), &v4) != 1) return std::nullopt;
    at.is_loopback = ntohl(v4.s_addr) >> 24 == 127;
  }
  return at;
}

}  // namespace weft::cli

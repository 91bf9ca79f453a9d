// Parses the address a server listens on: HOST:PORT.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft::cli {

struct ListenAddress {
  std::string address = "127.0.0.1";  // numeric, IPv6 without brackets
  std::uint16_t port = 4737;
  bool is_loopback = true;  // not reachable from other machines

  // "http://127.0.0.1:4737/mcp", with the actual port.
  std::string url(std::uint16_t got) const;
  // "http://127.0.0.1:4737/".
  std::string page_url(std::uint16_t got) const;

  friend bool operator==(const ListenAddress&, const ListenAddress&) = default;
};

// "127.0.0.1:4737", "[::1]:4737", "localhost:0"; without a port it is `port`. Empty for anything
// else: names other than localhost are not resolved, because their addresses may change.
std::optional<ListenAddress> parse_listen_address(std::string_view text, std::uint16_t port = 4737);

}  // namespace weft::cli

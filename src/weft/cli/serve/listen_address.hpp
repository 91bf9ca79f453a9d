// Where a server listens, as it is typed: HOST:PORT.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft::cli {

struct ListenAddress {
  std::string address = "127.0.0.1";  // as numbers, IPv6 without brackets
  std::uint16_t port = 4737;
  bool is_loopback = true;  // nobody else's machine gets there

  // "http://127.0.0.1:4737/mcp", with the port that it got.
  std::string url(std::uint16_t got) const;

  friend bool operator==(const ListenAddress&, const ListenAddress&) = default;
};

// "127.0.0.1:4737", "[::1]:4737", "localhost:0"; without a port it is `port`. Empty for anything
// else: names other than localhost are not looked up, since what they lead to may change.
std::optional<ListenAddress> parse_listen_address(std::string_view text, std::uint16_t port = 4737);

}  // namespace weft::cli

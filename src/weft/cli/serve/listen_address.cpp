#include "weft/cli/serve/listen_address.hpp"

#include <fmt/format.h>

#include <utility>

#include "weft/net/endpoint.hpp"

namespace weft::cli {

std::string ListenAddress::url(std::uint16_t got) const {
  return fmt::format("http://{}:{}/mcp", net::bracketed(address), got);
}

std::string ListenAddress::page_url(std::uint16_t got) const {
  return fmt::format("http://{}:{}/", net::bracketed(address), got);
}

std::optional<ListenAddress> parse_listen_address(std::string_view text, std::uint16_t port) {
  std::optional<net::Authority> typed = net::parse_authority(text);
  if (!typed) return std::nullopt;
  if (typed->host == "localhost") typed->host = "127.0.0.1";
  if (!net::is_address(typed->host)) return std::nullopt;
  const bool is_loopback = net::is_loopback(typed->host);
  return ListenAddress{.address = std::move(typed->host),
                       .port = typed->port.value_or(port),
                       .is_loopback = is_loopback};
}

}  // namespace weft::cli

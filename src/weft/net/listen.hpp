// A socket that listens, for the doors that are servers. Asio is a heavy header: only a file that
// has it anyway includes this one.
#pragma once

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <string>

#include "weft/base/result.hpp"

namespace weft::net {

// `port` 0 has the system choose one. invalid_input if `address` is none; unavailable, with the
// reason, if it cannot be listened on.
inline Result<boost::asio::ip::tcp::acceptor> listen_on(boost::asio::io_context& io,
                                                        const std::string& address,
                                                        std::uint16_t port) {
  namespace asio = boost::asio;
  boost::system::error_code error;
  const asio::ip::address parsed = asio::ip::make_address(address, error);
  if (error) return fail(ErrorCode::invalid_input, "not an address: " + address);
  const asio::ip::tcp::endpoint endpoint(parsed, port);
  asio::ip::tcp::acceptor acceptor(io);
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (!error) return acceptor;
  return fail(ErrorCode::unavailable,
              fmt::format("listening on {} port {}: {}", address, port, error.message()));
}

// An endpoint's address as numbers; one of IPv4 that came over IPv6 as IPv4.
inline std::string address_of(const boost::asio::ip::tcp::endpoint& endpoint) {
  namespace ip = boost::asio::ip;
  const ip::address address = endpoint.address();
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    return ip::make_address_v4(ip::v4_mapped, address.to_v6()).to_string();
  }
  return address.to_string();
}

}  // namespace weft::net

// Awaits an Asio operation and stores its error instead of throwing it.
//
//   error_code error;
//   co_await socket.async_read_some(buffer, net::into(error));
#pragma once

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace weft::net {

// `error` outlives the operation.
inline auto into(boost::system::error_code& error) {
  return boost::asio::redirect_error(boost::asio::use_awaitable, error);
}

}  // namespace weft::net

// Connections to the API that a proxy stands before, plain or with TLS.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <span>
#include <string_view>

#include "weft/base/result.hpp"
#include "weft/net/endpoint.hpp"

namespace weft::capture {

// One connection; plain, or with TLS. For one thread.
class Upstream {
 public:
  template <class T = void>
  using Awaitable = boost::asio::awaitable<T>;
  enum class End { none, closed, broken };

  virtual ~Upstream() = default;
  // Looks the name up, connects, shakes hands. Says what failed, without secrets.
  virtual Awaitable<Status> connect() = 0;
  // Some bytes; 0 at the end, and then `end` says how it ended.
  virtual Awaitable<std::size_t> read(std::span<char> into, End& end) = 0;
  // False if it could not all be written.
  virtual Awaitable<bool> write(std::string_view bytes) = 0;
  // Whatever waits comes back.
  virtual void close() = 0;
};

// Makes connections to one URL. Certificates are checked against the system's store, or what
// SSL_CERT_FILE and SSL_CERT_DIR say, and against the host's name.
class Upstreams {
 public:
  // unavailable if the store of certificates cannot be read.
  static Result<std::unique_ptr<Upstreams>> open(const net::Url& url);
  virtual ~Upstreams() = default;
  virtual std::unique_ptr<Upstream> make(boost::asio::io_context& io) = 0;
};

}  // namespace weft::capture

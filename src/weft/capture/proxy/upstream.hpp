// Connections to the API that the proxy forwards to, plain or with TLS.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <span>
#include <string_view>

#include "weft/base/result.hpp"
#include "weft/net/endpoint.hpp"

namespace weft::capture {

// One connection. For one thread.
class Upstream {
 public:
  template <class T = void>
  using Awaitable = boost::asio::awaitable<T>;
  enum class End { none, closed, broken };

  virtual ~Upstream() = default;
  // Resolves the host, connects, and performs the TLS handshake. unavailable, with the reason.
  virtual Awaitable<Status> connect() = 0;
  // Reads some bytes; 0 at the end, and `end` has the reason then.
  virtual Awaitable<std::size_t> read(std::span<char> into, End& end) = 0;
  // False if not all could be written.
  virtual Awaitable<bool> write(std::string_view bytes) = 0;
  // Ends every operation under way.
  virtual void close() = 0;
};

// Makes connections to one URL. Certificates are verified against the host's name and the system's
// certificate store, or the one that SSL_CERT_FILE and SSL_CERT_DIR name.
class Upstreams {
 public:
  // unavailable if the certificate store cannot be read.
  static Result<std::unique_ptr<Upstreams>> open(const net::Url& url);
  virtual ~Upstreams() = default;
  virtual std::unique_ptr<Upstream> make(boost::asio::io_context& io) = 0;
};

}  // namespace weft::capture

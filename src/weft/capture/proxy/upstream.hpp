// The API that a proxy stands before: its URL, and a connection to it.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"

namespace weft::capture {

struct UpstreamUrl {
  bool is_tls = true;
  std::string host;  // IPv6 without brackets
  std::uint16_t port = 443;
  std::string prefix{};  // of every path; empty, or begins with '/' and does not end so

  // As the Host field says it: without the port where that is the scheme's own.
  std::string authority() const;
  // Whether it is this machine by its own name or number.
  bool is_loopback() const;

  // "https://api.anthropic.com", "http://127.0.0.1:8080/gateway". invalid_input for anything
  // else: no user, query or fragment.
  static Result<UpstreamUrl> parse(std::string_view text);
  friend bool operator==(const UpstreamUrl&, const UpstreamUrl&) = default;
};

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
  static Result<std::unique_ptr<Upstreams>> open(const UpstreamUrl& url);
  virtual ~Upstreams() = default;
  virtual std::unique_ptr<Upstream> make(boost::asio::io_context& io) = 0;
};

}  // namespace weft::capture

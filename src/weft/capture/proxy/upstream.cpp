#include "weft/capture/proxy/upstream.hpp"

#include <fmt/format.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>

#include "weft/net/await.hpp"

namespace weft::capture {

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

asio::awaitable<Status> connect_to(tcp::socket& socket, const net::Url& url) {
  error_code error;
  tcp::resolver resolver(socket.get_executor());
  const std::string port = std::to_string(url.port);
  const tcp::resolver::results_type found =
      co_await resolver.async_resolve(url.host, port, net::into(error));
  if (!error) co_await asio::async_connect(socket, found, net::into(error));
  if (error) co_return fail(ErrorCode::unavailable, error.message());
  error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  socket.set_option(asio::socket_base::keep_alive(true), ignored);
  co_return Status();
}

template <class Stream>
asio::awaitable<std::size_t> read_from(Stream& stream, std::span<char> to, Upstream::End& end) {
  error_code error;
  const asio::mutable_buffer buffer(to.data(), to.size());
  const std::size_t size = co_await stream.async_read_some(buffer, net::into(error));
  end = Upstream::End::none;
  // TLS that ends without its closing message (stream_truncated) may have been cut by anybody.
  if (error) end = error == asio::error::eof ? Upstream::End::closed : Upstream::End::broken;
  co_return size;
}

template <class Stream>
asio::awaitable<bool> write_to(Stream& stream, std::string_view bytes) {
  error_code error;
  const asio::const_buffer buffer(bytes.data(), bytes.size());
  co_await asio::async_write(stream, buffer, net::into(error));
  co_return !error;
}

class Plain final : public Upstream {
 public:
  Plain(asio::io_context& io, const net::Url& url) : url_(url), socket_(io) {}
  Awaitable<Status> connect() override { return connect_to(socket_, url_); }
  Awaitable<std::size_t> read(std::span<char> to, End& end) override {
    return read_from(socket_, to, end);
  }
  Awaitable<bool> write(std::string_view bytes) override { return write_to(socket_, bytes); }
  void close() override {
    error_code ignored;
    socket_.close(ignored);
  }

 private:
  const net::Url& url_;
  tcp::socket socket_;
};

class Tls final : public Upstream {
 public:
  Tls(asio::io_context& io, const net::Url& url, ssl::context& context)
      : url_(url), stream_(io, context) {}

  Awaitable<Status> connect() override {
    Status connected = co_await connect_to(stream_.next_layer(), url_);
    if (!connected) co_return connected;
    error_code error;
    ::SSL_set_tlsext_host_name(stream_.native_handle(), url_.host.c_str());
    stream_.set_verify_callback(ssl::host_name_verification(url_.host), error);
    if (!error) co_await stream_.async_handshake(ssl::stream_base::client, net::into(error));
    if (error) co_return fail(ErrorCode::unavailable, error.message());
    co_return Status();
  }
  Awaitable<std::size_t> read(std::span<char> to, End& end) override {
    return read_from(stream_, to, end);
  }
  Awaitable<bool> write(std::string_view bytes) override { return write_to(stream_, bytes); }
  void close() override {
    error_code ignored;
    stream_.next_layer().close(ignored);
  }

 private:
  const net::Url& url_;
  ssl::stream<tcp::socket> stream_;
};

class PlainUpstreams final : public Upstreams {
 public:
  explicit PlainUpstreams(const net::Url& url) : url_(url) {}
  std::unique_ptr<Upstream> make(asio::io_context& io) override {
    return std::make_unique<Plain>(io, url_);
  }

 private:
  net::Url url_;
};

class TlsUpstreams final : public Upstreams {
 public:
  explicit TlsUpstreams(const net::Url& url) : url_(url), context_(ssl::context::tls_client) {
    context_.set_default_verify_paths();
    context_.set_verify_mode(ssl::verify_peer);
    ::SSL_CTX_set_min_proto_version(context_.native_handle(), TLS1_2_VERSION);
    // The proxy reads HTTP/1.1 only: a server must not choose HTTP/2.
    static constexpr unsigned char kProtocols[] = "\x08http/1.1";
    ::SSL_CTX_set_alpn_protos(context_.native_handle(), kProtocols, sizeof(kProtocols) - 1);
  }
  std::unique_ptr<Upstream> make(asio::io_context& io) override {
    return std::make_unique<Tls>(io, url_, context_);
  }

 private:
  net::Url url_;
  ssl::context context_;
};

}  // namespace

Result<std::unique_ptr<Upstreams>> Upstreams::open(const net::Url& url) {
  if (!url.is_tls) return std::make_unique<PlainUpstreams>(url);
  try {
    return std::make_unique<TlsUpstreams>(url);
  } catch (const std::exception& exception) {
    return fail(ErrorCode::unavailable,
                fmt::format("cannot prepare TLS: {}; check SSL_CERT_FILE and SSL_CERT_DIR",
                            exception.what()));
  }
}

}  // namespace weft::capture

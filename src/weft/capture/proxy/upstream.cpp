#include "weft/capture/proxy/upstream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <charconv>

namespace weft::capture {

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

auto into(error_code& error) { return asio::redirect_error(asio::use_awaitable, error); }

std::unexpected<Error> wrong_url() {
  return fail(ErrorCode::invalid_input,
              "not a URL of an API (want https://HOST[:PORT][/PATH], or http://…)");
}

// A name that may stand in a Host field and be looked up.
bool is_host(std::string_view host) {
  constexpr std::string_view kOthers = "-._:";
  return !host.empty() && host.size() <= 255 && std::ranges::all_of(host, [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kOthers.find(c) != std::string_view::npos;
  });
}

asio::awaitable<Status> connect_to(tcp::socket& socket, const UpstreamUrl& url) {
  error_code error;
  tcp::resolver resolver(socket.get_executor());
  const std::string port = std::to_string(url.port);
  const tcp::resolver::results_type found =
      co_await resolver.async_resolve(url.host, port, into(error));
  if (!error) co_await asio::async_connect(socket, found, into(error));
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
  const std::size_t size = co_await stream.async_read_some(buffer, into(error));
  end = Upstream::End::none;
  if (error == asio::error::eof || error == ssl::error::stream_truncated) {
    end = Upstream::End::closed;
  } else if (error) {
    end = Upstream::End::broken;
  }
  co_return size;
}

template <class Stream>
asio::awaitable<bool> write_to(Stream& stream, std::string_view bytes) {
  error_code error;
  const asio::const_buffer buffer(bytes.data(), bytes.size());
  co_await asio::async_write(stream, buffer, into(error));
  co_return !error;
}

class Plain final : public Upstream {
 public:
  Plain(asio::io_context& io, const UpstreamUrl& url) : url_(url), socket_(io) {}
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
  const UpstreamUrl& url_;
  tcp::socket socket_;
};

class Tls final : public Upstream {
 public:
  Tls(asio::io_context& io, const UpstreamUrl& url, ssl::context& context)
      : url_(url), stream_(io, context) {}

  Awaitable<Status> connect() override {
    Status connected = co_await connect_to(stream_.next_layer(), url_);
    if (!connected) co_return connected;
    error_code error;
    ::SSL_set_tlsext_host_name(stream_.native_handle(), url_.host.c_str());
    stream_.set_verify_callback(ssl::host_name_verification(url_.host), error);
    if (!error) co_await stream_.async_handshake(ssl::stream_base::client, into(error));
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
  const UpstreamUrl& url_;
  ssl::stream<tcp::socket> stream_;
};

class PlainUpstreams final : public Upstreams {
 public:
  explicit PlainUpstreams(const UpstreamUrl& url) : url_(url) {}
  std::unique_ptr<Upstream> make(asio::io_context& io) override {
    return std::make_unique<Plain>(io, url_);
  }

 private:
  UpstreamUrl url_;
};

class TlsUpstreams final : public Upstreams {
 public:
  explicit TlsUpstreams(const UpstreamUrl& url) : url_(url), context_(ssl::context::tls_client) {
    context_.set_default_verify_paths();
    context_.set_verify_mode(ssl::verify_peer);
    ::SSL_CTX_set_min_proto_version(context_.native_handle(), TLS1_2_VERSION);
    // We speak HTTP/1.1, and a server that could speak more is told so.
    static constexpr unsigned char kProtocols[] = "\x08http/1.1";
    ::SSL_CTX_set_alpn_protos(context_.native_handle(), kProtocols, sizeof(kProtocols) - 1);
  }
  std::unique_ptr<Upstream> make(asio::io_context& io) override {
    return std::make_unique<Tls>(io, url_, context_);
  }

 private:
  UpstreamUrl url_;
  ssl::context context_;
};

}  // namespace

std::string UpstreamUrl::authority() const {
  const std::string name = host.find(':') == std::string::npos ? host : "[" + host + "]";
  return port == (is_tls ? 443 : 80) ? name : fmt::format("{}:{}", name, port);
}

bool UpstreamUrl::is_loopback() const {
  error_code error;
  const asio::ip::address address = asio::ip::make_address(host, error);
  return error ? host == "localhost" : address.is_loopback();
}

Result<UpstreamUrl> UpstreamUrl::parse(std::string_view text) {
  UpstreamUrl url;
  if (text.starts_with("https://")) {
    text.remove_prefix(8);
  } else if (text.starts_with("http://")) {
    text.remove_prefix(7);
    url.is_tls = false;
    url.port = 80;
  } else {
    return wrong_url();
  }
  const std::size_t slash = std::min(text.find('/'), text.size());
  std::string_view authority = text.substr(0, slash);
  url.prefix = text.substr(slash);
  while (url.prefix.ends_with('/')) url.prefix.pop_back();
  if (url.prefix.find_first_of("?# \t\r\n") != std::string::npos) return wrong_url();
  std::string_view port;
  if (authority.starts_with('[')) {
    const std::size_t end = authority.find(']');
    if (end == std::string_view::npos) return wrong_url();
    url.host = authority.substr(1, end - 1);
    authority.remove_prefix(end + 1);
    if (!authority.empty() && !authority.starts_with(':')) return wrong_url();
    if (!authority.empty()) port = authority.substr(1);
    if (authority == ":") return wrong_url();
  } else {
    const std::size_t colon = authority.find(':');
    url.host = authority.substr(0, colon);
    if (colon != std::string_view::npos) {
      port = authority.substr(colon + 1);
      if (port.empty()) return wrong_url();
    }
    if (url.host.find(':') != std::string::npos) return wrong_url();
  }
  if (!is_host(url.host)) return wrong_url();
  if (!port.empty()) {
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), url.port);
    if (error != std::errc() || end != port.data() + port.size() || url.port == 0) {
      return wrong_url();
    }
  }
  return url;
}

Result<std::unique_ptr<Upstreams>> Upstreams::open(const UpstreamUrl& url) {
  if (!url.is_tls) return std::make_unique<PlainUpstreams>(url);
  try {
    return std::make_unique<TlsUpstreams>(url);
  } catch (const std::exception& exception) {
    return fail(ErrorCode::unavailable, fmt::format("preparing TLS: {}", exception.what()));
  }
}

}  // namespace weft::capture

#include "weft/cli/serve/running_server.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <chrono>

#include "weft/base/file.hpp"
#include "weft/net/endpoint.hpp"

namespace weft::cli {
namespace {

std::filesystem::path note_in(const std::filesystem::path& home) { return home / "serve.url"; }

namespace asio = boost::asio;

// Whether something listens there. A connection within this machine is made by its kernel: it does
// not wait for the server, however busy that is.
bool connects(asio::io_context& io, asio::ip::tcp::socket& socket, const net::Url& url) {
  constexpr std::chrono::milliseconds kPatience(200);
  boost::system::error_code error = asio::error::timed_out;
  boost::system::error_code unknown;
  const auto address = asio::ip::make_address(url.host, unknown);
  if (unknown) return false;
  socket.async_connect({address, url.port},
                       [&](const boost::system::error_code& outcome) { error = outcome; });
  io.run_for(kPatience);
  io.restart();
  return !error;
}

// The status of the response to a GET. Nothing if none came in time: a server that is stopped
// accepts connections, and is silent.
std::optional<std::string> status_of(const net::Url& url, std::string_view path) {
  constexpr std::chrono::seconds kPatience(10);
  boost::system::error_code error;
  asio::io_context io;
  asio::ip::tcp::socket socket(io);
  if (!connects(io, socket, url)) return std::nullopt;
  const std::string request = fmt::format(
      "GET {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", path, url.authority());
  asio::write(socket, asio::buffer(request), error);
  if (error) return std::nullopt;
  constexpr std::string_view kBefore = "HTTP/1.1 ";
  std::string response(kBefore.size() + 3, '\0');
  std::size_t size = 0;
  asio::async_read(socket, asio::buffer(response),
                   [&](const boost::system::error_code&, std::size_t read) { size = read; });
  io.run_for(kPatience);
  if (size < response.size() || !response.starts_with(kBefore)) return std::nullopt;
  return response.substr(kBefore.size());
}

std::optional<std::string> noted_in(const std::filesystem::path& home) {
  Result<std::string> text = read_file(note_in(home));
  if (!text) return std::nullopt;
  while (text->ends_with('\n')) text->pop_back();
  return *std::move(text);
}

}  // namespace

ServerNote::ServerNote(const std::filesystem::path& home, const ListenAddress& at,
                       std::uint16_t port)
    : path_(note_in(home)) {
  // A server on all addresses is reached on this machine by the one of loopback.
  const bool is_any = at.address == "0.0.0.0" || at.address == "::";
  const std::string host = is_any ? "127.0.0.1" : net::bracketed(at.address);
  text_ = fmt::format("http://{}:{}\n", host, port);
  if (!write_file_atomically(path_, text_, 0600)) path_.clear();
}

// Another server may have left its own address meanwhile.
ServerNote::~ServerNote() {
  if (path_.empty()) return;
  const Result<std::string> there = read_file(path_);
  if (there && *there == text_) ::unlink(path_.c_str());
}

std::optional<std::string> find_page(const std::filesystem::path& home) {
  std::optional<std::string> address = noted_in(home);
  const Result<net::Url> url = net::Url::parse(address.value_or(""));
  asio::io_context io;
  asio::ip::tcp::socket socket(io);
  if (!url || !connects(io, socket, *url)) return std::nullopt;
  return address;
}

std::optional<RunningServer> find_running_server(const std::filesystem::path& home) {
  const std::optional<std::string> address = noted_in(home);
  const Result<net::Url> url = net::Url::parse(address.value_or(""));
  if (!url || status_of(*url, "/healthz") != "200") return std::nullopt;
  return RunningServer{.url = *address, .admits_us = status_of(*url, "/api/hello") == "200"};
}

}  // namespace weft::cli

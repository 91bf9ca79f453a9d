#include "weft/cli/serve/running_server.hpp"

#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include "weft/base/file.hpp"
#include "weft/net/endpoint.hpp"

namespace weft::cli {
namespace {

std::filesystem::path note_in(const std::filesystem::path& home) { return home / "serve.url"; }

// The status line of the response to a GET, for which it waits two seconds at most.
std::optional<std::string> status_of(const net::Url& url, std::string_view path) {
  namespace asio = boost::asio;
  boost::system::error_code error;
  asio::io_context io;
  asio::ip::tcp::socket socket(io);
  socket.connect({asio::ip::make_address(url.host, error), url.port}, error);
  if (error) return std::nullopt;
  const timeval patience{.tv_sec = 2, .tv_usec = 0};
  ::setsockopt(socket.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const std::string request = fmt::format(
      "GET {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", path, url.authority());
  asio::write(socket, asio::buffer(request), error);
  std::string response(64, '\0');
  const std::size_t size = asio::read(socket, asio::buffer(response), error);
  response.resize(size);
  if (!response.starts_with("HTTP/1.1 ")) return std::nullopt;
  return response.substr(9, 3);
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

std::optional<RunningServer> find_running_server(const std::filesystem::path& home) {
  Result<std::string> text = read_file(note_in(home));
  if (!text) return std::nullopt;
  while (text->ends_with('\n')) text->pop_back();
  const Result<net::Url> url = net::Url::parse(*text);
  if (!url || status_of(*url, "/healthz") != "200") return std::nullopt;
  return RunningServer{.url = *text, .admits_us = status_of(*url, "/api/hello") == "200"};
}

}  // namespace weft::cli

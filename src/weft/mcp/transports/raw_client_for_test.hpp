// A client of HTTP on a bare socket, which sends whatever a test likes.
#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"

namespace weft::mcp {

// A response as it came.
struct Got {
  unsigned status = 0;
  std::string head;  // with its last empty line
  std::string body;  // unchunked

  bool has(std::string_view field) const { return head.find(field) != std::string::npos; }
  json::object message() const {
    const Result<ParsedJson> parsed = parse_json(body);
    return parsed && parsed->value.is_object() ? parsed->value.get_object() : json::object{};
  }
  // What its events say.
  std::vector<json::object> events() const {
    std::vector<json::object> all;
    for (std::size_t at = 0; (at = body.find("data: ", at)) != std::string::npos;) {
      const std::size_t end = body.find("\n\n", at);
      const Result<ParsedJson> parsed = parse_json(body.substr(at + 6, end - at - 6));
      if (parsed && parsed->value.is_object()) all.push_back(parsed->value.get_object());
      at = end;
    }
    return all;
  }
};

class RawClient {
 public:
  enum class Window { usual, small };
  explicit RawClient(std::uint16_t port, Window window = Window::usual)
      : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const timeval patience{.tv_sec = 60, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const int small = 4096;
    if (window == Window::small) {
      ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_connected_ =
        ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  ~RawClient() { close(); }

  bool is_connected() const { return is_connected_; }
  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }
  void close_writing() const { ::shutdown(socket_, SHUT_WR); }

  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;  // it was closed on us; what was read tells
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  // Until that much is there. False if the connection ends before.
  bool read_until(std::string_view mark) {
    while (in_.find(mark) == std::string::npos) {
      if (!read_more()) return false;
    }
    return true;
  }
  // True if the server closes, with nothing before that.
  bool is_closed() {
    while (in_.empty() && read_more()) {
    }
    return in_.empty() && !is_late_;
  }
  // True if something was waited for in vain.
  bool is_late() const { return is_late_; }
  const std::string& unread() const { return in_; }

  // The next response, whole. Status 0 if it is cut short.
  Got read() {
    Got got;
    if (!read_until("\r\n\r\n")) return got;
    got.head = take(in_.find("\r\n\r\n") + 4);
    const std::size_t length = got.head.find("Content-Length: ");
    if (length != std::string::npos) {
      const std::size_t size = std::stoul(got.head.substr(length + 16));
      if (!fill(size)) return got;
      got.body = take(size);
    } else if (got.has("Transfer-Encoding: chunked")) {
      for (std::size_t size = 1; size > 0;) {
        if (!read_until("\r\n")) return got;
        size = std::stoul(take(in_.find("\r\n") + 2), nullptr, 16);
        if (!fill(size + 2)) return got;
        got.body += take(size);
        take(2);
      }
    } else if (!got.head.starts_with("HTTP/1.1 100")) {
      while (read_more()) {
      }
      got.body = take(in_.size());
    }
    got.status = static_cast<unsigned>(std::stoul(got.head.substr(9, 3)));
    return got;
  }

 private:
  bool read_more() {
    char bytes[4096];
    const ssize_t size = ::recv(socket_, bytes, sizeof bytes, 0);
    if (size < 0 && errno == EAGAIN) is_late_ = true;
    if (size <= 0) return false;
    in_.append(bytes, static_cast<std::size_t>(size));
    return true;
  }
  bool fill(std::size_t size) {
    while (in_.size() < size) {
      if (!read_more()) return false;
    }
    return true;
  }
  std::string take(std::size_t size) {
    std::string taken = in_.substr(0, size);
    in_.erase(0, size);
    return taken;
  }

  int socket_;
  bool is_connected_ = false, is_late_ = false;
  std::string in_;
};

}  // namespace weft::mcp

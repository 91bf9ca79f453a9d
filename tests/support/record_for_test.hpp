// An API on loopback with prepared answers, `weft record` in front of it, and a client that sends
// bytes to either.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "becomes_true.hpp"
#include "program.hpp"
#include "stdio_client.hpp"
#include "weft/base/file.hpp"

namespace weft::test {

inline sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

// One end of a connection.
class Peer {
 public:
  explicit Peer(int fd) : fd_(fd) {
    const int on = 1;
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  static Peer to(std::uint16_t port, int receive_buffer = 0) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (receive_buffer > 0) {
      ::setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    }
    const sockaddr_in address = loopback(port);
    EXPECT_EQ(::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    return Peer(fd);
  }
  Peer(Peer&& other) noexcept : fd_(std::exchange(other.fd_, -1)), in_(std::move(other.in_)) {}
  ~Peer() { close(); }

  bool write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t size = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (size <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(size));
    }
    return true;
  }
  // Some bytes more; empty at the end, or if none come for a long time.
  std::string read_some(std::size_t most = 65536) const {
    pollfd waiting{.fd = fd_, .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, 60'000) <= 0) return {};
    std::string piece(most, '\0');
    const ssize_t size = ::recv(fd_, piece.data(), piece.size(), 0);
    piece.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return piece;
  }
  std::string read_all() const {
    std::string all;
    for (std::string more; !(more = read_some()).empty();) all += more;
    return all;
  }
  std::string read_exactly(std::size_t size) {
    while (in_.size() < size) {
      const std::string more = read_some();
      if (more.empty()) break;
      in_ += more;
    }
    std::string out = in_.substr(0, size);
    in_.erase(0, size);
    return out;
  }
  std::string read_until(std::string_view end) {
    std::size_t at = std::string::npos;
    while ((at = in_.find(end)) == std::string::npos) {
      const std::string more = read_some();
      if (more.empty()) return std::exchange(in_, {});
      in_ += more;
    }
    return read_exactly(at + end.size());
  }
  std::string read_buffered() { return std::exchange(in_, {}); }
  // Whether it ends by force, past what is there.
  bool is_reset() const {
    char byte = 0;
    ssize_t size = 0;
    while ((size = ::recv(fd_, &byte, 1, 0)) > 0) {
    }
    return size < 0 && errno == ECONNRESET;
  }
  void end_writing() const { ::shutdown(fd_, SHUT_WR); }
  void reset() {
    const linger now{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
  }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
  std::string in_;
};

struct Asked {
  std::string head, body;
  std::string bytes() const { return head + body; }
};

// Answers each request by calling `answer`; false ends the connection.
class MockApi {
 public:
  using Answer = std::function<bool(Peer& client, const Asked& asked)>;
  explicit MockApi(Answer answer) : answer_(std::move(answer)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(0);
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(listener_, 1024), 0);
    socklen_t size = sizeof address;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    accepting_ = std::thread([this] { accept(); });
  }
  ~MockApi() {
    ::shutdown(listener_, SHUT_RDWR);
    accepting_.join();
    ::close(listener_);
    for (std::thread& one : serving_) one.join();
  }
  std::uint16_t port() const { return port_; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::vector<Asked> asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }
  std::size_t connections() const { return connections_; }
  std::size_t ended() const { return ended_; }  // connections that are over

 private:
  void accept() {
    for (int fd; (fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
      ++connections_;
      serving_.emplace_back([this, fd] { serve(Peer(fd)); });
    }
  }
  void serve(Peer client) {
    while (true) {
      Asked asked{.head = client.read_until("\r\n\r\n")};
      if (!asked.head.ends_with("\r\n\r\n")) break;
      const std::size_t at = asked.head.find("ontent-Length: ");
      if (at != std::string::npos) {
        asked.body = client.read_exactly(std::stoul(asked.head.substr(at + 15)));
      } else if (asked.head.find("chunked") != std::string::npos) {
        asked.body = client.read_until("0\r\n\r\n");
      }
      {
        const std::lock_guard lock(mutex_);
        asked_.push_back(asked);
      }
      if (!answer_(client, asked)) break;
    }
    client.close();
    ++ended_;
  }

  Answer answer_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::thread accepting_;
  std::vector<std::thread> serving_;
  std::atomic<std::size_t> connections_ = 0, ended_ = 0;
  mutable std::mutex mutex_;
  std::vector<Asked> asked_;  // guarded by mutex_
};

// `weft record`, running.
class Recording {
 public:
  Recording(const Weft& weft, const std::string& upstream, const std::string& more_options = "")
      : errors_(weft.path("record.err")),
        client_("/bin/sh", command(upstream, more_options), weft.environment) {
    const std::string url = text(client_.next(), "url");
    port_ = static_cast<std::uint16_t>(std::stoul(url.substr(url.rfind(':') + 1)));
  }
  std::uint16_t port() const { return port_; }
  Peer connect() const { return Peer::to(port_); }
  void kill(int signal) { client_.kill(signal); }
  int wait() { return client_.wait(); }
  int stop() {
    client_.kill(SIGTERM);
    return client_.wait();
  }
  std::string errors() const { return read_file(errors_).value_or(""); }
  pid_t pid() const { return client_.pid(); }

 private:
  std::vector<std::string> command(const std::string& upstream,
                                   const std::string& more_options) const {
    return {"-c", std::string("exec ") + WEFT_BINARY +
                      " record --listen 127.0.0.1:0 --json --upstream " + upstream + " " +
                      more_options + " 2>>" + errors_};
  }
  std::string errors_;
  StdioClient client_;
  std::uint16_t port_ = 0;
};

inline std::string post(std::string_view path, std::string_view body,
                        std::string_view more_fields = "") {
  return "POST " + std::string(path) +
         " HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Api-Key: sk-ant-SECRETSECRET\r\n"
         "Authorization: Bearer sk-SECRETSECRET\r\nCookie: id=SECRETSECRET\r\n"
         "content-type: application/json\r\n" +
         std::string(more_fields) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

inline std::string ok(std::string_view body, std::string_view type = "application/json",
                      std::string_view more_fields = "") {
  return "HTTP/1.1 200 OK\r\nContent-Type: " + std::string(type) + "\r\n" +
         std::string(more_fields) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

// Each event in a chunk of its own.
inline std::string chunked_stream(const std::vector<std::string>& events) {
  std::string out =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
      "transfer-encoding: chunked\r\nrequest-id: req_1\r\n\r\n";
  for (const std::string& event : events) {
    char size[32];
    std::snprintf(size, sizeof size, "%zx\r\n", event.size());
    out += size + event + "\r\n";
  }
  return out + "0\r\n\r\n";
}

// --- messages --------------------------------------------------------------------

inline std::string event(std::string_view type, std::string_view rest) {
  return "event: " + std::string(type) + "\ndata: {\"type\":\"" + std::string(type) + "\"" +
         (rest.empty() ? "" : "," + std::string(rest)) + "}\n\n";
}

// A message with thinking and `words`, as its events.
inline std::vector<std::string> message_events(const std::string& id, const std::string& thought,
                                               const std::string& words) {
  const auto delta = [](int index, const std::string& what) {
    return event("content_block_delta",
                 "\"index\":" + std::to_string(index) + ",\"delta\":{" + what + "}");
  };
  return {
      event("message_start", R"("message":{"id":")" + id +
                                 R"(","type":"message","role":"assistant","model":"claude-x",)"
                                 R"("content":[],"usage":{"input_tokens":3,"output_tokens":1}})"),
      event("content_block_start",
            R"("index":0,"content_block":{"type":"thinking","thinking":"","signature":""})"),
      delta(0, R"("type":"thinking_delta","thinking":")" + thought.substr(0, 5) + "\""),
      delta(0, R"("type":"thinking_delta","thinking":")" + thought.substr(5) + "\""),
      delta(0, R"("type":"signature_delta","signature":"c2ln)" + id + "\""),
      event("content_block_stop", R"("index":0)"),
      event("content_block_start", R"("index":1,"content_block":{"type":"text","text":""})"),
      event("ping", ""),
      delta(1, R"("type":"text_delta","text":")" + words + "\""),
      event("content_block_stop", R"("index":1)"),
      event("message_delta", R"("delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9})"),
      event("message_stop", "")};
}

inline std::string user(std::string_view words) {
  return R"({"role":"user","content":")" + std::string(words) + "\"}";
}
// As a client sends a streamed answer back.
inline std::string assistant(const std::string& id, const std::string& thought,
                             const std::string& words) {
  return R"({"role":"assistant","content":[{"type":"thinking","thinking":")" + thought +
         R"(","signature":"c2ln)" + id + R"("},{"type":"text","text":")" + words + R"("}]})";
}
inline std::string messages(std::string_view list, std::string_view more = "") {
  return R"({"model":"claude-x","max_tokens":99,"stream":true,"system":"Be brief.",)" +
         std::string(more) + R"("messages":[)" + std::string(list) + "]}";
}

// --- what is in the web --------------------------------------------------------------

// "human: Hi. | assistant: thinking response(Hello.)" of each conversation, in the order of these
// texts.
inline std::vector<std::string> outlines(const Weft& weft) {
  std::vector<std::string> all;
  const json::object listed = weft.json({"list", "--limit", "1000"});
  for (const json::value& value : list(listed, "conversations")) {
    const json::object walked = weft.json({"walk", text(value.as_object(), "cid"), "--all"});
    std::string out;
    for (const json::value& turn : list(walked, "turns")) {
      out += (out.empty() ? "" : " | ") + text(turn.as_object(), "role") + ":";
      for (const json::value& one : list(turn.as_object(), "thoughts")) {
        const std::string type = text(one.as_object(), "type");
        out += " " + type.substr(type.find('/') + 1);
        const json::object& content = one.as_object().at("content").as_object();
        const auto words = find_string(content, "text");
        if (words && words->size() < 40) out += "(" + std::string(*words) + ")";
      }
    }
    all.push_back(out);
  }
  std::ranges::sort(all);
  return all;
}

inline std::size_t waiting_in_journal(const Weft& weft) {
  std::size_t count = 0;
  std::error_code error;
  for ([[maybe_unused]] const auto& file :
       std::filesystem::directory_iterator(weft.home() / "record", error)) {
    ++count;
  }
  return count;
}
// Until all that has ended is woven.
inline bool is_woven(const Weft& weft) {
  return becomes_true([&] { return waiting_in_journal(weft) == 0; });
}

}  // namespace weft::test

// MessageProxy: stands between clients and a server, knows where the messages of PostgreSQL's
// protocol end, and makes a fault at one of them.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "weft/base/posix.hpp"

namespace weft::test {

class MessageProxy {
 public:
  enum Way { to_server, to_client };

  // `server` is the directory of its socket.
  explicit MessageProxy(std::string server) : server_(std::move(server)) {
    std::string name = "/tmp/weft-messages-XXXXXX";
    directory_ = ::mkdtemp(name.data());
    listening_ = Fd(::socket(AF_UNIX, SOCK_STREAM, 0));
    const sockaddr_un address = address_in(directory_);
    if (::bind(listening_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
            0 ||
        ::listen(listening_.get(), 64) != 0) {
      throw std::runtime_error("the proxy cannot listen");
    }
    accepting_ = std::jthread([this](const std::stop_token& stop) { accept_all(stop); });
  }
  MessageProxy(const MessageProxy&) = delete;
  ~MessageProxy() {
    is_over_ = true;
    accepting_ = {};
    passing_.clear();
    std::filesystem::remove_all(directory_);
  }

  const std::string& directory() const { return directory_; }

  // Counts messages from now on; nothing happens to them.
  void count() { arm(to_server, -1, {}); }
  std::int64_t counted(Way way) const { return counted_[way]; }
  // Before the message of this number is passed on, counted from now, `fault` runs and the
  // connection is cut.
  void strike_at(Way way, std::int64_t message, std::function<void()> fault = {}) {
    arm(way, message, std::move(fault));
  }
  // Before the answer to the next COMMIT is passed on: it was made, and nobody is told.
  void strike_after_commit() {
    arm(to_client, -1, {});
    is_after_commit_ = true;
  }
  bool has_struck() const { return has_struck_; }

 private:
  // One direction of a connection.
  struct Stream {
    Way way;
    std::string bytes{};      // not passed on yet
    bool is_started = false;  // the first message of a client has no type
    // Where the first whole message ends; 0 if there is none.
    std::size_t find_end() const {
      const std::size_t at = is_started ? 1 : 0;  // of its length
      if (bytes.size() < at + 4) return 0;
      std::size_t length = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        length = length << 8 | static_cast<unsigned char>(bytes[at + i]);
      }
      return bytes.size() < at + length ? 0 : at + length;
    }
  };

  void arm(Way way, std::int64_t message, std::function<void()> fault) {
    const std::scoped_lock lock(mutex_);
    counted_[to_server] = counted_[to_client] = 0;
    way_ = way;
    message_ = message;
    fault_ = std::move(fault);
    is_after_commit_ = false;
    has_struck_ = false;
  }
  static sockaddr_un address_in(const std::string& directory) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    (directory + "/.s.PGSQL.5432").copy(address.sun_path, sizeof address.sun_path - 1);
    return address;
  }

  void accept_all(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      pollfd polled{listening_.get(), POLLIN, 0};
      if (::poll(&polled, 1, 20) <= 0) continue;
      Fd client(::accept(listening_.get(), nullptr, nullptr));
      Fd server(::socket(AF_UNIX, SOCK_STREAM, 0));
      const sockaddr_un address = address_in(server_);
      if (::connect(server.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
          0) {
        continue;
      }
      passing_.emplace_back([this, client = std::move(client), server = std::move(server)] {
        serve(client.get(), server.get());
      });
    }
  }
  void serve(int client, int server) {
    std::array<Stream, 2> streams = {Stream{to_server}, Stream{to_client, {}, true}};
    while (!is_over_) {
      std::array<pollfd, 2> polled = {{{client, POLLIN, 0}, {server, POLLIN, 0}}};
      if (::poll(polled.data(), polled.size(), 20) < 0) continue;
      if (polled[0].revents != 0 && !pass(streams[to_server], client, server)) break;
      if (polled[1].revents != 0 && !pass(streams[to_client], server, client)) break;
    }
    ::shutdown(client, SHUT_RDWR);
    ::shutdown(server, SHUT_RDWR);
  }
  // False once the connection is to end.
  bool pass(Stream& stream, int from, int to) {
    std::array<char, 16'384> read{};
    const ssize_t count = ::recv(from, read.data(), read.size(), 0);
    if (count <= 0) return false;
    stream.bytes.append(read.data(), static_cast<std::size_t>(count));
    for (std::size_t end = 0; (end = stream.find_end()) != 0;) {
      const std::string message = stream.bytes.substr(0, end);
      if (is_struck(stream.way, message)) return false;
      if (!send_all(to, message)) return false;
      stream.bytes.erase(0, end);
      stream.is_started = true;
    }
    return true;
  }
  static bool send_all(int to, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  bool is_struck(Way way, std::string_view message) {
    constexpr std::string_view kCommitted(
        "C\0\0\0\x0b"
        "COMMIT\0",
        12);
    std::function<void()> fault;
    {
      const std::scoped_lock lock(mutex_);
      const bool is_it = (way == way_ && counted_[way] == message_) ||
                         (is_after_commit_ && way == to_client && message == kCommitted);
      ++counted_[way];
      if (!is_it || has_struck_) return false;
      has_struck_ = true;
      fault = fault_;
    }
    if (fault) fault();
    return true;
  }

  const std::string server_;
  std::string directory_;
  Fd listening_;
  std::mutex mutex_;
  Way way_ = to_server;           // guarded by mutex_
  std::int64_t message_ = -1;     // guarded by mutex_
  std::function<void()> fault_;   // guarded by mutex_
  bool is_after_commit_ = false;  // guarded by mutex_
  std::array<std::atomic<std::int64_t>, 2> counted_{0, 0};
  std::atomic<bool> has_struck_ = false, is_over_ = false;
  std::vector<std::jthread> passing_;  // of accepting_ alone, while it runs
  std::jthread accepting_;
};

}  // namespace weft::test

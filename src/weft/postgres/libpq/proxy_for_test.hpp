// Stands between a client and the server of the tests, counts the bytes that pass, and cuts the
// connection or falls silent after a number of them.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "weft/base/posix.hpp"
#include "weft/postgres/postgres_for_test.hpp"

namespace weft::postgres {

// Takes one client after another. Its settings are changed while nothing passes.
class Proxy {
 public:
  enum Way { to_server, to_client };

  Proxy() {
    std::string name = "/tmp/weft-proxy-XXXXXX";
    directory_ = ::mkdtemp(name.data());
    listening_ = Fd(::socket(AF_UNIX, SOCK_STREAM, 0));
    const sockaddr_un address = address_in(directory_);
    if (::bind(listening_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
            0 ||
        ::listen(listening_.get(), 8) != 0 || ::pipe(wake_.data()) != 0) {
      throw std::runtime_error("the proxy cannot listen");
    }
    thread_ = std::jthread([this] { serve(); });
  }
  ~Proxy() {
    is_over_ = true;
    wake();
    thread_.join();
    for (const int fd : wake_) ::close(fd);
    std::filesystem::remove_all(directory_);
  }

  const std::string& directory() const { return directory_; }

  // The connection ends when `bytes` more have passed that way.
  void cut_after(Way way, std::int64_t bytes) { left_[way] = bytes; }
  // Nothing passes any more, and nothing ends.
  void fall_silent() {
    is_silent_ = true;
    wake();
  }
  void pass_all() {
    for (auto& left : left_) left = -1;
  }
  // Ends the connection that is open.
  void cut() {
    must_cut_ = true;
    wake();
    while (must_cut_) std::this_thread::yield();
  }
  std::int64_t passed(Way way) const { return passed_[way]; }

 private:
  static sockaddr_un address_in(const std::string& directory) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    (directory + "/.s.PGSQL.5432").copy(address.sun_path, sizeof address.sun_path - 1);
    return address;
  }
  void wake() const {
    if (::write(wake_[1], "x", 1) != 1) std::abort();
  }

  void serve() {
    std::array<Fd, 2> ends;  // of the server and of the client
    while (true) {
      std::array<pollfd, 4> polled = {{{wake_[0], POLLIN, 0},
                                       {ends[0] ? -1 : listening_.get(), POLLIN, 0},
                                       {ends[to_server].get(), POLLIN, 0},
                                       {ends[to_client].get(), POLLIN, 0}}};
      if (is_silent_) polled[2].fd = polled[3].fd = -1;
      if (::poll(polled.data(), polled.size(), -1) < 0) continue;
      bool goes_on = true;
      if (polled[0].revents != 0) {
        char byte = 0;
        if (::read(wake_[0], &byte, 1) != 1 || is_over_) return;
        goes_on = !must_cut_;
      } else if (polled[1].revents != 0) {
        ends[to_client] = Fd(::accept(listening_.get(), nullptr, nullptr));
        ends[to_server] = Fd(::socket(AF_UNIX, SOCK_STREAM, 0));
        const sockaddr_un server = address_in(test_server().directory());
        goes_on = ::connect(ends[to_server].get(), reinterpret_cast<const sockaddr*>(&server),
                            sizeof server) == 0;
      } else if (polled[3].revents != 0) {
        goes_on = pass(ends[to_client].get(), ends[to_server].get(), to_server);
      } else if (polled[2].revents != 0) {
        goes_on = pass(ends[to_server].get(), ends[to_client].get(), to_client);
      }
      if (!goes_on) {
        ends = {};
        must_cut_ = false;
      }
    }
  }

  bool pass(int from, int to, Way way) {
    std::array<char, 4096> bytes{};
    std::int64_t most = static_cast<std::int64_t>(bytes.size());
    if (left_[way] >= 0) most = std::min<std::int64_t>(most, left_[way]);
    const ssize_t count =
        most == 0 ? 0 : ::recv(from, bytes.data(), static_cast<std::size_t>(most), 0);
    if (count <= 0 ||
        ::send(to, bytes.data(), static_cast<std::size_t>(count), MSG_NOSIGNAL) != count) {
      return false;
    }
    passed_[way] += count;
    if (left_[way] < 0) return true;
    left_[way] -= count;
    return left_[way] > 0;
  }

  std::string directory_;
  Fd listening_;
  std::array<int, 2> wake_{};
  std::array<std::atomic<std::int64_t>, 2> left_{-1, -1}, passed_{0, 0};
  std::atomic<bool> is_silent_ = false, must_cut_ = false, is_over_ = false;
  std::jthread thread_;
};

}  // namespace weft::postgres

// Finds the user whose program is at the other end of a TCP connection on this machine.
//
//   PeerUsers users;
//   if (users.find(socket) == ::geteuid()) …   // a program of this user
//
// The kernel knows the owner of every socket. One question about the four numbers of a connection
// (sock_diag) takes microseconds; where the kernel does not answer it, the tables /proc/net/tcp and
// /proc/net/tcp6 are read instead, which takes milliseconds. For one thread.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "weft/base/posix.hpp"

namespace weft::net {

// One end of a connection. An IPv4 address is in its IPv6 form, ::ffff:a.b.c.d.
struct SocketName {
  std::array<std::uint8_t, 16> address{};
  std::uint16_t port = 0;

  bool is_loopback() const;  // 127.0.0.0/8 or ::1
  friend bool operator==(const SocketName&, const SocketName&) = default;
};

class PeerUsers {
 public:
  enum class Ask { kernel, tables };  // `kernel` uses the tables where sock_diag is refused
  explicit PeerUsers(Ask ask = Ask::kernel);

  // The user who owns the other end of `socket`. Empty unless both ends are on loopback, the other
  // end is open in a program and the connection is alive: a socket that its program has closed
  // belongs to nobody. Empty as well if neither source can be read.
  std::optional<uid_t> find(int socket);

 private:
  std::optional<uid_t> ask_kernel(const SocketName& ours, const SocketName& theirs);

  Fd netlink_;
  std::uint32_t sequence_ = 0;
};

// The owner of the socket with the name `theirs` that is connected to `ours`, in a table with the
// form of /proc/net/tcp or tcp6. Empty if it is not there, not connected, or closed by its program.
std::optional<uid_t> find_owner(std::string_view table, const SocketName& ours,
                                const SocketName& theirs);

// Whether `user` is the user of this process. Never true for the user number that stands for all
// users who have none in this user namespace.
bool is_own_user(uid_t user);

}  // namespace weft::net

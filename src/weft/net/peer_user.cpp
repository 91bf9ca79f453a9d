#include "weft/net/peer_user.hpp"

#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string>

namespace weft::net {
namespace {

constexpr std::array<std::uint8_t, 12> kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

bool is_mapped(const SocketName& name) {
  return std::equal(kMapped.begin(), kMapped.end(), name.address.begin());
}

std::optional<SocketName> to_name(const sockaddr_storage& from) {
  SocketName name;
  if (from.ss_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &from, sizeof v4);
    std::ranges::copy(kMapped, name.address.begin());
    std::memcpy(name.address.data() + kMapped.size(), &v4.sin_addr, 4);
    name.port = ntohs(v4.sin_port);
    return name;
  }
  if (from.ss_family != AF_INET6) return std::nullopt;
  sockaddr_in6 v6{};
  std::memcpy(&v6, &from, sizeof v6);
  std::memcpy(name.address.data(), &v6.sin6_addr, 16);
  name.port = ntohs(v6.sin6_port);
  return name;
}

using GetName = int (*)(int, sockaddr*, socklen_t*);
std::optional<SocketName> name_of(int socket, GetName get) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (get(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return std::nullopt;
  return to_name(address);
}

// The states in which a socket has a connection, its own half of which may be closed. Without
// SYN_SENT: while a connection is alive, another socket may ask for the same four numbers.
bool is_connected(unsigned state) {
  return state == TCP_ESTABLISHED || state == TCP_FIN_WAIT1 || state == TCP_FIN_WAIT2 ||
         state == TCP_CLOSE_WAIT;
}

// While it is alive, no other connection can have its four numbers.
bool is_alive(int socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  return ::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
         is_connected(info.tcpi_state);
}

std::string_view next_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  return word;
}

template <class T>
std::optional<T> parse_number(std::string_view text, int base) {
  T number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// "0100007F:1F90": words of 32 bits in the byte order of this machine, then the port.
std::optional<SocketName> parse_name(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon != 8 && colon != 32) return std::nullopt;
  SocketName name;
  std::size_t at = 0;
  if (colon == 8)
    at = static_cast<std::size_t>(std::ranges::copy(kMapped, name.address.begin()).out -
                                  name.address.begin());
  for (std::size_t from = 0; from < colon; from += 8, at += 4) {
    const auto word = parse_number<std::uint32_t>(text.substr(from, 8), 16);
    if (!word) return std::nullopt;
    std::memcpy(name.address.data() + at, &*word, 4);
  }
  const auto port = parse_number<std::uint16_t>(text.substr(colon + 1), 16);
  if (!port) return std::nullopt;
  name.port = *port;
  return name;
}

// sl local remote state queues timer retransmits uid timeout inode …
std::optional<uid_t> parse_owner(std::string_view line, const SocketName& ours,
                                 const SocketName& theirs) {
  next_word(line);
  if (parse_name(next_word(line)) != theirs || parse_name(next_word(line)) != ours) return {};
  const auto state = parse_number<unsigned>(next_word(line), 16);
  for (int i = 0; i < 3; ++i) next_word(line);
  const auto user = parse_number<uid_t>(next_word(line), 10);
  next_word(line);
  const auto inode = parse_number<std::uint64_t>(next_word(line), 10);
  // A socket without an inode is in no program any more, and its user number may be 0.
  if (!state || !is_connected(*state) || !user || inode.value_or(0) == 0) return std::nullopt;
  return user;
}

// Reads a table in pieces: it may have a line for each of many thousand sockets.
std::optional<uid_t> find_in_file(const char* path, const SocketName& ours,
                                  const SocketName& theirs) {
  const Fd file(::open(path, O_RDONLY | O_CLOEXEC));
  if (!file) return std::nullopt;
  std::string text;
  std::array<char, 64u << 10> piece;
  for (;;) {
    const ssize_t size = ::read(file.get(), piece.data(), piece.size());
    if (size <= 0) return find_owner(text, ours, theirs);
    text.append(piece.data(), static_cast<std::size_t>(size));
    const std::size_t end = text.rfind('\n') + 1;
    if (const auto user = find_owner(std::string_view(text).substr(0, end), ours, theirs)) {
      return user;
    }
    text.erase(0, end);
  }
}

std::optional<uid_t> find_in_tables(const SocketName& ours, const SocketName& theirs) {
  // A table that changes while it is read may leave out a socket: twice.
  for (int i = 0; i < 2; ++i) {
    for (const char* path : {"/proc/net/tcp", "/proc/net/tcp6"}) {
      if (const auto user = find_in_file(path, ours, theirs)) return user;
    }
  }
  return std::nullopt;
}

struct Question {
  nlmsghdr header;
  inet_diag_req_v2 request;
};

Question question_about(const SocketName& ours, const SocketName& theirs, std::uint32_t sequence) {
  Question question{};
  question.header.nlmsg_len = sizeof question;
  question.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  question.header.nlmsg_flags = NLM_F_REQUEST;
  question.header.nlmsg_seq = sequence;
  inet_diag_req_v2& request = question.request;
  const bool is_v4 = is_mapped(theirs);
  request.sdiag_family = is_v4 ? AF_INET : AF_INET6;
  request.sdiag_protocol = IPPROTO_TCP;
  request.idiag_states = ~0u;
  request.id.idiag_sport = htons(theirs.port);
  request.id.idiag_dport = htons(ours.port);
  request.id.idiag_cookie[0] = request.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  const std::size_t from = is_v4 ? kMapped.size() : 0;
  std::memcpy(request.id.idiag_src, theirs.address.data() + from, 16 - from);
  std::memcpy(request.id.idiag_dst, ours.address.data() + from, 16 - from);
  return question;
}

}  // namespace

bool SocketName::is_loopback() const {
  if (is_mapped(*this)) return address[12] == 127;
  return address.back() == 1 && std::all_of(address.begin(), address.end() - 1,
                                            [](std::uint8_t byte) { return byte == 0; });
}

PeerUsers::PeerUsers(Ask ask) {
  if (ask == Ask::tables) return;
  netlink_ = Fd(::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
}

std::optional<uid_t> PeerUsers::find(int socket) {
  const std::optional<SocketName> ours = name_of(socket, ::getsockname);
  const std::optional<SocketName> theirs = name_of(socket, ::getpeername);
  if (!ours || !theirs || !ours->is_loopback() || !theirs->is_loopback()) return std::nullopt;
  std::optional<uid_t> user;
  if (netlink_) user = ask_kernel(*ours, *theirs);
  if (!netlink_) user = find_in_tables(*ours, *theirs);  // also if the kernel has just refused
  return is_alive(socket) ? user : std::nullopt;
}

std::optional<uid_t> PeerUsers::ask_kernel(const SocketName& ours, const SocketName& theirs) {
  const Question question = question_about(ours, theirs, ++sequence_);
  if (::send(netlink_.get(), &question, sizeof question, 0) != sizeof question) {
    netlink_ = Fd();
    return std::nullopt;
  }
  // The kernel has answered before send() returns.
  alignas(nlmsghdr) std::array<char, 8192> answer;
  for (;;) {
    const ssize_t size = ::recv(netlink_.get(), answer.data(), answer.size(), MSG_DONTWAIT);
    nlmsghdr header{};
    if (size < static_cast<ssize_t>(sizeof header)) {
      netlink_ = Fd();
      return std::nullopt;
    }
    std::memcpy(&header, answer.data(), sizeof header);
    if (header.nlmsg_seq != sequence_) continue;
    const std::size_t room = static_cast<std::size_t>(size) - NLMSG_HDRLEN;
    if (header.nlmsg_type == NLMSG_ERROR && room >= sizeof(nlmsgerr)) {
      nlmsgerr error{};
      std::memcpy(&error, answer.data() + NLMSG_HDRLEN, sizeof error);
      if (error.error != -ENOENT) netlink_ = Fd();  // this kernel does not answer such questions
      return std::nullopt;
    }
    if (header.nlmsg_type != SOCK_DIAG_BY_FAMILY || room < sizeof(inet_diag_msg)) {
      return std::nullopt;
    }
    inet_diag_msg found{};
    std::memcpy(&found, answer.data() + NLMSG_HDRLEN, sizeof found);
    // Where no connection has these numbers, the kernel names a socket that listens.
    if (!is_connected(found.idiag_state) || found.idiag_inode == 0 ||
        ntohs(found.id.idiag_sport) != theirs.port || ntohs(found.id.idiag_dport) != ours.port) {
      return std::nullopt;
    }
    return found.idiag_uid;
  }
}

std::optional<uid_t> find_owner(std::string_view table, const SocketName& ours,
                                const SocketName& theirs) {
  while (!table.empty()) {
    const std::string_view line = table.substr(0, table.find('\n'));
    if (const auto user = parse_owner(line, ours, theirs)) return user;
    table.remove_prefix(std::min(line.size() + 1, table.size()));
  }
  return std::nullopt;
}

bool is_own_user(uid_t user) {
  static const uid_t nobody = [] {
    const Fd file(::open("/proc/sys/kernel/overflowuid", O_RDONLY | O_CLOEXEC));
    std::array<char, 16> text{};
    const ssize_t size = file ? ::read(file.get(), text.data(), text.size()) : 0;
    std::string_view number(text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    number = number.substr(0, number.find('\n'));
    return parse_number<uid_t>(number, 10).value_or(65'534);
  }();
  return user == ::geteuid() && user != nobody;
}

}  // namespace weft::net

#include "weft/net/peer_user.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "weft/net/another_user_for_test.hpp"

namespace weft::net {
namespace {

enum class Family { v4, v6, mapped };

// A connection on loopback: the accepted end, and the client's.
struct Pair {
  explicit Pair(Family family) {
    sockaddr_in6 v6{};
    v6.sin6_family = AF_INET6;
    v6.sin6_addr = in6addr_loopback;
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool is_v6 = family == Family::v6;
    const Fd listener(::socket(is_v6 ? AF_INET6 : AF_INET, SOCK_STREAM, 0));
    const sockaddr* address =
        is_v6 ? reinterpret_cast<const sockaddr*>(&v6) : reinterpret_cast<const sockaddr*>(&v4);
    socklen_t size = is_v6 ? sizeof v6 : sizeof v4;
    if (::bind(listener.get(), address, size) != 0 || ::listen(listener.get(), 1) != 0) return;
    sockaddr_storage got{};
    socklen_t got_size = sizeof got;
    ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&got), &got_size);
    if (family == Family::mapped) {  // a client that speaks IPv6 to an IPv4 server
      sockaddr_in bound{};
      std::memcpy(&bound, &got, sizeof bound);
      v6.sin6_port = bound.sin_port;
      v6.sin6_addr = {};
      v6.sin6_addr.s6_addr[10] = v6.sin6_addr.s6_addr[11] = 0xff;
      std::memcpy(v6.sin6_addr.s6_addr + 12, &bound.sin_addr, 4);
      std::memcpy(&got, &v6, sizeof v6);
      got_size = sizeof v6;
    }
    client = Fd(::socket(family == Family::v4 ? AF_INET : AF_INET6, SOCK_STREAM, 0));
    if (::connect(client.get(), reinterpret_cast<sockaddr*>(&got), got_size) != 0) return;
    server = Fd(::accept(listener.get(), nullptr, nullptr));
  }
  Fd client, server;
};

class PeerUser : public testing::TestWithParam<PeerUsers::Ask> {
 protected:
  PeerUsers users{GetParam()};
};

TEST_P(PeerUser, IsTheOneWhoConnectedOverEitherProtocol) {
  for (const Family family : {Family::v4, Family::v6, Family::mapped}) {
    Pair pair(family);
    if (!pair.server && family != Family::v4) continue;  // no IPv6 on this machine
    ASSERT_TRUE(pair.server);
    EXPECT_EQ(users.find(pair.server.get()), ::geteuid()) << static_cast<int>(family);
    EXPECT_EQ(users.find(pair.client.get()), ::geteuid()) << static_cast<int>(family);
  }
}

TEST_P(PeerUser, IsAnotherUserIfAnotherUserConnected) {
  std::optional<Pair> pair;
  if (!run_as_another_user([&] { pair.emplace(Family::v4); })) {
    GTEST_SKIP() << "only root can become another user";
  }
  ASSERT_TRUE(pair->server);
  EXPECT_EQ(users.find(pair->server.get()), kAnotherUser);
}

TEST_P(PeerUser, IsKnownAfterTheClientHasClosedItsOwnHalf) {
  Pair pair(Family::v4);
  ASSERT_EQ(::shutdown(pair.client.get(), SHUT_WR), 0);
  EXPECT_EQ(users.find(pair.server.get()), ::geteuid());
}

// The kernel names root as the owner of such a socket, whoever opened it.
TEST_P(PeerUser, IsNobodyOnceTheClientHasClosed) {
  Pair pair(Family::v4);
  ASSERT_EQ(::send(pair.client.get(), "x", 1, 0), 1);
  pair.client = Fd();
  EXPECT_EQ(users.find(pair.server.get()), std::nullopt);
}

TEST_P(PeerUser, IsNobodyForASocketThatHasNoPeer) {
  const Fd socket(::socket(AF_INET, SOCK_STREAM, 0));
  EXPECT_EQ(users.find(socket.get()), std::nullopt);
  EXPECT_EQ(users.find(-1), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(Both, PeerUser,
                         testing::Values(PeerUsers::Ask::kernel, PeerUsers::Ask::tables),
                         [](const auto& info) {
                           return info.param == PeerUsers::Ask::kernel ? "Kernel" : "Tables";
                         });

SocketName loopback(std::uint16_t port) {
  return {.address = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1}, .port = port};
}

constexpr std::string_view kHeading =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout "
    "inode\n";

// A line about the socket 127.0.0.1:8080 that is connected to 127.0.0.1:4737.
std::string line(std::string_view state, std::string_view uid, std::string_view inode) {
  return "   3: 0100007F:1F90 0100007F:1281 " + std::string(state) +
         " 00000000:00000000 00:00000000 00000000 " + std::string(uid) + "        0 " +
         std::string(inode) + " 1 00000000efd9be57 100 0 0 10 0\n";
}

std::optional<uid_t> owner(const std::string& lines) {
  return find_owner(std::string(kHeading) + lines, loopback(4737), loopback(8080));
}

TEST(SocketTable, NamesTheOwnerOfAConnectedSocket) {
  EXPECT_EQ(owner(line("01", "1000", "636")), 1000u);
  EXPECT_EQ(owner(line("0A", "7", "1") + line("01", "1000", "636")), 1000u);
  const std::string mapped =
      "   0: 0000000000000000FFFF00000100007F:1F90 0000000000000000FFFF00000100007F:1281 01 "
      "00000000:00000000 00:00000000 00000000  1000        0 636 1 x\n";
  EXPECT_EQ(owner(mapped), 1000u);
}

TEST(SocketTable, NamesNobodyForASocketThatNoProgramHasOrThatIsNotConnected) {
  EXPECT_EQ(owner(line("01", "0", "0")), std::nullopt);
  EXPECT_EQ(owner(line("06", "0", "0")), std::nullopt);
  EXPECT_EQ(owner(line("02", "1000", "636")), std::nullopt);
  EXPECT_EQ(find_owner(line("01", "1000", "636"), loopback(8080), loopback(4737)), std::nullopt);
}

TEST(SocketTable, NamesNobodyInALineThatIsCutOrMalformed) {
  const std::string whole = line("01", "1000", "636");
  for (std::size_t size = 0; size < whole.find("636"); ++size) {
    EXPECT_EQ(owner(whole.substr(0, size)), std::nullopt) << size;
  }
  EXPECT_EQ(owner(line("zz", "1000", "636")), std::nullopt);
  EXPECT_EQ(owner(line("01", "-1", "636")), std::nullopt);
  EXPECT_EQ(owner(line("01", "99999999999", "636")), std::nullopt);
}

}  // namespace
}  // namespace weft::net

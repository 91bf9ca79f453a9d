// Who may use the server, and that others are served while one client does its worst.
#include <deque>

#include "weft/mcp/transports/http_for_test.hpp"
#include "weft/net/another_user_for_test.hpp"

namespace weft::mcp {
namespace {

constexpr std::string_view kToken = "a-long-and-random-word";

TEST_F(HttpTest, Security5ServesProgramsOfItsOwnUserAndAsksOthersForTheToken) {
  options.token = kToken;
  options.admits_own_user = true;
  begin();
  Post post = legacy(1, "ping");
  EXPECT_EQ(ask(post.bytes()).status, 200u);
  Got without, with, wrong, health;
  const bool ran = net::run_as_another_user([&] {
    without = ask(post.bytes());
    post.fields = "Authorization: Bearer " + std::string(kToken) + "\r\n";
    with = ask(post.bytes());
    post.fields = "Authorization: Bearer " + std::string(kToken) + "s\r\n";
    wrong = ask(post.bytes());
    health = ask("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  });
  if (!ran) GTEST_SKIP() << "only root can become another user";
  EXPECT_EQ(without.status, 401u);
  EXPECT_NE(without.body.find("serve.token"), std::string::npos) << without.body;
  EXPECT_EQ(with.status, 200u);
  EXPECT_EQ(wrong.status, 401u);
  EXPECT_EQ(health.status, 200u);
}

TEST_F(HttpTest, Security5DoesNotServeAnotherUserWhoClosesBeforeTheAnswer) {
  options.token = kToken;
  options.admits_own_user = true;
  begin();
  const bool ran = net::run_as_another_user([&] {
    for (int i = 0; i < 50; ++i) {
      RawClient client(port);
      client.send(legacy_call(i, "hang").bytes());
      client.close();
    }
  });
  if (!ran) GTEST_SKIP() << "only root can become another user";
  gate.open();
  EXPECT_EQ(ask(legacy_call(99, "hang").bytes()).status, 200u);
  EXPECT_FALSE(gate.has_finished(2));
}

TEST_F(HttpTest, ClosesTheLongestIdleConnectionOfAClientForANewOne) {
  options.most_connections_own = options.most_connections_each = 3;
  begin();
  std::deque<RawClient> clients;
  for (int i = 0; i < 3; ++i) {
    clients.emplace_back(port).send(legacy(i, "ping").bytes());
    EXPECT_EQ(clients.back().read().status, 200u);
  }
  clients[0].send(legacy(9, "ping").bytes());
  EXPECT_EQ(clients[0].read().status, 200u);
  EXPECT_EQ(ask(legacy(4, "ping").bytes()).status, 200u);
  EXPECT_TRUE(clients[1].is_closed());
  for (const std::size_t open : {0u, 2u}) {
    clients[open].send(legacy(5, "ping").bytes());
    EXPECT_EQ(clients[open].read().status, 200u) << open;
  }
}

TEST_F(HttpTest, TurnsAwayANewConnectionIfAllOthersAreBusy) {
  options.most_connections = 2;
  begin();
  RawClient first(port), second(port);
  first.send(legacy_call(1, "hang").bytes());
  second.send(legacy_call(2, "hang").bytes());
  ASSERT_TRUE(gate.await_began(2));
  RawClient third(port);
  EXPECT_EQ(third.read().status, 503u);
  gate.open();
  EXPECT_EQ(first.read().status, 200u);
  EXPECT_EQ(second.read().status, 200u);
}

TEST_F(HttpTest, KeepsRoomForItsOwnUserWhenAnotherOpensAllTheConnectionsItCan) {
  options.most_connections_each = 4;
  options.most_connections = 8;
  begin();
  RawClient own(port);
  own.send(legacy(1, "ping").bytes());
  EXPECT_EQ(own.read().status, 200u);
  std::deque<RawClient> others;
  const bool ran = net::run_as_another_user([&] {
    for (int i = 0; i < 40; ++i) others.emplace_back(port).send("GET /healthz HTTP/1.1\r\n");
  });
  if (!ran) GTEST_SKIP() << "only root can become another user";
  EXPECT_EQ(ask(legacy(2, "ping").bytes()).status, 200u);
  own.send(legacy(3, "ping").bytes());
  EXPECT_EQ(own.read().status, 200u);
}

// The head of a request with a long body, and most of that body.
std::string begun(std::size_t bytes) {
  std::string text = fmt::format(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Content-Length: {}\r\n\r\n",
      bytes + 1);
  return text.append(bytes, ' ');
}

TEST_F(HttpTest, LimitsTheBytesOfAllBodiesAndAnswersShortRequestsMeanwhile) {
  constexpr std::size_t kBody = 300'000;
  options.most_bodies_bytes = 1'000'000;  // half of it for one client: two such bodies
  begin();
  std::deque<RawClient> clients;
  for (int i = 0; i < 2; ++i) clients.emplace_back(port).send(begun(kBody));
  // The third is refused once the server has read the others.
  Got refused;
  for (int i = 0; i < 1'000 && refused.status != 503; ++i) {
    RawClient third(port);
    third.send(begun(kBody) + "1");
    refused = third.read();
  }
  EXPECT_EQ(refused.status, 503u);
  EXPECT_TRUE(refused.has("Retry-After: 1"));
  EXPECT_EQ(ask(legacy(1, "ping").bytes()).status, 200u);
  clients.clear();
  Post large = legacy(2, "ping");
  large.body.append(kBody, ' ');
  Got served;
  for (int i = 0; i < 1'000 && served.status != 200; ++i) served = ask(large.bytes());
  EXPECT_EQ(served.status, 200u);
}

TEST_F(HttpTest, Security13ClosesAfterATransferCodingItDoesNotKnowSoThatNoBodyBecomesARequest) {
  begin();
  const std::string hidden = legacy(2, "ping").bytes();
  for (const char* coding :
       {"xchunked", "identity", "chunked, identity", "gzip, chunked", "chunked, chunked", ""}) {
    RawClient client(port);
    client.send(
        fmt::format("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    "Transfer-Encoding: {}\r\n\r\n{}",
                    coding, hidden));
    EXPECT_EQ(client.read().status, 400u) << coding;
    EXPECT_TRUE(client.is_closed()) << coding;
  }
}

}  // namespace
}  // namespace weft::mcp

// How requests and connections end when something goes on too long, goes away or is too much.
#include "weft/mcp/transports/http_for_test.hpp"

namespace weft::mcp {
namespace {

using namespace std::chrono_literals;

TEST_F(HttpTest, CancelsAModernRequestWhoseClientGoesAway) {
  begin();
  RawClient client(port);
  client.send(modern_call(1, "hang").bytes());
  ASSERT_TRUE(gate.await_began(1));
  client.close();
  EXPECT_TRUE(gate.await_cancelled(1));
}

TEST_F(HttpTest, CancelsAModernRequestWhoseStreamIsClosed) {
  options.keep_alive = 1ms;  // so that it soon becomes a stream
  begin();
  RawClient client(port);
  client.send(modern_call(1, "hang").bytes());
  ASSERT_TRUE(client.read_until(":\n\n"));
  ASSERT_TRUE(gate.await_began(1));  // a tool that has not begun is not run at all
  client.close();
  EXPECT_TRUE(gate.await_cancelled(1));
}

TEST_F(HttpTest, FinishesALegacyRequestWhoseClientGoesAway) {
  begin();
  RawClient client(port);
  client.send(legacy_call(1, "hang").bytes());
  ASSERT_TRUE(gate.await_began(1));
  client.close();
  EXPECT_EQ(ask(legacy(2, "ping").bytes()).status, 200u);
  gate.open();
  EXPECT_TRUE(gate.await_finished(1));
}

TEST_F(HttpTest, AnswersALegacyClientThatHasOnlyNothingMoreToSay) {
  begin();
  RawClient client(port);
  client.send(legacy_call(1, "hang").bytes());
  client.close_writing();
  ASSERT_TRUE(gate.await_began(1));
  gate.open();
  EXPECT_EQ(text_of(client.read().message()), "at last");
  EXPECT_TRUE(client.is_closed());
}

TEST_F(HttpTest, KeepsASilentStreamAliveUntilItsAnswer) {
  options.keep_alive = 1ms;
  begin();
  RawClient client(port);
  client.send(legacy_call(1, "hang").bytes());
  ASSERT_TRUE(client.read_until(":\n\n"));
  gate.open();
  const Got got = client.read();
  EXPECT_TRUE(got.has("Content-Type: text/event-stream\r\n"));
  ASSERT_EQ(got.events().size(), 1u);
  EXPECT_EQ(text_of(got.events()[0]), "at last");
}

TEST_F(HttpTest, ClosesTheStreamOfAReaderThatIsTooSlow) {
  begin();
  RawClient client(port, RawClient::Window::small);
  client.send(modern_call(1, "flood").bytes());
  EXPECT_TRUE(gate.await_cancelled(1));
}

TEST_F(HttpTest, RefusesALongBodyBeforeItIsSent) {
  begin();
  RawClient client(port);
  client.send(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Content-Length: 99999999999\r\n\r\n{");
  const Got got = client.read();
  EXPECT_EQ(got.status, 413u);
  EXPECT_TRUE(got.has("Connection: close\r\n"));
  EXPECT_TRUE(client.is_closed());
}

TEST_F(HttpTest, RefusesALongBodyThatDoesNotTellItsLength) {
  options.most_body_bytes = 1000;
  begin();
  RawClient client(port);
  client.send(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Transfer-Encoding: chunked\r\n\r\n3e9\r\n" +
      std::string(1001, ' '));
  EXPECT_EQ(client.read().status, 413u);
}

TEST_F(HttpTest, RefusesAChunkThatIsAllExtension) {
  begin();
  RawClient client(port);
  client.send(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Transfer-Encoding: chunked\r\n\r\n1;" +
      std::string(200'000, 'x'));
  EXPECT_EQ(client.read().status, 400u);
}

TEST_F(HttpTest, RefusesALongHead) {
  begin();
  RawClient client(port);
  client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(40'000, 'x'));
  EXPECT_EQ(client.read().status, 431u);
}

TEST_F(HttpTest, GivesUpOnAHeadOrABodyThatDoesNotCome) {
  options.header_time = options.body_time = 20ms;
  begin();
  RawClient head(port), body(port);
  head.send("POST /mcp HTT");
  EXPECT_EQ(head.read().status, 408u);
  EXPECT_TRUE(head.is_closed());
  body.send(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Content-Length: 10\r\n\r\n{");
  EXPECT_EQ(body.read().status, 408u);
}

TEST_F(HttpTest, ClosesAConnectionThatAsksNothing) {
  options.idle_time = 20ms;
  begin();
  RawClient client(port);
  EXPECT_TRUE(client.is_closed());
}

TEST_F(HttpTest, OpensNoMoreStreamsForAClientThanItMayHave) {
  options.most_streams_each = 1;
  begin();
  const std::string listen = modern(1, "subscriptions/listen", R"(,"notifications":{})").bytes();
  RawClient first(port);
  first.send(listen);
  ASSERT_TRUE(first.read_until("acknowledged"));
  EXPECT_EQ(ask(listen).status, 429u);
  // A call is served all the same, without what would come before its answer.
  EXPECT_EQ(text_of(ask(modern_call(2, "steps").bytes()).message()), "done");
}

TEST_F(HttpTest, AnswersWhatIsUnderWayBeforeItStops) {
  begin();
  RawClient idle(port), busy(port);
  idle.send(legacy(1, "ping").bytes());
  EXPECT_EQ(idle.read().status, 200u);
  busy.send(modern_call(2, "hang").bytes());
  ASSERT_TRUE(gate.await_began(1));
  ask_to_stop();
  EXPECT_TRUE(idle.is_closed());
  EXPECT_FALSE(RawClient(port).is_connected());
  gate.open();
  const Got got = busy.read();
  EXPECT_EQ(text_of(got.message()), "at last");
  EXPECT_TRUE(got.has("Connection: close\r\n"));
  EXPECT_TRUE(busy.is_closed());
  stop();
  EXPECT_TRUE(status);
}

TEST_F(HttpTest, EndsSubscriptionsWithTheirResultWhenItStops) {
  begin();
  RawClient client(port);
  client.send(modern(9, "subscriptions/listen", R"(,"notifications":{})").bytes());
  ASSERT_TRUE(client.read_until("acknowledged"));
  stop();
  const std::vector<json::object> events = client.read().events();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(find_int(events[1], "id"), 9);
  EXPECT_NE(find_object(events[1], "result"), nullptr);
}

TEST_F(HttpTest, TellsThoseWhoseSlowRequestIsGivenUpWhenItStops) {
  begin();
  RawClient client(port);
  client.send(modern_call(1, "slow").bytes());
  ASSERT_TRUE(gate.await_began(1));
  ask_to_stop();
  EXPECT_EQ(client.read().status, 503u);
  EXPECT_TRUE(gate.await_cancelled(1));
}

TEST_F(HttpTest, TellsThoseWhoAreStillAskingThatItStops) {
  begin();
  RawClient client(port);
  client.send(legacy(1, "ping").bytes());
  EXPECT_EQ(client.read().status, 200u);
  client.send(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Expect: 100-continue\r\nContent-Length: 10\r\n\r\n");
  EXPECT_EQ(client.read().status, 100u);
  ask_to_stop();
  EXPECT_EQ(client.read().status, 503u);
}

TEST_F(HttpTest, WaitsOnlySoLongForWhatIsUnderWayWhenItStops) {
  options.drain_time = 20ms;
  begin();
  RawClient modern_client(port), legacy_client(port);
  modern_client.send(modern_call(1, "hang").bytes());
  legacy_client.send(legacy_call(2, "hang").bytes());
  ASSERT_TRUE(gate.await_began(2));
  stop();
  EXPECT_TRUE(status);
  EXPECT_TRUE(gate.await_cancelled(2));
  EXPECT_TRUE(modern_client.is_closed());
  EXPECT_TRUE(legacy_client.is_closed());
}

}  // namespace
}  // namespace weft::mcp

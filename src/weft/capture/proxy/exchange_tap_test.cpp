#include "weft/capture/proxy/exchange_tap.hpp"

#include <gtest/gtest.h>

#include "weft/capture/proxy/recorded_for_test.hpp"

namespace weft::capture {
namespace {

// A tap on its way to api.example, fed piece by piece.
struct Line {
  explicit Line(std::string prefix = "")
      : tap({"api.example", std::move(prefix)}, keep_in(recorded)) {}
  std::string ask(std::string_view bytes) {
    std::string out;
    tap.from_client(bytes, out);
    return out;
  }
  KeptExchanges recorded;
  ExchangeTap tap;
};

constexpr std::string_view kPost =
    "POST /v1/messages?beta=true HTTP/1.1\r\nhost:  127.0.0.1:4738\r\nX-Api-Key: k\r\n"
    "Content-Length: 5\r\n\r\nhello";
constexpr std::string_view kPostOnItsWay =
    "POST /v1/messages?beta=true HTTP/1.1\r\nhost:  api.example\r\nX-Api-Key: k\r\n"
    "Content-Length: 5\r\n\r\nhello";
constexpr std::string_view kChunkedAnswer =
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    "4;x=y\r\nWiki\r\n5\r\npedia\r\n0\r\nTrailer: t\r\n\r\n";

TEST(ExchangeTap, NothingButTheHostIsChanged) {
  Line line;
  EXPECT_EQ(line.ask(kPost), kPostOnItsWay);
  ASSERT_EQ(line.recorded.size(), 1u);
  EXPECT_EQ(line.recorded[0]->asked, "hello");
}

TEST(ExchangeTap, AUrlWithAPathIsPutBeforeEveryTarget) {
  Line line("/gateway");
  EXPECT_EQ(line.ask("GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n"),
            "GET /gateway/v1/models HTTP/1.1\r\nHost: api.example\r\n\r\n");
}

TEST(ExchangeTap, ARequestWithoutAHostGetsOne) {
  Line line;
  EXPECT_EQ(line.ask("GET /x HTTP/1.0\r\nA: b\r\n\r\n"),
            "GET /x HTTP/1.0\r\nHost: api.example\r\nA: b\r\n\r\n");
}

TEST(ExchangeTap, CutAnywhereItHearsTheSameAndPassesTheSame) {
  const std::string asked = std::string(kPost) + "GET /next HTTP/1.1\r\nHost: h\r\n\r\n";
  const std::string answers = std::string(kChunkedAnswer) + "HTTP/1.1 204 No Content\r\n\r\n";
  for (std::size_t first = 0; first <= asked.size(); ++first) {
    for (const std::size_t second : {first, answers.size() * first / asked.size()}) {
      Line line;
      std::string out = line.ask(std::string_view(asked).substr(0, first));
      out += line.ask(std::string_view(asked).substr(first));
      ASSERT_EQ(out, std::string(kPostOnItsWay) + "GET /next HTTP/1.1\r\nHost: api.example\r\n\r\n")
          << first;
      line.tap.from_upstream(std::string_view(answers).substr(0, second));
      line.tap.from_upstream(std::string_view(answers).substr(std::min(second, answers.size())));
      ASSERT_EQ(line.recorded.size(), 2u);
      ASSERT_EQ(line.recorded[0]->answered, "Wikipedia") << first;
      ASSERT_EQ(line.recorded[0]->how, ExchangeEnd::complete);
      ASSERT_EQ(line.recorded[1]->status, 204);
      ASSERT_EQ(line.recorded[1]->how, ExchangeEnd::complete);
      ASSERT_FALSE(line.tap.is_busy());
    }
  }
}

TEST(ExchangeTap, AnAnswerInEveryCutIsDechunkedAlike) {
  for (std::size_t cut = 0; cut <= kChunkedAnswer.size(); ++cut) {
    Line line;
    line.ask(kPost);
    line.tap.from_upstream(kChunkedAnswer.substr(0, cut));
    line.tap.from_upstream(kChunkedAnswer.substr(cut));
    ASSERT_EQ(line.recorded[0]->answered, "Wikipedia") << cut;
    ASSERT_EQ(line.recorded[0]->how, ExchangeEnd::complete) << cut;
  }
}

TEST(ExchangeTap, PipelinedRequestsAreAnsweredInTheirOrder) {
  Line line;
  line.ask(
      "HEAD /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /unheard HTTP/1.1\r\nHost: h\r\n\r\n"
      "GET /3 HTTP/1.1\r\nHost: h\r\n\r\n");
  line.tap.from_upstream(
      "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"  // of a body that HEAD has none of
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno"
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nyes");
  ASSERT_EQ(line.recorded.size(), 2u);
  EXPECT_EQ(line.recorded[0]->answered, "");
  EXPECT_EQ(line.recorded[0]->how, ExchangeEnd::complete);
  EXPECT_EQ(line.recorded[1]->target, "/3");
  EXPECT_EQ(line.recorded[1]->answered, "yes");
}

TEST(ExchangeTap, AnInterimAnswerIsNotTheAnswer) {
  Line line;
  const std::string_view head =
      "POST /x HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
  EXPECT_EQ(line.ask(head).size(), head.size() + 10) << "it goes on before its body comes";
  line.tap.from_upstream("HTTP/1.1 100 Continue\r\n\r\n");
  line.ask("ok");
  line.tap.from_upstream("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n!");
  EXPECT_EQ(line.recorded[0]->status, 200);
  EXPECT_EQ(line.recorded[0]->answered, "!");
}

TEST(ExchangeTap, AnAnswerThatEndsWithTheConnectionIsWhole) {
  Line line;
  line.ask(kPost);
  line.tap.from_upstream("HTTP/1.0 200 OK\r\n\r\nall of it");
  EXPECT_TRUE(line.tap.ends_with_connection());
  EXPECT_FALSE(line.recorded[0]->how);
  line.tap.close_upstream();
  EXPECT_EQ(line.recorded[0]->answered, "all of it");
  EXPECT_EQ(line.recorded[0]->how, ExchangeEnd::complete);
}

TEST(ExchangeTap, AnAnswerThatBreaksOffIsNot) {
  Line line;
  line.ask(kPost);
  line.tap.from_upstream(kChunkedAnswer.substr(0, kChunkedAnswer.find("0\r\nTrailer")));
  line.tap.close_upstream();
  EXPECT_EQ(line.recorded[0]->answered, "Wikipedia");
  EXPECT_EQ(line.recorded[0]->how, ExchangeEnd::upstream_gone);
}

TEST(ExchangeTap, AnAnswerMayComeBeforeTheRequestHasEnded) {
  Line line;
  line.ask("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhalf");
  line.tap.from_upstream("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno");
  EXPECT_FALSE(line.recorded[0]->how);
  line.ask("other");
  EXPECT_EQ(line.recorded[0]->asked, "halfother");
  EXPECT_EQ(line.recorded[0]->how, ExchangeEnd::complete);
}

TEST(ExchangeTap, GarbageFromAClientIsRefused) {
  for (const char* garbage : {"\x16\x03\x01\x02 client hello\n\n", "PRI * HTTP/2.0\r\n\r\n",
                              "GET  HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n"}) {
    Line line;
    EXPECT_EQ(line.ask(garbage), "");
    EXPECT_TRUE(line.tap.is_refused()) << garbage;
  }
  Line line;
  line.ask("GET /" + std::string(ExchangeTap::kMostHeadBytes, 'x'));
  EXPECT_TRUE(line.tap.is_refused()) << "a head without an end";
}

TEST(ExchangeTap, ARefusedRequestIsNeitherPassedOnNorHeard) {
  KeptExchanges recorded;
  ExchangeTap tap({"api.example", ""}, keep_in(recorded), [](const net::MessageHead& head) {
    return head.find("origin") ? std::optional<std::string>("a page") : std::nullopt;
  });
  std::string out;
  tap.from_client("POST /x HTTP/1.1\r\nOrigin: o\r\nContent-Length: 40\r\n\r\n", out);
  tap.from_client(kPost, out);
  tap.from_client(kPost, out);
  EXPECT_EQ(out, "");
  EXPECT_TRUE(recorded.empty());
  EXPECT_TRUE(tap.is_refused());
  EXPECT_EQ(tap.refusal(), "a page");
}

TEST(ExchangeTap, GarbageFromTheUpstreamIsNotUnderstood) {
  Line line;
  line.ask(kPost);
  line.tap.from_upstream("SSH-2.0-OpenSSH_9.2\r\n\r\n");
  EXPECT_TRUE(line.tap.has_invalid_response());
  EXPECT_EQ(line.recorded[0]->how, ExchangeEnd::not_understood);
}

TEST(ExchangeTap, AnUpgradedConnectionIsATunnel) {
  Line line;
  line.ask("GET /ws HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\n\r\n");
  line.tap.from_upstream("HTTP/1.1 101 Switching Protocols\r\n\r\n\x81\x05hello");
  EXPECT_TRUE(line.tap.is_tunnel());
  EXPECT_EQ(line.ask("\x81\x85 anything at all"), "\x81\x85 anything at all");
  EXPECT_EQ(line.recorded[0]->answered, "");
}

TEST(ExchangeTap, AChunkThatIsNoneIsNotUnderstood) {
  Line line;
  line.ask(kPost);
  line.tap.from_upstream("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n");
  EXPECT_TRUE(line.tap.has_invalid_response());
}

TEST(ExchangeTap, StopsReadingWhileSixteenRequestsAreNotAnswered) {
  Line line;
  const std::string request =
      "POST /v1/messages HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}";
  std::string many;
  for (int i = 0; i < 100; ++i) many += request;
  std::string out;
  std::string_view rest = many;
  rest.remove_prefix(line.tap.from_client(rest, out));
  EXPECT_EQ(line.recorded.size(), 16u);
  EXPECT_EQ(rest.size(), 84 * request.size());
  EXPECT_EQ(line.tap.from_client(rest, out), 0u);
  EXPECT_FALSE(line.tap.has_room());
  // Each answer makes room for one more.
  line.tap.from_upstream("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  EXPECT_TRUE(line.tap.has_room());
  EXPECT_EQ(line.tap.from_client(rest, out), request.size());
  EXPECT_EQ(line.recorded.size(), 17u);
}

}  // namespace
}  // namespace weft::capture

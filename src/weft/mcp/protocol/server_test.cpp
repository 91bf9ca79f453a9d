// Requests, eras, cancellation and shutdown of a server.
#include "weft/mcp/protocol/server.hpp"

#include "weft/mcp/protocol/server_for_test.hpp"

namespace weft::mcp::toy_server {
namespace {

TEST_F(McpServer, ServesAModernRequestWithoutAnythingBeforeIt) {
  const json::object answer = modern("server/discover")->answer();
  EXPECT_EQ(result(answer).at("supportedVersions"), json::array{"2026-07-28"});
  EXPECT_EQ(result(answer).at("resultType"), "complete");
  EXPECT_EQ(result(answer).at("_meta").at(kMetaServer).at("name"), "toy");
  EXPECT_TRUE(result(answer).at("ttlMs").is_int64());
}

TEST_F(McpServer, RefusesAModernRequestThatDoesNotSayWhoAsks) {
  const auto without_version =
      send("tools/list", {{"_meta", json::object{{kMetaCapabilities, json::object()}}}});
  EXPECT_EQ(error_code(without_version->answer()), -32602);
  EXPECT_EQ(without_version->verdict(), Verdict::bad_request);
  const auto without_capabilities =
      send("tools/list", {{"_meta", json::object{{kMetaVersion, kModernVersion}}}});
  EXPECT_EQ(error_code(without_capabilities->answer()), -32602);
  const auto unknown = send("tools/list", {{"_meta", meta("1900-01-01")}});
  const json::object answer = unknown->answer();
  EXPECT_EQ(error_code(answer), -32022);
  EXPECT_EQ(answer.at("error").at("data").at("requested"), "1900-01-01");
  EXPECT_EQ(unknown->verdict(), Verdict::bad_request);
}

TEST_F(McpServer, ALegacyConnectionBeginsWithInitialize) {
  EXPECT_EQ(error_code(send("tools/list", {})->answer()), -32602);
  const json::object answer =
      send("initialize", {{"protocolVersion", "2025-06-18"}, {"capabilities", json::object()}})
          ->answer();
  EXPECT_EQ(result(answer).at("protocolVersion"), "2025-06-18");
  EXPECT_EQ(result(answer).at("serverInfo").at("name"), "toy");
  const json::object tools = send("tools/list", {})->answer();
  EXPECT_EQ(result(tools).at("tools").as_array().size(), 4u);
  EXPECT_FALSE(result(tools).contains("ttlMs"));
  EXPECT_FALSE(result(tools).contains("resultType"));
  EXPECT_EQ(result(send("ping", {})->answer()), json::object());
}

TEST_F(McpServer, OffersItsNewestLegacyVersionToAnUnknownOne) {
  const json::object answer = send("initialize", {{"protocolVersion", "1999-01-01"}})->answer();
  EXPECT_EQ(result(answer).at("protocolVersion"), "2025-11-25");
}

TEST_F(McpServer, BothErasAreServedOnOneConnection) {
  initialize();
  EXPECT_TRUE(result(modern("tools/list")->answer()).contains("ttlMs"));
  EXPECT_FALSE(result(send("tools/list", {})->answer()).contains("ttlMs"));
  EXPECT_EQ(error_code(modern("ping")->answer()), -32601);
  EXPECT_EQ(modern("ping")->verdict(), Verdict::no_such_method);
}

TEST_F(McpServer, CallsToolsWithCheckedArguments) {
  const json::object answer =
      modern("tools/call", {{"name", "echo"}, {"arguments", json::object{{"words", "hi"}}}})
          ->answer();
  EXPECT_EQ(result(answer).at("content").at(0).at("text"), "hi");
  const json::object bad = modern("tools/call", {{"name", "echo"}})->answer();
  EXPECT_EQ(result(bad).at("isError"), true);
  EXPECT_EQ(result(bad).at("content").at(0).at("text"),
            "words: is missing\nA correct call: echo {\"words\": \"hello\"}");
  EXPECT_EQ(error_code(modern("tools/call", {{"name", "none"}})->answer()), -32602);
  EXPECT_EQ(error_code(modern("tools/call", {})->answer()), -32602);
  EXPECT_EQ(
      error_code(modern("tools/call", {{"name", "echo"}, {"arguments", json::array()}})->answer()),
      -32602);
}

TEST_F(McpServer, AToolThatThrowsSaysNothingOfWhatItRead) {
  const json::object answer = modern("tools/call", {{"name", "throws"}})->answer();
  EXPECT_EQ(error_code(answer), -32603);
  EXPECT_EQ(pretty_json(answer).find("secret"), std::string::npos);
}

TEST_F(McpServer, TellsProgressToWhoAskedForIt) {
  const auto reply =
      modern("tools/call", {{"name", "count_up"}, {"_meta", json::object{{"progressToken", "t"}}}});
  reply->answer();
  const std::vector<json::object> told = reply->notifications(2);
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[0].at("method"), "notifications/progress");
  EXPECT_EQ(told[0].at("params").at("progressToken"), "t");
  EXPECT_EQ(told[0].at("params").at("message"), "half");
  EXPECT_EQ(told[1].at("params").at("progress"), 2.0);
  const auto silent = modern("tools/call", {{"name", "count_up"}});
  silent->answer();
  EXPECT_TRUE(silent->notifications(0).empty());
}

TEST_F(McpServer, ACancelledRequestIsNeverAnswered) {
  std::promise<void> started;
  begun = &started;
  const auto reply = modern("tools/call", {{"name", "wait"}}, "w");
  started.get_future().wait();
  begun = nullptr;
  notify("notifications/cancelled", {{"requestId", "nobody"}});
  notify("notifications/cancelled", {{"requestId", "w"}});
  server_.drain();
  EXPECT_FALSE(reply->is_answered());
}

TEST_F(McpServer, ATicketCancelsToo) {
  std::promise<void> started;
  begun = &started;
  const auto reply = modern("tools/call", {{"name", "wait"}});
  started.get_future().wait();
  begun = nullptr;
  ticket_->cancel();
  server_.stop();
  EXPECT_FALSE(reply->is_answered());
}

TEST_F(McpServer, SlowToolsDoNotHoldUpQuickOnes) {
  for (int i = 0; i < 20; ++i) modern("tools/call", {{"name", "wait"}}, i);
  EXPECT_TRUE(modern("tools/list", {}, "quick")->answer().contains("result"));
}

TEST_F(McpServer, DrainAnswersWhatIsQuickAndEndsWhatIsSlow) {
  std::vector<std::shared_ptr<ReplyRecorder>> quick;
  for (int i = 0; i < 100; ++i) {
    quick.push_back(
        modern("tools/call", {{"name", "echo"}, {"arguments", json::object{{"words", "x"}}}}, i));
  }
  const auto slow = modern("tools/call", {{"name", "wait"}}, "slow");
  const auto listening = modern("subscriptions/listen", {{"notifications", json::object()}}, "sub");
  server_.drain();
  for (const auto& reply : quick) EXPECT_TRUE(reply->is_answered());
  EXPECT_FALSE(slow->is_answered());
  EXPECT_TRUE(listening->is_answered());
}

TEST_F(McpServer, AfterStopNothingIsServed) {
  server_.stop();
  const auto reply = modern("tools/list");
  EXPECT_FALSE(reply->is_answered());
}

}  // namespace
}  // namespace weft::mcp::toy_server

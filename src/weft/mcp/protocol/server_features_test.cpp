// Resources, prompts, completion and subscriptions of a server.
#include "weft/mcp/protocol/server_for_test.hpp"

namespace weft::mcp::toy_server {
namespace {

TEST_F(McpServer, ResourcesComeInPages) {
  json::object page = result(modern("resources/list")->answer());
  EXPECT_EQ(page.at("resources").as_array().size(), 50u);
  std::size_t all = 50;
  while (const auto cursor = find_string(page, "nextCursor")) {
    page = result(modern("resources/list", {{"cursor", *cursor}})->answer());
    all += page.at("resources").as_array().size();
  }
  EXPECT_EQ(all, 120u);
  EXPECT_EQ(page.at("resources").as_array().back().at("name"), "119");
  for (const char* cursor : {"x", "o", "o-1", "o1x", "50"}) {
    EXPECT_EQ(error_code(modern("resources/list", {{"cursor", cursor}})->answer()), -32602)
        << cursor;
  }
  EXPECT_TRUE(modern("resources/list", {{"cursor", ""}})->answer().contains("result"));
}

TEST_F(McpServer, AResourceThatIsNotThereIsAnErrorOfItsEra) {
  EXPECT_TRUE(modern("resources/read", {{"uri", "toy://known"}})->answer().contains("result"));
  const json::object modern_answer = modern("resources/read", {{"uri", "toy://other"}})->answer();
  EXPECT_EQ(error_code(modern_answer), -32602);
  EXPECT_EQ(modern_answer.at("error").at("data").at("uri"), "toy://other");
  initialize();
  EXPECT_EQ(error_code(send("resources/read", {{"uri", "file:///etc/passwd"}})->answer()), -32002);
}

TEST_F(McpServer, PromptsWantTheirArguments) {
  EXPECT_EQ(error_code(modern("prompts/get", {{"name", "greet"}})->answer()), -32602);
  EXPECT_EQ(error_code(modern("prompts/get", {{"name", "none"}})->answer()), -32602);
  const json::object answer =
      modern("prompts/get", {{"name", "greet"}, {"arguments", json::object{{"whom", "you"}}}})
          ->answer();
  EXPECT_EQ(result(answer).at("messages").at(0).at("content").at("text"), "you");
}

TEST_F(McpServer, CompletesAtMostAHundredValues) {
  const json::object reference{{"type", "ref/resource"}, {"uri", "toy://{name}"}};
  const json::object answer =
      modern("completion/complete",
             {{"ref", reference}, {"argument", json::object{{"name", "name"}, {"value", "a"}}}})
          ->answer();
  const json::object& completion = result(answer).at("completion").as_object();
  EXPECT_EQ(completion.at("values").as_array().size(), 100u);
  EXPECT_EQ(completion.at("total"), 150);
  EXPECT_EQ(completion.at("hasMore"), true);
  EXPECT_EQ(error_code(modern("completion/complete",
                              {{"ref", json::object{{"type", "ref/prompt"}, {"name", "none"}}},
                               {"argument", json::object{{"name", "a"}, {"value", ""}}}})
                           ->answer()),
            -32602);
}

TEST_F(McpServer, ASubscriberHearsWhatItAskedForAndNothingElse) {
  const auto reply =
      modern("subscriptions/listen",
             {{"notifications", json::object{{"resourcesListChanged", true},
                                             {"resourceSubscriptions", json::array{"toy://a"}}}}},
             "sub");
  const json::object first = reply->notifications(1).front();
  EXPECT_EQ(first.at("method"), "notifications/subscriptions/acknowledged");
  EXPECT_EQ(first.at("params").at("_meta").at(kMetaSubscription), "sub");
  EXPECT_EQ(server_.subscribed(), std::vector<std::string>{"toy://a"});
  server_.notify_changed(std::vector<std::string>{"toy://a", "toy://b"});
  server_.notify_changed(ListKind::tools);
  server_.notify_changed(ListKind::resources);
  const std::vector<json::object> told = reply->notifications(3);
  ASSERT_EQ(told.size(), 3u);
  EXPECT_EQ(told[1].at("params").at("uri"), "toy://a");
  EXPECT_EQ(told[1].at("params").at("_meta").at(kMetaSubscription), "sub");
  EXPECT_EQ(told[2].at("method"), "notifications/resources/list_changed");
  notify("notifications/cancelled", {{"requestId", "sub"}});
  server_.notify_changed(ListKind::resources);
  EXPECT_EQ(reply->notifications(3).size(), 3u);
  EXPECT_FALSE(reply->is_answered());
  EXPECT_FALSE(server_.is_awaited(ListKind::resources));
}

TEST_F(McpServer, Security6ASubscriberMayNameSixtyFourKilobytesOfUrisAndNoLongOnes) {
  json::array uris{"toy://" + std::string(507, 'x')};
  for (int i = 0; i < 1'000; ++i)
    uris.emplace_back("toy://" + std::to_string(1'000 + i) + std::string(490, 'x'));
  uris.emplace_back("toy://a");
  const auto heard =
      modern("subscriptions/listen",
             {{"notifications", json::object{{"resourceSubscriptions", std::move(uris)}}}}, "sub");
  const json::object first = heard->notifications(1).front();
  const json::array& honoured =
      first.at("params").at("notifications").at("resourceSubscriptions").as_array();
  EXPECT_EQ(honoured.size(), 132u) << "131 of 500 bytes, and the short one at the end";
  EXPECT_EQ(view(honoured.front().as_string()), "toy://1000" + std::string(490, 'x'));
  EXPECT_EQ(honoured.back(), "toy://a");
  EXPECT_EQ(server_.subscribed().size(), honoured.size());
}

TEST_F(McpServer, ALegacyConnectionSubscribesToResources) {
  initialize();
  EXPECT_EQ(result(send("resources/subscribe", {{"uri", "toy://a"}})->answer()), json::object());
  server_.notify_changed(std::vector<std::string>{"toy://a", "toy://b"});
  ASSERT_EQ(unasked_.size(), 1u);
  EXPECT_EQ(unasked_[0].at("params").at("uri"), "toy://a");
  send("resources/unsubscribe", {{"uri", "toy://a"}})->answer();
  server_.notify_changed(std::vector<std::string>{"toy://a"});
  EXPECT_EQ(unasked_.size(), 1u);
}

TEST_F(McpServer, WhereNothingIsRememberedLegacyRequestsAreServedAsTheyCome) {
  Session alone(Session::Keeps::nothing);
  const auto reply = std::make_shared<ReplyRecorder>();
  server_.serve({.id = 1, .method = "tools/list"}, alone, reply);
  EXPECT_EQ(result(reply->answer()).at("tools").as_array().size(), 4u);
  const auto subscribing = std::make_shared<ReplyRecorder>();
  server_.serve({.id = 2, .method = "resources/subscribe", .params = {{"uri", "toy://a"}}}, alone,
                subscribing);
  EXPECT_EQ(error_code(subscribing->answer()), -32601);
}

}  // namespace
}  // namespace weft::mcp::toy_server

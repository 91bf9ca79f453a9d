// A connected agent sees conversations that grow elsewhere, without asking twice, whichever process
// ingests them.
#include <gmock/gmock.h>
#include <signal.h>

#include "watch_for_test.hpp"

namespace weft::test {
namespace {

class WatchingMcp : public Watching {
 protected:
  WatchingMcp() {
    session_.human("the heddle is stuck");
    append(file(), session_.text());
  }
  fs::path file() const { return projects() / "-p" / (session_.id() + ".jsonl"); }
  std::unique_ptr<StdioClient> mcp() const {
    std::vector<std::string> arguments = words("mcp");
    std::erase(arguments, "--json");
    return std::make_unique<StdioClient>(WEFT_BINARY, arguments, weft.environment);
  }
  json::object call(StdioClient& client, std::string_view tool, json::object arguments) {
    client.send({{"jsonrpc", "2.0"},
                 {"id", ++last_id_},
                 {"method", "tools/call"},
                 {"params", modern_params({{"name", tool}, {"arguments", std::move(arguments)}})}});
    const json::object answer = client.answer_to(last_id_);
    const json::value* result = find_member(answer, "result");
    EXPECT_NE(result, nullptr) << pretty_json(answer);
    return result == nullptr ? json::object() : result->at("structuredContent").as_object();
  }
  static void subscribe(StdioClient& client, const std::string& uri) {
    const json::object wanted{{"resourceSubscriptions", json::array{uri}}};
    client.send({{"jsonrpc", "2.0"},
                 {"id", "sub"},
                 {"method", "subscriptions/listen"},
                 {"params", modern_params({{"notifications", wanted}})}});
    EXPECT_EQ(text(client.next(), "method"), "notifications/subscriptions/acknowledged");
  }
  void say(std::string_view words) {
    session_.says(words);
    append(file(), session_.lines.back() + "\n");
  }
  static void expect_update(StdioClient& client, const std::string& uri) {
    const json::object notification = client.next();
    EXPECT_EQ(text(notification, "method"), "notifications/resources/updated")
        << pretty_json(notification);
    EXPECT_EQ(text(notification.at("params").as_object(), "uri"), uri);
  }
  std::int64_t hits(StdioClient& client, std::string_view words) {
    return number(call(client, "wot_thought_search", {{"query", words}}), "total");
  }
  bool comes_to_be_found(StdioClient& client, std::string_view words) {
    return becomes_true([&] { return hits(client, words) > 0; });
  }

  Session session_{session_name(1)};
  int last_id_ = 0;
};

TEST_F(WatchingMcp, AnAppendedLineIsFoundReadAndToldToWhoSubscribed) {
  const auto client = mcp();
  ASSERT_TRUE(comes_to_be_found(*client, "heddle"));
  const json::object listed = call(*client, "wot_conversation_list", {});
  const std::string cid = text(list(listed, "conversations").at(0).as_object(), "cid");
  const std::string uri = "weft://conversation/" + cid;
  subscribe(*client, uri);
  say("then oil the selvedge");
  // No request is sent: the notification comes by itself.
  expect_update(*client, uri);
  EXPECT_TRUE(comes_to_be_found(*client, "selvedge"));
  const json::object read = call(*client, "read_conversation", {{"session_id", session_.id()}});
  EXPECT_NE(canonical_json(read).find("then oil the selvedge"), std::string::npos);
}

// A client that has sent no request is notified as well.
TEST_F(WatchingMcp, AnAppendedLineIsToldToWhoOnlySubscribed) {
  std::vector<std::string> arguments = words("ingest");
  std::erase(arguments, "--json");
  ASSERT_EQ(weft(arguments).exit, 0);
  const json::object row = list(weft.json({"list"}), "conversations").at(0).as_object();
  const std::string uri = "weft://conversation/" + text(row, "cid");
  const auto client = mcp();
  subscribe(*client, uri);
  say("then oil the selvedge");
  expect_update(*client, uri);
}

TEST_F(WatchingMcp, OneThatReadsGoesOnWhenTheOneThatTakesInIsKilled) {
  const auto first = mcp();
  ASSERT_TRUE(comes_to_be_found(*first, "heddle"));
  const auto second = mcp();
  ASSERT_TRUE(comes_to_be_found(*second, "heddle"));
  say("warp");
  EXPECT_TRUE(comes_to_be_found(*second, "warp"));
  first->kill(SIGKILL);
  first->wait();
  say("selvedge");
  EXPECT_TRUE(comes_to_be_found(*second, "selvedge"));
}

TEST_F(WatchingMcp, ASourceThatComesAfterTheFirstQuestionIsSeen) {
  fs::remove_all(projects());
  const auto client = mcp();
  EXPECT_EQ(hits(*client, "heddle"), 0);
  append(file(), session_.text());
  EXPECT_TRUE(comes_to_be_found(*client, "heddle"));
}

}  // namespace
}  // namespace weft::test

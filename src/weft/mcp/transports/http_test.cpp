#include "weft/mcp/transports/http.hpp"

#include "weft/mcp/transports/http_for_test.hpp"

namespace weft::mcp {
namespace {

TEST_F(HttpTest, ServesBothErasOnOneConnection) {
  begin();
  RawClient client(port);
  client.send(legacy(1, "initialize",
                     R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{}})")
                  .bytes());
  const Got initialized = client.read();
  EXPECT_EQ(initialized.status, 200u);
  EXPECT_TRUE(initialized.has("Content-Type: application/json\r\n"));
  EXPECT_FALSE(initialized.has("Mcp-Session-Id"));
  EXPECT_FALSE(initialized.has("Access-Control"));
  EXPECT_EQ(find_string(*find_object(initialized.message(), "result"), "protocolVersion"),
            "2025-11-25");

  client.send(modern_call(2, "echo", "heron").bytes());
  const Got called = client.read();
  EXPECT_EQ(called.status, 200u);
  EXPECT_EQ(text_of(called.message()), "heron");
}

TEST_F(HttpTest, StreamsWhatIsSaidBeforeTheAnswerAndServesOn) {
  begin();
  RawClient client(port);
  client.send(modern_call(7, "steps").bytes());
  const Got got = client.read();
  EXPECT_EQ(got.status, 200u);
  EXPECT_TRUE(got.has("Content-Type: text/event-stream\r\n"));
  EXPECT_TRUE(got.has("X-Accel-Buffering: no\r\n"));
  EXPECT_TRUE(got.has("Cache-Control: no-store\r\n"));
  const std::vector<json::object> events = got.events();
  ASSERT_EQ(events.size(), 4u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(find_string(events[i], "method"), "notifications/progress");
    EXPECT_EQ(find_int(*find_object(events[i], "params"), "progress"),
              static_cast<std::int64_t>(i + 1));
  }
  EXPECT_EQ(find_int(events[3], "id"), 7);
  EXPECT_EQ(text_of(events[3]), "done");

  client.send(legacy(8, "ping").bytes());
  EXPECT_EQ(client.read().status, 200u);
}

TEST_F(HttpTest, LeavesOutWhatAClientWithoutStreamsCannotRead) {
  begin();
  Post post = modern_call(1, "steps");
  post.accept = "application/json";
  const Got got = ask(post.bytes());
  EXPECT_TRUE(got.has("Content-Type: application/json\r\n"));
  EXPECT_EQ(text_of(got.message()), "done");
  Post listen = modern(2, "subscriptions/listen", R"(,"notifications":{})");
  listen.accept = "application/json";
  EXPECT_EQ(ask(listen.bytes()).status, 406u);
}

TEST_F(HttpTest, StreamsEvenAPlainAnswerToAClientThatReadsNothingElse) {
  begin();
  Post post = modern_call(1, "echo", "heron");
  post.accept = "text/event-stream";
  const Got got = ask(post.bytes());
  ASSERT_EQ(got.events().size(), 1u);
  EXPECT_EQ(text_of(got.events()[0]), "heron");
}

TEST_F(HttpTest, EndsAStreamOfHttp10ByClosing) {
  begin();
  Post post = modern_call(1, "steps");
  post.version = "HTTP/1.0";
  const Got got = ask(post.bytes());
  EXPECT_FALSE(got.has("Transfer-Encoding"));
  EXPECT_TRUE(got.has("Connection: close\r\n"));
  EXPECT_EQ(got.events().size(), 4u);
}

TEST_F(HttpTest, AcceptsANotificationWithoutAWord) {
  begin();
  const Got got =
      ask(Post{.body = R"({"jsonrpc":"2.0","method":"notifications/initialized"})"}.bytes());
  EXPECT_EQ(got.status, 202u);
  EXPECT_EQ(got.body, "");
  EXPECT_TRUE(got.has("Content-Length: 0\r\n"));
}

TEST_F(HttpTest, TellsByStatusAndCodeWhatIsWrongWithAMessage) {
  begin();
  const Got broken = ask(Post{.body = R"({"jsonrpc":"2.0",)"}.bytes());
  EXPECT_EQ(broken.status, 400u);
  EXPECT_EQ(code_of(broken.message()), -32700);
  EXPECT_EQ(ask(Post{.body = "[]"}.bytes()).status, 400u);
  EXPECT_EQ(ask(Post{}.bytes()).status, 400u);

  const Got unknown = ask(modern(1, "no/such").bytes());
  EXPECT_EQ(unknown.status, 404u);
  EXPECT_EQ(code_of(unknown.message()), -32601);
  const Got legacy_unknown = ask(legacy(1, "no/such").bytes());
  EXPECT_EQ(legacy_unknown.status, 200u);
  EXPECT_EQ(code_of(legacy_unknown.message()), -32601);

  Post mismatched = modern(5, "tools/list");
  mismatched.fields = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: prompts/list\r\n";
  const Got mismatch = ask(mismatched.bytes());
  EXPECT_EQ(mismatch.status, 400u);
  EXPECT_EQ(code_of(mismatch.message()), -32020);
  EXPECT_EQ(find_int(mismatch.message(), "id"), 5);
}

TEST_F(HttpTest, ServesOnlyThoseWhoMayAsk) {
  options.token = "a long and random word";
  begin();
  Post post = legacy(1, "ping");
  EXPECT_EQ(ask(post.bytes()).status, 401u);
  post.fields = "Authorization: Bearer a long and random worD\r\n";
  EXPECT_EQ(ask(post.bytes()).status, 401u);
  post.fields = "Authorization: Bearer a long and random word\r\n";
  EXPECT_EQ(ask(post.bytes()).status, 200u);
  Post foreign = post;
  foreign.host = "evil.example";
  EXPECT_EQ(ask(foreign.bytes()).status, 403u);
  post.fields += "Origin: http://evil.example\r\n";
  EXPECT_EQ(ask(post.bytes()).status, 403u);
}

TEST_F(HttpTest, RefusesWhatItCannotReadOrAnswer) {
  begin();
  Post typed = legacy(1, "ping");
  typed.type = "text/plain";
  EXPECT_EQ(ask(typed.bytes()).status, 415u);
  Post picky = legacy(1, "ping");
  picky.accept = "text/html";
  EXPECT_EQ(ask(picky.bytes()).status, 406u);
  EXPECT_EQ(ask("nonsense\r\n\r\n").status, 400u);
  EXPECT_EQ(ask("GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 405u);
  EXPECT_EQ(ask("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 404u);
  EXPECT_EQ(ask("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
                "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
                .status,
            400u);
}

TEST_F(HttpTest, SaysThatItIsWell) {
  begin();
  RawClient client(port);
  client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(client.read().body, R"({"status":"ok"})");
  client.send("HEAD /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  ASSERT_TRUE(client.read_until("\r\n\r\n"));
  EXPECT_TRUE(client.unread().ends_with("Content-Length: 15\r\n\r\n"));
  EXPECT_EQ(ask("GET /healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n").status, 403u);
}

TEST_F(HttpTest, AnswersRequestsThatCameTogetherOneAfterTheOther) {
  begin();
  RawClient client(port);
  client.send(modern_call(1, "steps").bytes() + legacy(2, "ping").bytes() +
              legacy(3, "ping").bytes());
  EXPECT_EQ(client.read().events().size(), 4u);
  EXPECT_EQ(find_int(client.read().message(), "id"), 2);
  EXPECT_EQ(find_int(client.read().message(), "id"), 3);
}

TEST_F(HttpTest, TakesABodyInChunksAndWhenItIsToldTo) {
  begin();
  RawClient client(port);
  client.send(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read().status, 100u);
  const std::string body = legacy(4, "ping").body;
  client.send(fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", body.size(), body));
  EXPECT_EQ(find_int(client.read().message(), "id"), 4);
}

TEST_F(HttpTest, AnswersFiftyAtOnceEachWithItsOwn) {
  begin();
  std::vector<std::thread> threads;
  std::vector<std::int64_t> ids(50);
  for (int i = 0; i < 50; ++i) {
    threads.emplace_back([this, i, &ids] {
      const Got got = ask(modern_call(1000 + i, i % 2 == 0 ? "echo" : "steps").bytes());
      const json::object answer =
          i % 2 == 0 || got.events().empty() ? got.message() : got.events().back();
      ids[static_cast<std::size_t>(i)] = find_int(answer, "id").value_or(0);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 50; ++i) EXPECT_EQ(ids[static_cast<std::size_t>(i)], 1000 + i);
}

TEST_F(HttpTest, SaysThatItCannotListenWhereSomebodyElseDoes) {
  begin();
  HttpOptions same;
  same.port = port;
  const Status taken = serve_http(server, same, 0, {});
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::unavailable);
  same.address = "not an address";
  EXPECT_EQ(serve_http(server, same, 0, {}).error().code, ErrorCode::invalid_input);
}

}  // namespace
}  // namespace weft::mcp

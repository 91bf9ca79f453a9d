#include "weft/mcp/protocol/server.hpp"

#include <gtest/gtest.h>

#include <array>
#include <condition_variable>
#include <future>
#include <mutex>

namespace weft::mcp {
namespace {

// What came back for one request.
class Heard : public Outlet {
 public:
  void notify(std::string message) override {
    const std::scoped_lock lock(mutex_);
    notifications_.push_back(parse_json(message)->value.as_object());
    changed_.notify_all();
  }
  void answer(std::string message, Verdict verdict) override {
    const std::scoped_lock lock(mutex_);
    answer_ = parse_json(message)->value.as_object();
    verdict_ = verdict;
    changed_.notify_all();
  }

  json::object answer() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return answer_.has_value(); });
    return *answer_;
  }
  std::vector<json::object> notifications(std::size_t at_least) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return notifications_.size() >= at_least; });
    return notifications_;
  }
  bool is_answered() {
    const std::scoped_lock lock(mutex_);
    return answer_.has_value();
  }
  Verdict verdict() {
    const std::scoped_lock lock(mutex_);
    return verdict_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<json::object> notifications_;
  std::optional<json::object> answer_;
  Verdict verdict_ = Verdict::served;
};

json::object text_result(std::string_view words) {
  return {{"content", json::array{json::object{{"type", "text"}, {"text", words}}}}};
}

Served<> echo(Call& call) { return text_result(text_in(call.arguments(), "words")); }

// Waits until it is cancelled.
std::promise<void>* begun = nullptr;
Served<> wait_for_end(Call& call) {
  std::mutex mutex;
  std::condition_variable_any ended;
  std::unique_lock lock(mutex);
  if (begun != nullptr) begun->set_value();
  ended.wait(lock, call.stop(), [] { return false; });
  return text_result("ended");
}

Served<> count_up(Call& call) {
  call.progress(1, 2, "half");
  call.progress(1, 2, "no more than before");
  call.progress(2, 2);
  return text_result("two");
}

Served<> throws(Call&) { throw std::runtime_error("a secret of the transcript"); }

Served<> read_secret(Call& call, std::string_view uri, std::string_view value) {
  if (value != "known") return not_found(call, uri);
  return json::object{{"contents", json::array{json::object{{"uri", uri}, {"text", "yes"}}}}};
}

Result<ListedPage> list_many(Call&, std::uint64_t offset, std::uint64_t limit) {
  ListedPage page{.total = 120};
  for (std::uint64_t i = offset; i < 120 && i - offset < limit; ++i) {
    page.resources.push_back({.uri = "toy://" + std::to_string(i), .name = std::to_string(i)});
  }
  return page;
}

std::vector<std::string> complete_many(Call&, std::string_view begun_with) {
  std::vector<std::string> out;
  for (int i = 0; i < 150; ++i) out.push_back(std::string(begun_with) + std::to_string(i));
  return out;
}

Served<> greet(Call& call) {
  return json::object{
      {"messages", json::array{json::object{
                       {"role", "user"},
                       {"content", json::object{{"type", "text"},
                                                {"text", text_in(call.arguments(), "whom")}}}}}}};
}

class McpServer : public testing::Test {
 protected:
  McpServer() : server_(features(), nullptr) {}

  static Features features() {
    static const std::array<Tool, 4> tools = {{
        {.name = "count_up", .title = "Count", .description = "Counts", .call = count_up},
        {.name = "echo",
         .title = "Echo",
         .description = "Says it again",
         .parameters = {{.name = "words", .description = "What", .is_required = true}},
         .example = R"({"words": "hello"})",
         .call = echo},
        {.name = "throws", .title = "Throws", .description = "Fails", .call = throws},
        {.name = "wait",
         .title = "Wait",
         .description = "Waits",
         .pace = Tool::Pace::slow,
         .call = wait_for_end},
    }};
    static const std::array<const Tool*, 4> tool_list = {&tools[0], &tools[1], &tools[2],
                                                         &tools[3]};
    static const Prompt prompt = {
        .name = "greet",
        .title = "Greet",
        .description = "Greets",
        .arguments = {{.name = "whom", .title = "Whom", .description = "", .is_required = true}},
        .get = greet};
    static const std::array<const Prompt*, 1> prompt_list = {&prompt};
    static const Resource resource = {.uri_template = "toy://{name}",
                                      .name = "toy",
                                      .title = "Toy",
                                      .description = "A toy",
                                      .read = read_secret,
                                      .list = list_many,
                                      .complete = complete_many};
    static const std::array<const Resource*, 1> resource_list = {&resource};
    return {.name = "toy",
            .title = "Toy",
            .version = "1",
            .instructions = "Play",
            .tools = tool_list,
            .prompts = prompt_list,
            .resources = resource_list};
  }

  static json::object meta(std::string_view version = kModernVersion) {
    return {{kMetaVersion, version}, {kMetaCapabilities, json::object()}};
  }

  std::shared_ptr<Heard> send(std::string_view method, json::object params, json::value id = 1) {
    const auto heard = std::make_shared<Heard>();
    ticket_ = server_.serve(
        {.id = std::move(id), .method = std::string(method), .params = std::move(params)}, session_,
        heard);
    return heard;
  }
  void notify(std::string_view method, json::object params) {
    server_.serve({.kind = Message::Kind::notification,
                   .method = std::string(method),
                   .params = std::move(params)},
                  session_, nullptr);
  }
  std::shared_ptr<Heard> modern(std::string_view method, json::object params = {},
                                json::value id = 1) {
    json::object merged = meta();
    if (const json::object* more = find_object(params, "_meta")) {
      for (const auto& member : *more) merged[member.key()] = member.value();
    }
    params["_meta"] = std::move(merged);
    return send(method, std::move(params), std::move(id));
  }
  void initialize(std::string_view version = "2025-11-25") {
    send("initialize", {{"protocolVersion", version}, {"capabilities", json::object()}})->answer();
  }
  static std::int64_t error_code(const json::object& answer) {
    const json::object* error = find_object(answer, "error");
    return error != nullptr ? find_int(*error, "code").value_or(0) : 0;
  }
  static const json::object& result(const json::object& answer) {
    static const json::object kNone;
    const json::object* found = find_object(answer, "result");
    EXPECT_NE(found, nullptr) << pretty_json(answer);
    return found != nullptr ? *found : kNone;
  }

  Server server_;
  std::vector<json::object> unasked_;
  Session session_{Session::Keeps::state, [this](std::string message) {
                     unasked_.push_back(parse_json(message)->value.as_object());
                   }};
  std::shared_ptr<Ticket> ticket_;
};

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
  const auto heard =
      modern("tools/call", {{"name", "count_up"}, {"_meta", json::object{{"progressToken", "t"}}}});
  heard->answer();
  const std::vector<json::object> told = heard->notifications(2);
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
  const auto heard = modern("tools/call", {{"name", "wait"}}, "w");
  started.get_future().wait();
  begun = nullptr;
  notify("notifications/cancelled", {{"requestId", "nobody"}});
  notify("notifications/cancelled", {{"requestId", "w"}});
  server_.drain();
  EXPECT_FALSE(heard->is_answered());
}

TEST_F(McpServer, ATicketCancelsToo) {
  std::promise<void> started;
  begun = &started;
  const auto heard = modern("tools/call", {{"name", "wait"}});
  started.get_future().wait();
  begun = nullptr;
  ticket_->cancel();
  server_.stop();
  EXPECT_FALSE(heard->is_answered());
}

TEST_F(McpServer, SlowToolsDoNotHoldUpQuickOnes) {
  for (int i = 0; i < 20; ++i) modern("tools/call", {{"name", "wait"}}, i);
  EXPECT_TRUE(modern("tools/list", {}, "quick")->answer().contains("result"));
}

TEST_F(McpServer, DrainAnswersWhatIsQuickAndEndsWhatIsSlow) {
  std::vector<std::shared_ptr<Heard>> quick;
  for (int i = 0; i < 100; ++i) {
    quick.push_back(
        modern("tools/call", {{"name", "echo"}, {"arguments", json::object{{"words", "x"}}}}, i));
  }
  const auto slow = modern("tools/call", {{"name", "wait"}}, "slow");
  const auto listening = modern("subscriptions/listen", {{"notifications", json::object()}}, "sub");
  server_.drain();
  for (const auto& heard : quick) EXPECT_TRUE(heard->is_answered());
  EXPECT_FALSE(slow->is_answered());
  EXPECT_TRUE(listening->is_answered());
}

TEST_F(McpServer, AfterStopNothingIsServed) {
  server_.stop();
  const auto heard = modern("tools/list");
  EXPECT_FALSE(heard->is_answered());
}

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
  const auto heard =
      modern("subscriptions/listen",
             {{"notifications", json::object{{"resourcesListChanged", true},
                                             {"resourceSubscriptions", json::array{"toy://a"}}}}},
             "sub");
  const json::object first = heard->notifications(1).front();
  EXPECT_EQ(first.at("method"), "notifications/subscriptions/acknowledged");
  EXPECT_EQ(first.at("params").at("_meta").at(kMetaSubscription), "sub");
  EXPECT_EQ(server_.subscribed(), std::vector<std::string>{"toy://a"});
  server_.notify_changed(std::vector<std::string>{"toy://a", "toy://b"});
  server_.notify_changed(ListKind::tools);
  server_.notify_changed(ListKind::resources);
  const std::vector<json::object> told = heard->notifications(3);
  ASSERT_EQ(told.size(), 3u);
  EXPECT_EQ(told[1].at("params").at("uri"), "toy://a");
  EXPECT_EQ(told[1].at("params").at("_meta").at(kMetaSubscription), "sub");
  EXPECT_EQ(told[2].at("method"), "notifications/resources/list_changed");
  notify("notifications/cancelled", {{"requestId", "sub"}});
  server_.notify_changed(ListKind::resources);
  EXPECT_EQ(heard->notifications(3).size(), 3u);
  EXPECT_FALSE(heard->is_answered());
  EXPECT_FALSE(server_.is_awaited(ListKind::resources));
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
  const auto heard = std::make_shared<Heard>();
  server_.serve({.id = 1, .method = "tools/list"}, alone, heard);
  EXPECT_EQ(result(heard->answer()).at("tools").as_array().size(), 4u);
  const auto subscribing = std::make_shared<Heard>();
  server_.serve({.id = 2, .method = "resources/subscribe", .params = {{"uri", "toy://a"}}}, alone,
                subscribing);
  EXPECT_EQ(error_code(subscribing->answer()), -32601);
}

}  // namespace
}  // namespace weft::mcp

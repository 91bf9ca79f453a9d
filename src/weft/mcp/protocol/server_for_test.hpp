// A server with toy tools, resources and prompts, and an outlet that collects its answers.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <condition_variable>
#include <future>
#include <mutex>

#include "weft/mcp/protocol/server.hpp"

namespace weft::mcp::toy_server {

// What came back for one request.
class ReplyRecorder : public Outlet {
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

inline json::object text_result(std::string_view words) {
  return {{"content", json::array{json::object{{"type", "text"}, {"text", words}}}}};
}

inline Served<> echo(Call& call) { return text_result(text_in(call.arguments(), "words")); }

// Waits until it is cancelled.
inline std::promise<void>* begun = nullptr;
inline Served<> wait_for_end(Call& call) {
  std::mutex mutex;
  std::condition_variable_any ended;
  std::unique_lock lock(mutex);
  if (begun != nullptr) begun->set_value();
  ended.wait(lock, call.stop(), [] { return false; });
  return text_result("ended");
}

inline Served<> count_up(Call& call) {
  call.progress(1, 2, "half");
  call.progress(1, 2, "no more than before");
  call.progress(2, 2);
  return text_result("two");
}

inline Served<> throws(Call&) { throw std::runtime_error("a secret of the transcript"); }

inline Served<> read_secret(Call& call, std::string_view uri, std::string_view value) {
  if (value != "known") return not_found(call, uri);
  return json::object{{"contents", json::array{json::object{{"uri", uri}, {"text", "yes"}}}}};
}

inline Result<ListedPage> list_many(Call&, std::uint64_t offset, std::uint64_t limit) {
  ListedPage page{.total = 120};
  for (std::uint64_t i = offset; i < 120 && i - offset < limit; ++i) {
    page.resources.push_back({.uri = "toy://" + std::to_string(i), .name = std::to_string(i)});
  }
  return page;
}

inline std::vector<std::string> complete_many(Call&, std::string_view begun_with) {
  std::vector<std::string> out;
  for (int i = 0; i < 150; ++i) out.push_back(std::string(begun_with) + std::to_string(i));
  return out;
}

inline Served<> greet(Call& call) {
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

  std::shared_ptr<ReplyRecorder> send(std::string_view method, json::object params,
                                      json::value id = 1) {
    const auto reply = std::make_shared<ReplyRecorder>();
    ticket_ = server_.serve(
        {.id = std::move(id), .method = std::string(method), .params = std::move(params)}, session_,
        reply);
    return reply;
  }
  void notify(std::string_view method, json::object params) {
    server_.serve({.kind = Message::Kind::notification,
                   .method = std::string(method),
                   .params = std::move(params)},
                  session_, nullptr);
  }
  std::shared_ptr<ReplyRecorder> modern(std::string_view method, json::object params = {},
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

}  // namespace weft::mcp::toy_server

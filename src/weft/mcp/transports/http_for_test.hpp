// For tests of the HTTP server: a server with a few toy tools, and messages for it.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <condition_variable>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "weft/mcp/transports/http.hpp"
#include "weft/mcp/transports/raw_client_for_test.hpp"

namespace weft::mcp {

// What the toy tools tell the tests, and wait for. Whoever waits in vain fails.
class Gate {
 public:
  void reset() {
    const std::lock_guard lock(mutex_);
    began_ = cancelled_ = finished_ = 0;
    open_ = false;
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  // A tool: waits until the gate opens, or it is cancelled.
  void pass(const Call& call) {
    std::unique_lock lock(mutex_);
    ++began_;
    changed_.notify_all();
    const std::stop_callback wake(call.stop(), [this] { changed_.notify_all(); });
    // Looks now and then: a stop between the look and the wait rings no bell.
    while (!open_ && !call.is_cancelled()) changed_.wait_for(lock, std::chrono::milliseconds(10));
    ++(call.is_cancelled() ? cancelled_ : finished_);
    changed_.notify_all();
  }
  void count_cancelled() {
    const std::lock_guard lock(mutex_);
    ++cancelled_;
    changed_.notify_all();
  }
  bool has_finished(int n) {
    const std::lock_guard lock(mutex_);
    return finished_ >= n;
  }
  bool await_began(int n) { return await(began_, n); }
  bool await_cancelled(int n) { return await(cancelled_, n); }
  bool await_finished(int n) { return await(finished_, n); }

 private:
  bool await(const int& number, int n) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(60), [&] { return number >= n; });
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int began_ = 0, cancelled_ = 0, finished_ = 0;
  bool open_ = false;
};

inline Gate gate;

inline json::object said(std::string_view text) {
  return {{"content", json::array{json::object{{"type", "text"}, {"text", text}}}}};
}

inline Served<> echo(Call& call) {
  const json::object* arguments = find_object(call.params(), "arguments");
  return said(arguments ? find_string(*arguments, "text").value_or("nothing") : "nothing");
}
inline Served<> steps(Call& call) {
  for (const int done : {1, 2, 3}) {
    call.notify("notifications/progress", {{"progressToken", "t"}, {"progress", done}});
  }
  return said("done");
}
inline Served<> hang(Call& call) {
  gate.pass(call);
  return said("at last");
}
inline Served<> flood(Call& call) {
  const std::string much(64u << 10, 'x');
  while (!call.is_cancelled()) call.notify("notifications/message", {{"data", much}});
  gate.count_cancelled();
  return said("never read");
}

inline const Features& toys() {
  constexpr std::string_view kAnything = R"({"type":"object"})";
  static const Tool echo_tool{.name = "echo", .call = echo, .input_schema = kAnything};
  static const Tool steps_tool{.name = "steps", .call = steps, .input_schema = kAnything};
  static const Tool hang_tool{.name = "hang", .call = hang, .input_schema = kAnything};
  static const Tool flood_tool{.name = "flood", .call = flood, .input_schema = kAnything};
  static const Tool slow_tool{
      .name = "slow", .pace = Tool::Pace::slow, .call = hang, .input_schema = kAnything};
  static const std::array<const Tool*, 5> tools = {&echo_tool, &steps_tool, &hang_tool, &flood_tool,
                                                   &slow_tool};
  static const Features features{.name = "toys", .title = "Toys", .version = "1", .tools = tools};
  return features;
}

// Messages and the headers that go with them.
struct Post {
  std::string body;
  std::string fields{};
  std::string host = "localhost";
  std::string type = "application/json";
  std::string accept = "application/json, text/event-stream";
  std::string version = "HTTP/1.1";

  std::string bytes() const {
    return fmt::format(
        "POST /mcp {}\r\nHost: {}\r\nContent-Type: {}\r\nAccept: {}\r\n{}Content-Length: "
        "{}\r\n\r\n{}",
        version, host, type, accept, fields, body.size(), body);
  }
};

inline Post legacy(int id, std::string_view method, std::string_view params = "{}") {
  return {.body = fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"{}","params":{}}})", id,
                              method, params)};
}
inline Post legacy_call(int id, std::string_view tool) {
  return legacy(id, "tools/call", fmt::format(R"({{"name":"{}","arguments":{{}}}})", tool));
}
// `rest` are further members of params, each with a comma before it.
inline Post modern(int id, std::string_view method, std::string_view rest = "") {
  Post post = legacy(id, method,
                     fmt::format(R"({{"_meta":{{"{}":"{}","{}":{{}}}}{}}})", kMetaVersion,
                                 kModernVersion, kMetaCapabilities, rest));
  post.fields =
      fmt::format("MCP-Protocol-Version: {}\r\nMcp-Method: {}\r\n", kModernVersion, method);
  return post;
}
inline Post modern_call(int id, std::string_view tool, std::string_view text = "") {
  Post post = modern(id, "tools/call",
                     fmt::format(R"(,"name":"{}","arguments":{{"text":"{}"}})", tool, text));
  post.fields += fmt::format("Mcp-Name: {}\r\n", tool);
  return post;
}

// A server on a port of its own, from begin() to the end of the test.
class HttpTest : public testing::Test {
 protected:
  void SetUp() override { gate.reset(); }
  void TearDown() override {
    gate.open();
    stop();
  }

  void begin() {
    ASSERT_EQ(::pipe(pipe_), 0);
    options.port = 0;
    std::promise<std::uint16_t> listens;
    std::future<std::uint16_t> listening = listens.get_future();
    thread_ = std::thread([this, &listens] {
      status =
          serve_http(server, options, pipe_[0], [&](std::uint16_t it) { listens.set_value(it); });
    });
    port = listening.get();
  }
  void ask_to_stop() const { ASSERT_EQ(::write(pipe_[1], "x", 1), 1); }
  // Returns once serve_http did.
  void stop() {
    if (!thread_.joinable()) return;
    ask_to_stop();
    thread_.join();
    ::close(pipe_[0]);
    ::close(pipe_[1]);
  }

  // One request on a connection of its own.
  Got ask(const std::string& bytes) const {
    RawClient client(port);
    client.send(bytes);
    return client.read();
  }

  Server server{toys(), nullptr};
  HttpOptions options;
  std::uint16_t port = 0;
  Status status;

 private:
  int pipe_[2] = {-1, -1};
  std::thread thread_;
};

inline std::string text_of(const json::object& message) {
  const json::object* result = find_object(message, "result");
  const json::array* content = result ? find_array(*result, "content") : nullptr;
  return content && !content->empty()
             ? std::string(find_string(content->front().as_object(), "text").value_or(""))
             : "";
}
inline int code_of(const json::object& message) {
  const json::object* error = find_object(message, "error");
  return error ? static_cast<int>(find_int(*error, "code").value_or(0)) : 0;
}

}  // namespace weft::mcp

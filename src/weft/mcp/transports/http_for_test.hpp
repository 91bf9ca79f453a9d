// For tests of the HTTP server: a server with a few toy tools, and a client on a bare socket.
#pragma once

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <condition_variable>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "weft/mcp/transports/http.hpp"

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
    call.tell("notifications/progress", {{"progressToken", "t"}, {"progress", done}});
  }
  return said("done");
}
inline Served<> hang(Call& call) {
  gate.pass(call);
  return said("at last");
}
inline Served<> flood(Call& call) {
  const std::string much(64u << 10, 'x');
  while (!call.is_cancelled()) call.tell("notifications/message", {{"data", much}});
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

// A response as it came.
struct Got {
  unsigned status = 0;
  std::string head;  // with its last empty line
  std::string body;  // unchunked

  bool has(std::string_view field) const { return head.find(field) != std::string::npos; }
  json::object message() const {
    const Result<ParsedJson> parsed = parse_json(body);
    return parsed && parsed->value.is_object() ? parsed->value.get_object() : json::object{};
  }
  // What its events say.
  std::vector<json::object> events() const {
    std::vector<json::object> all;
    for (std::size_t at = 0; (at = body.find("data: ", at)) != std::string::npos;) {
      const std::size_t end = body.find("\n\n", at);
      const Result<ParsedJson> parsed = parse_json(body.substr(at + 6, end - at - 6));
      if (parsed && parsed->value.is_object()) all.push_back(parsed->value.get_object());
      at = end;
    }
    return all;
  }
};

class RawClient {
 public:
  enum class Window { usual, small };
  explicit RawClient(std::uint16_t port, Window window = Window::usual)
      : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const timeval patience{.tv_sec = 60, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const int small = 4096;
    if (window == Window::small) {
      ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_connected_ =
        ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  ~RawClient() { close(); }

  bool is_connected() const { return is_connected_; }
  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }
  void close_writing() const { ::shutdown(socket_, SHUT_WR); }

  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;  // it was closed on us; what was read tells
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  // Until that much is there. False if the connection ends before.
  bool read_until(std::string_view mark) {
    while (in_.find(mark) == std::string::npos) {
      if (!read_more()) return false;
    }
    return true;
  }
  // True if the server closes, with nothing before that.
  bool is_closed() {
    while (in_.empty() && read_more()) {
    }
    return in_.empty();
  }
  const std::string& unread() const { return in_; }

  // The next response, whole. Status 0 if it is cut short.
  Got read() {
    Got got;
    if (!read_until("\r\n\r\n")) return got;
    got.head = take(in_.find("\r\n\r\n") + 4);
    const std::size_t length = got.head.find("Content-Length: ");
    if (length != std::string::npos) {
      const std::size_t size = std::stoul(got.head.substr(length + 16));
      if (!fill(size)) return got;
      got.body = take(size);
    } else if (got.has("Transfer-Encoding: chunked")) {
      for (std::size_t size = 1; size > 0;) {
        if (!read_until("\r\n")) return got;
        size = std::stoul(take(in_.find("\r\n") + 2), nullptr, 16);
        if (!fill(size + 2)) return got;
        got.body += take(size);
        take(2);
      }
    } else if (!got.head.starts_with("HTTP/1.1 100")) {
      while (read_more()) {
      }
      got.body = take(in_.size());
    }
    got.status = static_cast<unsigned>(std::stoul(got.head.substr(9, 3)));
    return got;
  }

 private:
  bool read_more() {
    char bytes[4096];
    const ssize_t size = ::recv(socket_, bytes, sizeof bytes, 0);
    if (size <= 0) return false;
    in_.append(bytes, static_cast<std::size_t>(size));
    return true;
  }
  bool fill(std::size_t size) {
    while (in_.size() < size) {
      if (!read_more()) return false;
    }
    return true;
  }
  std::string take(std::size_t size) {
    std::string taken = in_.substr(0, size);
    in_.erase(0, size);
    return taken;
  }

  int socket_;
  bool is_connected_ = false;
  std::string in_;
};

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

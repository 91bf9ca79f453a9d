// weft serve under load: many clients that search, walk and listen at once, while it ingests new
// conversations. Compares the slowest hundredth under load with the median of a single client at
// rest, and memory at the end with memory after ten seconds.
//
//   bench_serve [SECONDS]    60 by default
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <mutex>
#include <random>
#include <thread>

#include "claude_corpus.hpp"
#include "measure.hpp"
#include "weft/base/json.hpp"

namespace weft::bench {
namespace {

constexpr int kClients = 200;
constexpr int kStreams = 20;  // of those, clients that keep a subscription open
constexpr auto kThink = std::chrono::milliseconds(2'000);  // of an agent, between two questions

// The server as a child, and its port.
class Child {
 public:
  explicit Child(const std::vector<std::string>& arguments) {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(ends[1], 1);
      std::vector<const char*> argv = {WEFT_BINARY};
      for (const std::string& argument : arguments) argv.push_back(argument.c_str());
      argv.push_back(nullptr);
      ::execv(WEFT_BINARY, const_cast<char**>(argv.data()));
      ::_exit(127);
    }
    ::close(ends[1]);
    std::string line;
    char c = 0;
    while (::read(ends[0], &c, 1) == 1 && c != '\n') line += c;
    ::close(ends[0]);
    const Result<ParsedJson> parsed = parse_json(line);
    const std::string url(parsed ? view(parsed->value.at("url").as_string()) : "");
    port_ = std::atoi(url.substr(url.rfind(':') + 1).c_str());
  }
  ~Child() {
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
  }
  int port() const { return port_; }
  double memory_mb() const {
    std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("VmRSS:")) return std::atof(line.c_str() + 6) / 1024;
    }
    return 0;
  }

 private:
  pid_t pid_ = -1;
  int port_ = 0;
};

// One connection that asks one thing after the other.
class Client {
 public:
  explicit Client(int port) : port_(port) {
    socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    is_open_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~Client() { ::close(socket_); }

  void send(std::string_view method, json::object params, std::string_view name = {}) {
    params["_meta"] = json::object{{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                                   {"io.modelcontextprotocol/clientCapabilities", json::object()}};
    const std::string body = canonical_json(json::object{
        {"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", std::move(params)}});
    std::string head = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) +
                       "\r\nContent-Type: application/json\r\n"
                       "Accept: application/json, text/event-stream\r\n"
                       "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " +
                       std::string(method) + "\r\n";
    if (!name.empty()) head += "Mcp-Name: " + std::string(name) + "\r\n";
    head += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    is_open_ = is_open_ && ::send(socket_, head.data(), head.size(), MSG_NOSIGNAL) ==
                               static_cast<ssize_t>(head.size());
  }
  // The body of the answer; empty if there was none, or it is no result.
  std::string answer() {
    std::string text;
    std::size_t head = std::string::npos, length = 0;
    while (is_open_) {
      if (head == std::string::npos && (head = text.find("\r\n\r\n")) != std::string::npos) {
        const std::size_t at = text.find("Content-Length: ");
        length = at == std::string::npos ? 0 : std::strtoul(text.c_str() + at + 16, nullptr, 10);
      }
      if (head != std::string::npos && text.size() >= head + 4 + length) {
        const std::string body = text.substr(head + 4);
        return body.find("\"result\"") != std::string::npos ? body : std::string();
      }
      char buffer[16384];
      const ssize_t got = ::recv(socket_, buffer, sizeof buffer, 0);
      if (got <= 0) is_open_ = false;
      if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
    }
    return {};
  }
  bool call(std::string_view tool, json::object arguments) {
    send("tools/call", {{"name", tool}, {"arguments", std::move(arguments)}}, tool);
    return !answer().empty();
  }

 private:
  int port_, socket_;
  bool is_open_ = false;
};

struct Figures {
  std::mutex mutex;
  std::vector<double> milliseconds;
  std::atomic<std::uint64_t> errors = 0;

  void add(double ms) {
    const std::scoped_lock lock(mutex);
    milliseconds.push_back(ms);
  }
  double at(double share) {
    std::ranges::sort(milliseconds);
    return milliseconds[static_cast<std::size_t>(share *
                                                 static_cast<double>(milliseconds.size() - 1))];
  }
};

// A search, or the walk of a conversation, as agents mix them.
class Asking {
 public:
  explicit Asking(std::vector<std::string> conversations)
      : conversations_(std::move(conversations)) {
    Words words(3);  // those that the conversations are made of
    for (int i = 0; i < 50; ++i) queries_.push_back(words.prose(12));
  }
  void ask(Client& client, std::mt19937& random, Figures& figures) const {
    const Stopwatch watch;
    const bool ok =
        random() % 4 != 0
            ? client.call("wot_thought_search", {{"query", queries_[random() % queries_.size()]}})
            : client.call("wot_walk_sequence",
                          {{"conversation_cid", conversations_[random() % conversations_.size()]},
                           {"limit", 5}});
    figures.add(watch.seconds() * 1000);
    if (!ok) ++figures.errors;
  }

 private:
  std::vector<std::string> conversations_, queries_;
};

int measure(int seconds) {
  const TempDir dir;
  const std::string home = dir.path / "home";
  const std::string source = "claude-code:" + (dir.path / "projects").string();
  ClaudeCorpus(3).write(dir.path / "projects", 30u << 20);
  ClaudeCorpus(5).write(dir.path / "later", 100u << 20);
  run_weft({"ingest", "--home", home, "--source", source});
  const Child server(
      {"serve", "--json", "--listen", "127.0.0.1:0", "--home", home, "--source", source});
  std::vector<std::string> conversations;
  {
    Client client(server.port());
    client.send("tools/call",
                {{"name", "wot_conversation_list"}, {"arguments", json::object{{"limit", 50}}}},
                "wot_conversation_list");
    const Result<ParsedJson> parsed = parse_json(client.answer());
    if (!parsed) return std::printf("no answer\n"), 1;
    for (const json::value& one :
         parsed->value.at("result").at("structuredContent").at("conversations").as_array()) {
      conversations.emplace_back(view(one.at("cid").as_string()));
    }
  }
  const Asking asking(conversations);
  Figures idle;
  {
    Client client(server.port());
    std::mt19937 random(1);
    for (int i = 0; i < 500; ++i) asking.ask(client, random, idle);
  }
  std::printf("one client at rest     p50 %8.2f ms   p99 %8.2f ms\n", idle.at(0.5), idle.at(0.99));

  Figures loaded;
  std::atomic<bool> is_over = false;
  std::vector<std::jthread> clients;
  for (int i = 0; i < kClients; ++i) {
    clients.emplace_back([&, i] {
      std::mt19937 random(static_cast<unsigned>(i));
      Client stream(server.port());
      if (i < kStreams) {
        stream.send("subscriptions/listen",
                    {{"notifications", json::object{{"resourcesListChanged", true}}}});
      }
      Client client(server.port());
      std::this_thread::sleep_for(kThink * (random() % 1000) / 1000);
      while (!is_over) {
        asking.ask(client, random, loaded);
        std::this_thread::sleep_for(kThink);
      }
    });
  }
  // The next request makes it ingest them.
  std::filesystem::rename(dir.path / "later", dir.path / "projects" / "later");
  std::this_thread::sleep_for(std::chrono::seconds(std::min(10, seconds)));
  const double early = server.memory_mb();
  std::this_thread::sleep_for(std::chrono::seconds(std::max(0, seconds - 10)));
  const double late = server.memory_mb();
  is_over = true;
  clients.clear();
  const double ratio = loaded.at(0.99) / idle.at(0.5);
  std::printf(
      "%d clients, an ingest  p50 %8.2f ms   p99 %8.2f ms, %.1f x of p50 at rest (limit 10)%s\n",
      kClients, loaded.at(0.5), loaded.at(0.99), ratio, ratio > 10 ? "  OVER" : "");
  std::printf("answers                %8zu      errors %llu (limit 0)\n",
              loaded.milliseconds.size(), static_cast<unsigned long long>(loaded.errors.load()));
  std::printf(
      "memory                 %8.1f MB after 10 s, %.1f MB at the end, %.2f of it (limit 1.1)%s\n",
      early, late, late / early, late / early > 1.1 ? "  OVER" : "");
  return loaded.errors > 0 ? 1 : 0;
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) { return weft::bench::measure(argc > 1 ? std::atoi(argv[1]) : 60); }

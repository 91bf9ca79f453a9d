// The cost of the proxy: the first byte of an answer, and a large one, through `weft record` and
// over
// a direct connection to the same upstream on loopback, measured in turns in the same run.
//
//   bench_record [EXCHANGES] [MEGABYTES]
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

void no_delay(int fd) {
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

const std::string kEvents = [] {
  std::string events =
      "event: message_start\ndata: "
      "{\"type\":\"message_start\",\"message\":{\"id\":\"msg\",\"type\":"
      "\"message\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[]}}\n\n"
      "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,"
      "\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n";
  for (int i = 0; i < 20; ++i) {
    events +=
        "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":"
        "{\"type\":\"text_delta\",\"text\":\"some words and then some more \"}}\n\n";
  }
  return events + "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
}();

// Answers at once: a stream, or as many bytes as the target asks for.
void serve(int client) {
  no_delay(client);
  std::string in;
  std::string piece(65536, '\0');
  const std::string block(1u << 20, 'x');
  for (ssize_t size; (size = ::recv(client, piece.data(), piece.size(), 0)) > 0;) {
    in.append(piece.data(), static_cast<std::size_t>(size));
    const std::size_t end = in.find("\r\n\r\n");
    if (end == std::string::npos) continue;
    const std::size_t at = in.find("Content-Length: ");
    const std::size_t body = at < end ? std::stoul(in.substr(at + 16)) : 0;
    if (in.size() < end + 4 + body) continue;
    const bool is_large = in.starts_with("GET /large/");
    const std::size_t bytes = is_large ? std::stoul(in.substr(11)) : kEvents.size();
    in.erase(0, end + 4 + body);
    write_all(client, fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                                  "Content-Length: {}\r\n\r\n",
                                  bytes) +
                          (is_large ? "" : kEvents));
    for (std::size_t left = is_large ? bytes : 0; left > 0;) {
      const std::size_t part = std::min(left, block.size());
      if (!write_all(client, std::string_view(block).substr(0, part))) break;
      left -= part;
    }
  }
  ::close(client);
}

std::uint16_t start_upstream() {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  ::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address);
  ::listen(listener, 128);
  socklen_t size = sizeof address;
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  std::thread([listener] {
    for (int fd; (fd = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
      std::thread(serve, fd).detach();
    }
  }).detach();
  return ntohs(address.sin_port);
}

struct Proxy {
  pid_t pid = -1;
  std::uint16_t port = 0;
};

Proxy start_proxy(std::uint16_t upstream, const std::string& home) {
  int ends[2];
  if (::pipe(ends) != 0) std::exit(1);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::vector<std::string> words = {
      WEFT_BINARY,   "record",     "--json",
      "--home",      home,         "--listen",
      "127.0.0.1:0", "--upstream", fmt::format("http://127.0.0.1:{}", upstream)};
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  Proxy proxy;
  if (::posix_spawn(&proxy.pid, WEFT_BINARY, &actions, nullptr, pointers.data(), environ) != 0)
    std::exit(1);
  ::close(ends[1]);
  std::string line;
  for (char byte = 0; ::read(ends[0], &byte, 1) == 1 && byte != '\n';) line += byte;
  constexpr std::string_view kUrl = "\"url\":\"http://127.0.0.1:";
  proxy.port = static_cast<std::uint16_t>(std::stoul(line.substr(line.find(kUrl) + kUrl.size())));
  return proxy;
}

int connect_to(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(port);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) std::exit(1);
  no_delay(fd);
  return fd;
}

// Milliseconds until the first byte of the answer; all of it is read.
double first_byte(int fd, const std::string& request, std::size_t answer) {
  std::string piece(65536, '\0');
  const Clock::time_point begin = Clock::now();
  write_all(fd, request);
  double first = 0;
  for (std::size_t got = 0; got < answer;) {
    const ssize_t size = ::recv(fd, piece.data(), piece.size(), 0);
    if (size <= 0) std::exit(1);
    if (got == 0) first = since(begin);
    got += static_cast<std::size_t>(size);
  }
  return first;
}

double megabytes_a_second(std::uint16_t port, std::size_t megabytes) {
  const int fd = connect_to(port);
  const std::size_t bytes = megabytes << 20;
  const Clock::time_point begin = Clock::now();
  first_byte(fd, fmt::format("GET /large/{} HTTP/1.1\r\nHost: a\r\n\r\n", bytes), bytes);
  const double time = since(begin);
  ::close(fd);
  return static_cast<double>(megabytes) / time * 1000;
}

double at(std::vector<double>& times, double part) {
  std::ranges::sort(times);
  return times[static_cast<std::size_t>(part * static_cast<double>(times.size() - 1))];
}

}  // namespace

int main(int argc, char** argv) {
  const int exchanges = argc > 1 ? std::atoi(argv[1]) : 500;
  const auto megabytes = static_cast<std::size_t>(argc > 2 ? std::atoi(argv[2]) : 1024);
  ::signal(SIGPIPE, SIG_IGN);
  std::string home = (std::filesystem::temp_directory_path() / "weft-bench-record-XXXXXX").string();
  if (::mkdtemp(home.data()) == nullptr) return 1;
  const std::uint16_t upstream = start_upstream();
  const Proxy proxy = start_proxy(upstream, home);
  const int direct = connect_to(upstream), through = connect_to(proxy.port);
  std::vector<double> direct_ms, through_ms;
  const std::size_t answer = fmt::format(
                                 "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                                 "Content-Length: {}\r\n\r\n",
                                 kEvents.size())
                                 .size() +
                             kEvents.size();
  for (int i = 0; i < exchanges; ++i) {
    const std::string body =
        fmt::format(R"({{"model":"m","messages":[{{"role":"user","content":"question {}"}}]}})", i);
    const std::string request = fmt::format(
        "POST /v1/messages HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\n\r\n{}", body.size(), body);
    direct_ms.push_back(first_byte(direct, request, answer));
    through_ms.push_back(first_byte(through, request, answer));
  }
  for (const double part : {0.5, 0.99}) {
    const double one = at(direct_ms, part), other = at(through_ms, part);
    fmt::print(
        "first byte p{:.0f}: direct {:.3f} ms, through weft record {:.3f} ms: {:.3f} ms more, "
        "{:.2f} times\n",
        part * 100, one, other, other - one, other / one);
  }
  const double plain = megabytes_a_second(upstream, megabytes);
  const double proxied = megabytes_a_second(proxy.port, megabytes);
  fmt::print("a body of {} MB: direct {:.0f} MB/s, through weft record {:.0f} MB/s: {:.2f} of it\n",
             megabytes, plain, proxied, proxied / plain);
  ::kill(proxy.pid, SIGTERM);
  ::close(direct);
  ::close(through);
  ::waitpid(proxy.pid, nullptr, 0);
  std::filesystem::remove_all(home);
  std::fflush(stdout);
  ::_exit(0);  // the upstream's threads wait for nobody
}

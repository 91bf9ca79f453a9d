#include "stdio_client.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <stdexcept>

namespace weft::test {
namespace {

constexpr int kPatienceMs = 120'000;

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

StdioClient::StdioClient(const std::string& program, const std::vector<std::string>& arguments,
                         const std::map<std::string, std::string>& environment, Stderr err) {
  std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> in{}, out{};
  if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("pipe");
  }
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables;
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  const std::vector<char*> argv = pointers(words), envp = pointers(variables);
  child_ = ::fork();
  if (child_ == 0) {
    ::dup2(in[0], 0);
    ::dup2(out[1], 1);
    if (err == Stderr::closed) {
      ::close(2);
    } else {
      ::dup2(::open("/dev/null", O_WRONLY), 2);
    }
    ::execve(program.c_str(), argv.data(), envp.data());
    ::_exit(127);
  }
  ::close(in[0]);
  ::close(out[1]);
  in_ = in[1];
  out_ = out[0];
  ::fcntl(in_, F_SETFL, O_NONBLOCK);
}

StdioClient::~StdioClient() {
  if (child_ > 0) {
    kill(SIGKILL);
    wait();
  }
  close_stdin();
  ::close(out_);
}

bool StdioClient::read_more() {
  std::array<char, 65536> buffer{};
  pollfd ready{.fd = out_, .events = POLLIN, .revents = 0};
  if (::poll(&ready, 1, kPatienceMs) <= 0) return false;
  const ssize_t got = ::read(out_, buffer.data(), buffer.size());
  if (got <= 0) return false;
  buffered_.append(buffer.data(), static_cast<std::size_t>(got));
  return true;
}

void StdioClient::write(std::string_view bytes) {
  while (!bytes.empty()) {
    std::array<pollfd, 2> ready = {{{.fd = in_, .events = POLLOUT, .revents = 0},
                                    {.fd = out_, .events = POLLIN, .revents = 0}}};
    if (::poll(ready.data(), ready.size(), kPatienceMs) <= 0) break;
    if ((ready[1].revents & POLLIN) != 0 && !read_more()) break;
    if (ready[0].revents == 0) continue;
    const ssize_t put = ::write(in_, bytes.data(), bytes.size());
    if (put < 0 && errno != EAGAIN) return;  // it has ended, which reading detects
    if (put > 0) bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

void StdioClient::send(const json::object& message) { write(canonical_json(message) + "\n"); }

json::object StdioClient::next() {
  std::size_t end = 0;
  while ((end = buffered_.find('\n')) == std::string::npos) {
    if (!read_more()) {
      ADD_FAILURE() << "no line came; so far: " << buffered_.substr(0, 500);
      return {};
    }
  }
  const std::string line = buffered_.substr(0, end);
  buffered_.erase(0, end + 1);
  Result<ParsedJson> parsed = parse_json(line);
  if (!parsed || !parsed->value.is_object()) {
    ADD_FAILURE() << "no JSON object: " << line.substr(0, 500);
    return {};
  }
  return parsed->value.get_object();
}

json::object StdioClient::answer_to(const json::value& id) {
  for (;;) {
    json::object message = next();
    if (message.empty()) return message;
    const json::value* found = find_member(message, "id");
    if (found != nullptr && *found == id && !message.contains("method")) return message;
    others.push_back(std::move(message));
  }
}

std::vector<std::string> StdioClient::rest() {
  while (read_more()) {
  }
  std::vector<std::string> lines;
  for (std::size_t end = 0; (end = buffered_.find('\n')) != std::string::npos;) {
    lines.push_back(buffered_.substr(0, end));
    buffered_.erase(0, end + 1);
  }
  EXPECT_EQ(buffered_, "") << "a torn line";
  return lines;
}

void StdioClient::close_stdin() {
  if (in_ >= 0) ::close(in_);
  in_ = -1;
}

void StdioClient::kill(int signal) const { ::kill(child_, signal); }

int StdioClient::wait() {
  int status = 0;
  ::waitpid(child_, &status, 0);
  child_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

json::object modern_params(json::object params) {
  params["_meta"] = json::object{
      {"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
      {"io.modelcontextprotocol/clientCapabilities", json::object()},
      {"io.modelcontextprotocol/clientInfo", json::object{{"name", "test"}, {"version", "1"}}}};
  return params;
}

}  // namespace weft::test

#include "weft/mcp/transports/stdio.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <mutex>
#include <string>
#include <system_error>

namespace weft::mcp {
namespace {

// Writes whole lines to `out`, from any thread.
class Lines {
 public:
  explicit Lines(int out) : out_(out) {}

  // Does nothing once a write has failed: the client is gone.
  void write(std::string line) {
    line += '\n';
    const std::scoped_lock lock(mutex_);
    for (std::string_view rest = line; !rest.empty() && !is_broken_;) {
      const ssize_t written = ::write(out_, rest.data(), rest.size());
      if (written > 0) {
        rest.remove_prefix(static_cast<std::size_t>(written));
      } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
        pollfd ready{.fd = out_, .events = POLLOUT, .revents = 0};
        ::poll(&ready, 1, -1);
      } else if (errno != EINTR) {
        is_broken_ = true;
      }
    }
  }

  bool is_broken() {
    const std::scoped_lock lock(mutex_);
    return is_broken_;
  }

 private:
  const int out_;
  std::mutex mutex_;
  bool is_broken_ = false;  // guarded by mutex_
};

class LineOutlet final : public Outlet {
 public:
  explicit LineOutlet(std::shared_ptr<Lines> lines) : lines_(std::move(lines)) {}
  void notify(std::string message) override { lines_->write(std::move(message)); }
  void answer(std::string message, Verdict /*verdict*/) override {
    lines_->write(std::move(message));
  }

 private:
  std::shared_ptr<Lines> lines_;
};

// Splits input into lines. Drops a line that is too long, and frees its memory.
class Splitter {
 public:
  template <class Take, class TooLong>
  void push(std::string_view bytes, const Take& take, const TooLong& too_long) {
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      const std::string_view part = bytes.substr(0, end);
      if (!is_skipping_ && line_.size() + part.size() > kMaxLineBytes) {
        is_skipping_ = true;
        line_ = std::string();
        too_long();
      }
      if (!is_skipping_) line_ += part;
      if (end == std::string_view::npos) return;
      bytes.remove_prefix(end + 1);
      if (!is_skipping_) take(std::exchange(line_, {}));
      is_skipping_ = false;
    }
  }
  // The input after the last line end.
  std::string rest() { return is_skipping_ ? std::string() : std::exchange(line_, {}); }

 private:
  std::string line_;
  bool is_skipping_ = false;
};

class Connection {
 public:
  Connection(Server& server, int out)
      : server_(server),
        lines_(std::make_shared<Lines>(out)),
        session_(Session::Keeps::state,
                 [lines = lines_](std::string message) { lines->write(std::move(message)); }) {}

  void take(std::string_view line) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    std::expected<Message, Malformed> message = parse_message(line);
    if (!message) {
      lines_->write(to_error(message.error().id, message.error().error));
      return;
    }
    server_.serve(*std::move(message), session_, std::make_shared<LineOutlet>(lines_));
  }

  void refuse_long_line() {
    lines_->write(
        to_error(nullptr, {code::kInvalidRequest, "the message is too long; a line has at most " +
                                                      std::to_string(kMaxLineBytes) + " bytes"}));
  }

  bool is_broken() { return lines_->is_broken(); }

 private:
  Server& server_;
  std::shared_ptr<Lines> lines_;
  Session session_;
};

}  // namespace

Status serve_stdio(Server& server, int in, int out, int stop) {
  Connection connection(server, out);
  Splitter splitter;
  std::array<char, 64u << 10> buffer{};
  const auto take = [&](const std::string& line) { connection.take(line); };
  const auto too_long = [&] { connection.refuse_long_line(); };
  for (;;) {
    std::array<pollfd, 3> ready = {{{.fd = in, .events = POLLIN, .revents = 0},
                                    {.fd = stop, .events = POLLIN, .revents = 0},
                                    {.fd = out, .events = 0, .revents = 0}}};
    if (::poll(ready.data(), ready.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return fail(ErrorCode::unavailable,
                  "cannot wait for the client: " + std::generic_category().message(errno));
    }
    if (ready[1].revents != 0 || (ready[2].revents & POLLERR) != 0 || connection.is_broken()) {
      server.stop();
      return {};
    }
    if (ready[0].revents == 0) continue;
    const ssize_t got = ::read(in, buffer.data(), buffer.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) continue;
    if (got <= 0) break;
    splitter.push({buffer.data(), static_cast<std::size_t>(got)}, take, too_long);
  }
  if (const std::string rest = splitter.rest(); !rest.empty()) connection.take(rest);
  server.drain();
  server.stop();
  return {};
}

}  // namespace weft::mcp

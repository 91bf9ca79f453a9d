// Passes the answer and the notifications of one HTTP request from the threads of the protocol
// server to the thread of the connections.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "weft/mcp/protocol/server.hpp"

namespace weft::mcp {

// The HTTP status of an answer. A legacy client reads errors from the message alone.
unsigned status_of(Verdict verdict, Era era);

class HttpReply {
 public:
  // Called from any thread when take() has something: once until take() is called, and once more
  // if too much is pending, since the connection may be stuck in a write. It must be quick and must
  // not call back.
  enum class Reason { pending, overfull };
  using Wake = std::function<void(Reason)>;
  HttpReply(Wake wake, std::size_t most_pending_bytes);

  void notify(std::string message);
  void answer(std::string message, Verdict verdict);
  // No answer will come, unless it has come before.
  void drop();

  struct Answer {
    std::string message;
    Verdict verdict = Verdict::served;
  };
  struct Pending {
    std::vector<std::string> notes;  // precede the answer
    std::optional<Answer> answer;
    // The protocol server has dropped the request without an answer: it is stopping.
    bool is_dropped = false;
    // The client is too slow: more notes came than may be pending. The others are lost, so the
    // stream must be closed.
    bool is_overfull = false;
  };
  Pending take();

  // The connection is done: further messages are ignored, and `wake` is not called again.
  void close();

 private:
  void wake_once();  // with mutex_ held

  const std::size_t most_pending_bytes_;
  std::mutex mutex_;
  Wake wake_;                      // guarded by mutex_; empty once closed
  Pending pending_;                // guarded by mutex_
  std::size_t pending_bytes_ = 0;  // guarded by mutex_
  bool is_answered_ = false;       // guarded by mutex_
  bool is_woken_ = false;          // guarded by mutex_; since the last take()
};

// The protocol server's end of a reply. It is destroyed after the answer, or without one if the
// server stops or the request is cancelled.
class HttpOutlet final : public Outlet {
 public:
  explicit HttpOutlet(std::shared_ptr<HttpReply> reply) : reply_(std::move(reply)) {}
  HttpOutlet(const HttpOutlet&) = delete;
  HttpOutlet& operator=(const HttpOutlet&) = delete;
  ~HttpOutlet() override { reply_->drop(); }

  void notify(std::string message) override { reply_->notify(std::move(message)); }
  void answer(std::string message, Verdict verdict) override {
    reply_->answer(std::move(message), verdict);
  }

 private:
  std::shared_ptr<HttpReply> reply_;
};

}  // namespace weft::mcp

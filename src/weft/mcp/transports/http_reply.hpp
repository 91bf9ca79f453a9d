// The way back of one request over HTTP: what the core's threads have to say waits here until the
// thread of the connections takes it.
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
  // Called from any thread when there is something to take: once until it is taken, and once more
  // if too much waits, since who was woken first may be stuck in writing. It is quick, and does
  // not call back.
  enum class Why { something, overfull };
  using Wake = std::function<void(Why)>;
  HttpReply(Wake wake, std::size_t most_waiting_bytes);

  void notify(std::string message);
  void answer(std::string message, Verdict verdict);
  // No answer will come, unless it has.
  void let_go();

  struct Answer {
    std::string message;
    Verdict verdict = Verdict::served;
  };
  struct Waiting {
    std::vector<std::string> notes;  // come before the answer
    std::optional<Answer> answer;
    // The core has let go of it without an answer: it stops.
    bool is_let_go = false;
    // More notes came than may wait, because the client is too slow. The rest of them is lost:
    // close the stream.
    bool is_overfull = false;
  };
  Waiting take();

  // Nobody listens any more: what comes is dropped, and `wake` is not called again.
  void close();

 private:
  void wake_once();  // with mutex_ held

  const std::size_t most_waiting_bytes_;
  std::mutex mutex_;
  Wake wake_;                      // guarded by mutex_; empty once closed
  Waiting waiting_;                // guarded by mutex_
  std::size_t waiting_bytes_ = 0;  // guarded by mutex_
  bool is_answered_ = false;       // guarded by mutex_
  bool is_woken_ = false;          // guarded by mutex_; since the last take
};

// What the core holds of a reply. It lets go of it after the answer, or without one when it stops
// or the request is cancelled.
class HttpOutlet final : public Outlet {
 public:
  explicit HttpOutlet(std::shared_ptr<HttpReply> reply) : reply_(std::move(reply)) {}
  HttpOutlet(const HttpOutlet&) = delete;
  HttpOutlet& operator=(const HttpOutlet&) = delete;
  ~HttpOutlet() override { reply_->let_go(); }

  void notify(std::string message) override { reply_->notify(std::move(message)); }
  void answer(std::string message, Verdict verdict) override {
    reply_->answer(std::move(message), verdict);
  }

 private:
  std::shared_ptr<HttpReply> reply_;
};

}  // namespace weft::mcp

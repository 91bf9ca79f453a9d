// Passes the answer to one HTTP request, and the parts of a stream before it, from the threads that
// compute them to the thread of the connections.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "weft/mcp/protocol/server.hpp"
#include "weft/net/http_response.hpp"
#include "weft/net/site.hpp"

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

  // A part of an event stream.
  void send(std::string part);
  void answer(net::HttpResponse response);
  // No answer will come, unless it has come before.
  void drop();

  struct Pending {
    std::vector<std::string> parts;  // precede the answer
    std::optional<net::HttpResponse> answer;
    // The request was dropped without an answer: the server is stopping.
    bool is_dropped = false;
    // The client is too slow: more parts came than may be pending. The others are lost, so the
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
  HttpOutlet(std::shared_ptr<HttpReply> reply, Era era) : reply_(std::move(reply)), era_(era) {}
  HttpOutlet(const HttpOutlet&) = delete;
  HttpOutlet& operator=(const HttpOutlet&) = delete;
  ~HttpOutlet() override { reply_->drop(); }

  void notify(std::string message) override { reply_->send(net::to_event(message)); }
  void answer(std::string message, Verdict verdict) override {
    reply_->answer({.status = status_of(verdict, era_), .body = std::move(message)});
  }

 private:
  std::shared_ptr<HttpReply> reply_;
  Era era_;
};

// The end of a reply at a site's question.
class HttpSiteOutlet final : public net::SiteOutlet {
 public:
  explicit HttpSiteOutlet(std::shared_ptr<HttpReply> reply) : reply_(std::move(reply)) {}
  HttpSiteOutlet(const HttpSiteOutlet&) = delete;
  HttpSiteOutlet& operator=(const HttpSiteOutlet&) = delete;
  ~HttpSiteOutlet() override { reply_->drop(); }

  void send(std::string part) override { reply_->send(std::move(part)); }
  void respond(net::HttpResponse response) override { reply_->answer(std::move(response)); }

 private:
  std::shared_ptr<HttpReply> reply_;
};

}  // namespace weft::mcp

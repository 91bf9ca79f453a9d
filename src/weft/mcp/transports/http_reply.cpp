#include "weft/mcp/transports/http_reply.hpp"

#include <utility>

namespace weft::mcp {

unsigned status_of(Verdict verdict, Era era) {
  if (era == Era::legacy || verdict == Verdict::served) return 200;
  return verdict == Verdict::no_such_method ? 404 : 400;
}

HttpReply::HttpReply(Wake wake, std::size_t most_waiting_bytes)
    : most_waiting_bytes_(most_waiting_bytes), wake_(std::move(wake)) {}

void HttpReply::notify(std::string message) {
  const std::lock_guard lock(mutex_);
  if (!wake_ || waiting_.is_overfull) return;
  if (waiting_bytes_ + message.size() > most_waiting_bytes_) {
    waiting_.is_overfull = true;
    wake_(Why::overfull);
    return;
  }
  waiting_bytes_ += message.size();
  waiting_.notes.push_back(std::move(message));
  wake_once();
}

void HttpReply::answer(std::string message, Verdict verdict) {
  const std::lock_guard lock(mutex_);
  if (!wake_) return;
  waiting_.answer = Answer{std::move(message), verdict};
  is_answered_ = true;
  wake_once();
}

void HttpReply::let_go() {
  const std::lock_guard lock(mutex_);
  if (!wake_ || is_answered_) return;
  waiting_.is_let_go = true;
  wake_once();
}

HttpReply::Waiting HttpReply::take() {
  const std::lock_guard lock(mutex_);
  is_woken_ = false;
  waiting_bytes_ = 0;
  return std::exchange(waiting_, {});
}

void HttpReply::close() {
  const std::lock_guard lock(mutex_);
  wake_ = nullptr;
  waiting_ = {};
}

void HttpReply::wake_once() {
  if (!std::exchange(is_woken_, true)) wake_(Why::something);
}

}  // namespace weft::mcp

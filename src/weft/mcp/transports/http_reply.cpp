#include "weft/mcp/transports/http_reply.hpp"

#include <utility>

namespace weft::mcp {

unsigned status_of(Verdict verdict, Era era) {
  if (era == Era::legacy || verdict == Verdict::served) return 200;
  return verdict == Verdict::no_such_method ? 404 : 400;
}

HttpReply::HttpReply(Wake wake, std::size_t most_pending_bytes)
    : most_pending_bytes_(most_pending_bytes), wake_(std::move(wake)) {}

void HttpReply::send(std::string part) {
  const std::lock_guard lock(mutex_);
  if (!wake_ || pending_.is_overfull) return;
  if (pending_bytes_ + part.size() > most_pending_bytes_) {
    pending_.is_overfull = true;
    wake_(Reason::overfull);
    return;
  }
  pending_bytes_ += part.size();
  pending_.parts.push_back(std::move(part));
  wake_once();
}

void HttpReply::answer(net::HttpResponse response) {
  const std::lock_guard lock(mutex_);
  if (!wake_) return;
  pending_.answer = std::move(response);
  is_answered_ = true;
  wake_once();
}

void HttpReply::drop() {
  const std::lock_guard lock(mutex_);
  if (!wake_ || is_answered_) return;
  pending_.is_dropped = true;
  wake_once();
}

HttpReply::Pending HttpReply::take() {
  const std::lock_guard lock(mutex_);
  is_woken_ = false;
  pending_bytes_ = 0;
  return std::exchange(pending_, {});
}

void HttpReply::close() {
  const std::lock_guard lock(mutex_);
  wake_ = nullptr;
  pending_ = {};
}

void HttpReply::wake_once() {
  if (!std::exchange(is_woken_, true)) wake_(Reason::pending);
}

}  // namespace weft::mcp

#include "weft/mcp/transports/body_budget.hpp"

namespace weft::mcp {

BodyBudget::Share::~Share() {
  if (counted_ == 0) return;
  budget_.used_ -= counted_;
  const auto client = budget_.by_client_.find(client_);
  if ((client->second -= counted_) == 0) budget_.by_client_.erase(client);
  if (budget_.on_large_released_) budget_.on_large_released_();
}

bool BodyBudget::Share::grow(std::size_t body_bytes) {
  if (body_bytes <= kFreeBytes + counted_) return true;
  const std::size_t more = body_bytes - kFreeBytes - counted_;
  const auto client = budget_.by_client_.find(client_);
  const std::size_t of_client = client == budget_.by_client_.end() ? 0 : client->second;
  if (more > budget_.most_bytes_ - budget_.used_) return false;
  if (of_client + more > budget_.most_bytes_ / 2) return false;
  budget_.used_ += more;
  budget_.by_client_[client_] += more;
  counted_ += more;
  return true;
}

}  // namespace weft::mcp

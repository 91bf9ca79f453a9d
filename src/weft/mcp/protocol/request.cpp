#include "weft/mcp/protocol/request.hpp"

namespace weft::mcp {

Request::Request(Message message, Client client, std::shared_ptr<Outlet> outlet,
                 std::function<void(const Request&)> ended)
    : message_(std::move(message)),
      client_(std::move(client)),
      outlet_(std::move(outlet)),
      ended_(std::move(ended)) {}

void Request::notify(std::string_view method, json::object params) {
  std::string text = to_notification(method, std::move(params));
  const std::scoped_lock lock(mutex_);
  if (outlet_) outlet_->notify(std::move(text));
}

void Request::answer(json::object result) {
  close(to_response(message_.id, std::move(result)), Verdict::served);
}

void Request::reject(const RpcError& error, Verdict verdict) {
  close(to_error(message_.id, error), verdict);
}

void Request::cancel() {
  stop_.request_stop();
  {
    const std::scoped_lock lock(mutex_);
    if (!outlet_) return;
    outlet_.reset();
  }
  ended_(*this);
}

void Request::close(std::string text, Verdict verdict) {
  {
    const std::scoped_lock lock(mutex_);
    if (!outlet_) return;
    outlet_->answer(std::move(text), verdict);
    outlet_.reset();
  }
  ended_(*this);
}

}  // namespace weft::mcp

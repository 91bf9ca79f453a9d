#include "weft/capture/proxy/exchange_tap.hpp"

#include <utility>

namespace weft::capture {

using Next = net::HttpFollower::Next;

ExchangeTap::ExchangeTap(Target target, OpenListener open_listener, FindRefusal find_refusal)
    : target_(std::move(target)),
      open_listener_(std::move(open_listener)),
      find_refusal_(std::move(find_refusal)),
      requests_(net::HttpFollower::Side::request, request_listener_, kMostHeadBytes),
      responses_(net::HttpFollower::Side::response, response_listener_, kMostHeadBytes) {}

std::size_t ExchangeTap::from_client(std::string_view bytes, std::string& to_upstream) {
  to_upstream_ = &to_upstream;
  const std::size_t used = is_refused_ ? bytes.size() : requests_.push(bytes);
  to_upstream_ = nullptr;
  return used;
}

void ExchangeTap::from_upstream(std::string_view bytes) { responses_.push(bytes); }

void ExchangeTap::close_upstream() {
  responses_.close();
  cut(ExchangeEnd::upstream_gone);
}

void ExchangeTap::cut(ExchangeEnd end) {
  for (Exchange& exchange : exchanges_) {
    if (exchange.listener) std::exchange(exchange.listener, nullptr)->end(end);
  }
  exchanges_.clear();
}

bool ExchangeTap::is_busy() const {
  return is_tunnel_ || !exchanges_.empty() || requests_.is_within() || responses_.is_within();
}

// Exchanges before it are answered, but their requests are not complete.
ExchangeTap::Exchange* ExchangeTap::find_unanswered() {
  for (Exchange& exchange : exchanges_) {
    if (!exchange.is_response_complete) return &exchange;
  }
  return nullptr;
}

// A response may end before its request: then the exchange ends with the request.
void ExchangeTap::remove_complete() {
  while (!exchanges_.empty() && exchanges_.front().is_request_complete &&
         exchanges_.front().is_response_complete) {
    std::unique_ptr<ExchangeListener> listener = std::move(exchanges_.front().listener);
    exchanges_.pop_front();
    if (listener) listener->end(ExchangeEnd::complete);
  }
}

Next ExchangeTap::Requests::on_head(const net::MessageHead& head) {
  if (tap.find_refusal_) {
    if (std::optional<std::string> reason = tap.find_refusal_(head)) {
      tap.is_refused_ = true;
      tap.refusal_ = *std::move(reason);
      return Next::tunnel;  // nothing behind it is read as a request
    }
  }
  tap.exchanges_.push_back(
      {.is_head_request = head.method() == "HEAD", .listener = tap.open_listener_(head)});
  *tap.to_upstream_ += head.retargeted(tap.target_.host, tap.target_.prefix);
  return Next::declared_body;
}

void ExchangeTap::Requests::on_raw(std::string_view bytes) {
  if (!tap.is_refused_) *tap.to_upstream_ += bytes;
}

void ExchangeTap::Requests::on_body(std::string_view bytes) {
  if (tap.exchanges_.empty()) return;
  ExchangeListener* listener = tap.exchanges_.back().listener.get();
  if (listener != nullptr) listener->request_body(bytes);
}

void ExchangeTap::Requests::on_end() {
  if (tap.exchanges_.empty()) return;
  Exchange& exchange = tap.exchanges_.back();
  exchange.is_request_complete = true;
  if (exchange.listener) exchange.listener->request_end();
  tap.remove_complete();
}

void ExchangeTap::Requests::on_invalid() { tap.is_refused_ = true; }

Next ExchangeTap::Responses::on_head(const net::MessageHead& head) {
  if (head.status() == 101) {
    tap.is_tunnel_ = true;
    tap.requests_.tunnel();
    tap.cut(ExchangeEnd::not_understood);
    return Next::tunnel;
  }
  if (head.status() < 200) return Next::declared_body;
  Exchange* exchange = tap.find_unanswered();
  if (exchange == nullptr) return Next::declared_body;
  if (exchange->listener) exchange->listener->response_head(head);
  return exchange->is_head_request ? Next::no_body : Next::declared_body;
}

void ExchangeTap::Responses::on_body(std::string_view bytes) {
  Exchange* exchange = tap.find_unanswered();
  if (exchange != nullptr && exchange->listener) exchange->listener->response_body(bytes);
}

void ExchangeTap::Responses::on_end() {
  if (Exchange* exchange = tap.find_unanswered()) exchange->is_response_complete = true;
  tap.remove_complete();
}

void ExchangeTap::Responses::on_invalid() {
  tap.has_invalid_response_ = true;
  tap.cut(ExchangeEnd::not_understood);
}

}  // namespace weft::capture

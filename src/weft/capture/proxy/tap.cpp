#include "weft/capture/proxy/tap.hpp"

#include <utility>

namespace weft::capture {

using Behind = net::HttpFollower::Behind;

Tap::Tap(Target target, Listen listen, FindRefusal find_refusal)
    : target_(std::move(target)),
      listen_(std::move(listen)),
      find_refusal_(std::move(find_refusal)),
      requests_(net::HttpFollower::Side::request, request_listener_, kMostHeadBytes),
      responses_(net::HttpFollower::Side::response, response_listener_, kMostHeadBytes) {}

void Tap::from_client(std::string_view bytes, std::string& to_upstream) {
  to_upstream_ = &to_upstream;
  if (!is_refused_) requests_.push(bytes);
  to_upstream_ = nullptr;
}

void Tap::from_upstream(std::string_view bytes) { responses_.push(bytes); }

void Tap::close_upstream() {
  responses_.close();
  cut(How::upstream_gone);
}

void Tap::cut(How how) {
  for (Exchange& exchange : exchanges_) {
    if (exchange.listener) std::exchange(exchange.listener, nullptr)->end(how);
  }
  exchanges_.clear();
}

bool Tap::is_busy() const {
  return is_tunnel_ || !exchanges_.empty() || requests_.is_within() || responses_.is_within();
}

// An answer may come before its request has ended: then the exchange is over with the request.
void Tap::drop_done() {
  while (!exchanges_.empty() && exchanges_.front().is_asked && exchanges_.front().is_answered) {
    std::unique_ptr<ExchangeListener> listener = std::move(exchanges_.front().listener);
    exchanges_.pop_front();
    if (listener) listener->end(How::whole);
  }
}

Behind Tap::Requests::on_head(const net::MessageHead& head) {
  if (tap.find_refusal_) {
    if (std::optional<std::string> reason = tap.find_refusal_(head)) {
      tap.is_refused_ = true;
      tap.refusal_ = *std::move(reason);
      return Behind::tunnel;  // its body is no request, whatever it looks like
    }
  }
  tap.exchanges_.push_back({.is_head = head.method() == "HEAD", .listener = tap.listen_(head)});
  *tap.to_upstream_ += head.retargeted(tap.target_.host, tap.target_.prefix);
  return Behind::as_said;
}

void Tap::Requests::on_raw(std::string_view bytes) {
  if (!tap.is_refused_) *tap.to_upstream_ += bytes;
}

void Tap::Requests::on_body(std::string_view bytes) {
  if (tap.exchanges_.empty()) return;
  if (ExchangeListener* listener = tap.exchanges_.back().listener.get())
    listener->request_body(bytes);
}

void Tap::Requests::on_end() {
  if (tap.exchanges_.empty()) return;
  Exchange& exchange = tap.exchanges_.back();
  exchange.is_asked = true;
  if (exchange.listener) exchange.listener->request_end();
  tap.drop_done();
}

void Tap::Requests::on_lost() { tap.is_refused_ = true; }

Behind Tap::Responses::on_head(const net::MessageHead& head) {
  if (head.status() == 101) {
    tap.is_tunnel_ = true;
    tap.requests_.tunnel();
    tap.cut(How::not_understood);
    return Behind::tunnel;
  }
  if (head.status() < 200 || tap.exchanges_.empty()) return Behind::as_said;
  // Those before it that are answered wait for the end of their requests.
  for (Exchange& exchange : tap.exchanges_) {
    if (exchange.is_answered) continue;
    if (exchange.listener) exchange.listener->response_head(head);
    return exchange.is_head ? Behind::nothing : Behind::as_said;
  }
  return Behind::as_said;
}

void Tap::Responses::on_body(std::string_view bytes) {
  for (Exchange& exchange : tap.exchanges_) {
    if (exchange.is_answered) continue;
    if (exchange.listener) exchange.listener->response_body(bytes);
    return;
  }
}

void Tap::Responses::on_end() {
  for (Exchange& exchange : tap.exchanges_) {
    if (exchange.is_answered) continue;
    exchange.is_answered = true;
    break;
  }
  tap.drop_done();
}

void Tap::Responses::on_lost() {
  tap.is_lost_ = true;
  tap.cut(How::not_understood);
}

}  // namespace weft::capture

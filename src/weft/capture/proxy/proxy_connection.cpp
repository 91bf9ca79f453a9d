#include "weft/capture/proxy/proxy_connection.hpp"

#include <fmt/format.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <utility>

#include "weft/capture/proxy/admission.hpp"

// g++ 12 inlines one half of how Asio makes and frees the frames of coroutines, and then takes the
// halves for a mismatch.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

namespace weft::capture {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kPieceBytes = 64u << 10;
// What a client still sends is read for so long after the last answer, so that the answer is not
// lost in the reset that closing on unread bytes would be.
constexpr std::chrono::milliseconds kLingerTime = 2s;

auto into(error_code& error) { return asio::redirect_error(asio::use_awaitable, error); }

std::string refusal(int status, std::string_view words, std::string_view why) {
  const std::string body = fmt::format(
      R"({{"type":"error","error":{{"type":"api_error","message":"weft record: {}"}}}})", why);
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n"
      "Connection: close\r\n\r\n{}",
      status, words, body.size(), body);
}

std::string local_address(const tcp::socket& socket) {
  error_code ignored;
  return net::address_of(socket.local_endpoint(ignored));
}

}  // namespace

ProxyConnection::ProxyConnection(tcp::socket client, ProxyState& state)
    : net::Connection(state.acceptor),
      state_(state),
      client_(std::move(client)),
      upstream_(state.upstreams.make(state.acceptor.io())),
      timer_(state.acceptor.io()),
      tap_({.host = state.options.upstream.authority(), .prefix = state.options.upstream.prefix},
           state.options.listen,
           [this, local = local_address(client_)](const net::MessageHead& head) {
             return find_refusal(head, state_.hosts, local);
           }) {
  error_code ignored;
  client_.set_option(tcp::no_delay(true), ignored);
  client_.set_option(asio::socket_base::keep_alive(true), ignored);
}

ProxyConnection::Awaitable<> ProxyConnection::run() {
  const std::shared_ptr<ProxyConnection> self = shared_from_this();
  Status connected = co_await upstream_->connect();
  if (!connected) {
    co_await refuse_unreached(connected.error().message);
    co_return;
  }
  asio::co_spawn(
      state_.acceptor.io(), [self] { return self->pass_down(); }, [](const std::exception_ptr&) {});
  co_await pass_up();
}

void ProxyConnection::close(How how) {
  if (is_closed_) return;
  is_closed_ = true;
  tap_.cut(how);
  error_code ignored;
  client_.close(ignored);
  upstream_->close();
  timer_.cancel();
}

void ProxyConnection::stop() {
  if (!tap_.is_busy()) close(How::whole);
}

void ProxyConnection::abandon() { close(How::client_gone); }

ProxyConnection::Awaitable<> ProxyConnection::pass_up() {
  std::array<char, kPieceBytes> piece;
  std::string out;
  bool is_deaf = false;  // the upstream takes no more; its answer may still come
  while (!is_closed_) {
    error_code error;
    const std::size_t size = co_await client_.async_read_some(asio::buffer(piece), into(error));
    if (size == 0 || error) break;
    if (is_deaf || is_ending_) continue;
    out.clear();
    tap_.from_client({piece.data(), size}, out);
    if (tap_.is_refused()) {
      co_await refuse();
      co_return;
    }
    if (!out.empty() && !co_await upstream_->write(out)) is_deaf = true;
  }
  close(How::client_gone);
}

ProxyConnection::Awaitable<> ProxyConnection::pass_down() {
  const std::shared_ptr<ProxyConnection> self = shared_from_this();
  std::array<char, kPieceBytes> piece;
  Upstream::End end = Upstream::End::none;
  while (!is_closed_ && end == Upstream::End::none) {
    const std::size_t size = co_await upstream_->read(piece, end);
    if (is_closed_) co_return;
    if (size == 0) continue;
    // It is written down before it goes on: what the client was given is never lost.
    tap_.from_upstream({piece.data(), size});
    note_what_is_lost();
    error_code error;
    const asio::const_buffer bytes(piece.data(), size);
    co_await asio::async_write(client_, bytes, into(error));
    if (error) {
      close(How::client_gone);
      co_return;
    }
    if (state_.acceptor.is_stopping() && !tap_.is_busy()) break;
  }
  co_await end_down(end);
}

ProxyConnection::Awaitable<> ProxyConnection::end_down(Upstream::End end) {
  if (is_closed_) co_return;
  const bool is_torn = end == Upstream::End::broken && tap_.ends_with_connection();
  const bool is_idle = !tap_.is_busy();
  if (is_torn) tap_.cut(How::upstream_gone);
  else tap_.close_upstream();
  is_ending_ = true;
  error_code ignored;
  if (is_torn) {
    // That it is not whole shows in nothing but this.
    client_.set_option(asio::socket_base::linger(true, 0), ignored);
    close(How::upstream_gone);
    co_return;
  }
  if (is_idle) {
    // Nothing is on its way: the client finds out at once, as it would without us.
    close(How::whole);
    co_return;
  }
  client_.shutdown(asio::socket_base::shutdown_send, ignored);
  timer_.expires_after(kLingerTime);
  co_await timer_.async_wait(into(ignored));
  close(How::upstream_gone);
}

void ProxyConnection::note_what_is_lost() {
  if (was_noted_ || !(tap_.is_lost() || tap_.is_tunnel())) return;
  was_noted_ = true;
  state_.options.note(tap_.is_tunnel()
                          ? "a connection was upgraded: what it says passes unrecorded"
                          : "an answer is not understood: it passes as it is, unrecorded");
}

ProxyConnection::Awaitable<> ProxyConnection::refuse() {
  const bool is_http = !tap_.refusal().empty();
  state_.options.note(is_http ? "a request was refused: " + tap_.refusal()
                              : "what a client sent is not understood, and was refused");
  if (tap_.is_answering()) {  // there is no room for another answer
    close(How::not_understood);
    co_return;
  }
  tap_.cut(How::not_understood);
  // Named, because g++ 12 destroys temporaries of a conditional inside co_await twice.
  std::string answer = is_http ? refusal(403, "Forbidden", tap_.refusal())
                               : refusal(400, "Bad Request", "this is no HTTP/1 request");
  co_await answer_and_close(std::move(answer));
}

ProxyConnection::Awaitable<> ProxyConnection::refuse_unreached(std::string why) {
  state_.options.note("the upstream cannot be reached: " + why);
  std::array<char, kPieceBytes> piece;
  error_code error;
  std::string nowhere;
  while (!error && !tap_.is_busy() && !is_closed_) {
    const std::size_t size = co_await client_.async_read_some(asio::buffer(piece), into(error));
    nowhere.clear();
    tap_.from_client({piece.data(), size}, nowhere);
    if (size == 0 || tap_.is_refused()) break;
  }
  if (!tap_.refusal().empty()) {
    co_await refuse();
    co_return;
  }
  tap_.cut(How::upstream_gone);
  if (!error)
    co_await answer_and_close(refusal(502, "Bad Gateway", "the upstream cannot be reached"));
  close(How::client_gone);
}

ProxyConnection::Awaitable<> ProxyConnection::answer_and_close(std::string answer) {
  error_code error;
  const asio::const_buffer bytes(answer.data(), answer.size());
  co_await asio::async_write(client_, bytes, into(error));
  client_.shutdown(asio::socket_base::shutdown_send, error);
  timer_.expires_after(kLingerTime);
  const std::shared_ptr<ProxyConnection> self = shared_from_this();
  timer_.async_wait([self](const error_code& cancelled) {
    if (!cancelled) self->close(How::client_gone);
  });
  std::array<char, 4096> unread;
  error.clear();
  while (!error && !is_closed_) {
    co_await client_.async_read_some(asio::buffer(unread), into(error));
  }
  close(How::client_gone);
}

}  // namespace weft::capture

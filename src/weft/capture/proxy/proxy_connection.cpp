#include "weft/capture/proxy/proxy_connection.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <utility>

#include "weft/capture/proxy/admission.hpp"
#include "weft/net/await.hpp"

// g++ 12 inlines only the allocation of Asio's coroutine frames, not their release, and then warns
// of a mismatch.
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
// The client's bytes are read this long after the last response: closing on unread bytes would
// reset the connection, and the client would lose the response.
constexpr std::chrono::milliseconds kLingerTime = 2s;

// How often a client that is not read from is looked at: it may have gone.
constexpr std::chrono::milliseconds kLookTime = 500ms;

// Whether the client has closed neither half of its connection, also with bytes left to read.
bool is_open(tcp::socket& socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  return ::getsockopt(socket.native_handle(), IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
         info.tcpi_state == TCP_ESTABLISHED;
}

std::string refusal(int status, std::string_view phrase, std::string_view why) {
  const std::string body = fmt::format(
      R"({{"type":"error","error":{{"type":"api_error","message":"weft record: {}"}}}})", why);
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n"
      "Connection: close\r\n\r\n{}",
      status, phrase, body.size(), body);
}

std::string local_address(const tcp::socket& socket) {
  error_code ignored;
  return net::address_of(socket.local_endpoint(ignored));
}

}  // namespace

ProxyConnection::ProxyConnection(tcp::socket client, net::Peer peer, ProxyState& state)
    : net::Connection(state.acceptor, std::move(peer)),
      state_(state),
      client_(std::move(client)),
      upstream_(state.upstreams.make(state.acceptor.io())),
      timer_(state.acceptor.io()),
      room_timer_(state.acceptor.io()),
      tap_({.host = state.options.upstream.authority(), .prefix = state.options.upstream.prefix},
           state.options.open_listener,
           [this, local = local_address(client_)](const net::MessageHead& head) {
             return find_refusal(head, state_.hosts, state_.options.origins, local);
           }) {
  error_code ignored;
  client_.set_option(tcp::no_delay(true), ignored);
  client_.set_option(asio::socket_base::keep_alive(true), ignored);
}

ProxyConnection::Awaitable<> ProxyConnection::run() {
  const std::shared_ptr<ProxyConnection> self = shared_from_this();
  if (!is_admitted()) {
    co_await refuse_peer();
    co_return;
  }
  Status connected = co_await upstream_->connect();
  if (!connected) {
    co_await refuse_unreached(connected.error().message);
    co_return;
  }
  asio::co_spawn(
      state_.acceptor.io(), [self] { return self->pass_down(); }, [](const std::exception_ptr&) {});
  co_await pass_up();
}

void ProxyConnection::close(ExchangeEnd end) {
  if (is_closed_) return;
  is_closed_ = true;
  tap_.cut(end);
  error_code ignored;
  client_.close(ignored);
  upstream_->close();
  timer_.cancel();
  room_timer_.cancel();
}

std::optional<std::chrono::steady_clock::time_point> ProxyConnection::waiting_since() const {
  if (is_closed_ || tap_.is_busy()) return std::nullopt;
  return last_byte_;
}

bool ProxyConnection::is_admitted() const {
  return state_.options.admits_others || peer().is_own_user;
}

void ProxyConnection::stop() {
  if (!tap_.is_busy()) close(ExchangeEnd::complete);
}

void ProxyConnection::abandon() { close(ExchangeEnd::client_gone); }

ProxyConnection::Awaitable<> ProxyConnection::pass_up() {
  std::array<char, kPieceBytes> piece;
  while (!is_closed_) {
    error_code error;
    const std::size_t size =
        co_await client_.async_read_some(asio::buffer(piece), net::into(error));
    if (size == 0 || error) break;
    last_byte_ = std::chrono::steady_clock::now();
    const std::string_view bytes(piece.data(), size);
    if (!co_await pass_piece(bytes)) break;
  }
  close(ExchangeEnd::client_gone);
}

ProxyConnection::Awaitable<bool> ProxyConnection::pass_piece(std::string_view piece) {
  std::string out;
  while (!piece.empty() && !has_failed_ && !is_ending_ && !is_closed_) {
    out.clear();
    piece.remove_prefix(tap_.from_client(piece, out));
    if (tap_.is_refused()) {
      co_await refuse();
      co_return false;
    }
    if (!out.empty() && !co_await upstream_->write(out)) has_failed_ = true;
    if (!piece.empty() && !co_await await_room()) co_return false;
  }
  co_return true;
}

// Nothing is read from the client meanwhile, so that it waits as well.
ProxyConnection::Awaitable<bool> ProxyConnection::await_room() {
  while (!tap_.has_room() && !is_ending_ && !is_closed_) {
    if (!is_open(client_)) co_return false;
    error_code ignored;
    room_timer_.expires_after(kLookTime);
    co_await room_timer_.async_wait(net::into(ignored));
  }
  co_return !is_closed_;
}

ProxyConnection::Awaitable<> ProxyConnection::pass_down() {
  const std::shared_ptr<ProxyConnection> self = shared_from_this();
  std::array<char, kPieceBytes> piece;
  Upstream::End end = Upstream::End::none;
  while (!is_closed_ && end == Upstream::End::none) {
    const std::size_t size = co_await upstream_->read(piece, end);
    if (is_closed_) co_return;
    if (size == 0) continue;
    // It is in the journal before it is passed on: what the client received is never lost.
    tap_.from_upstream({piece.data(), size});
    last_byte_ = std::chrono::steady_clock::now();
    room_timer_.cancel();
    note_unrecorded();
    error_code error;
    const asio::const_buffer bytes(piece.data(), size);
    co_await asio::async_write(client_, bytes, net::into(error));
    if (error) {
      close(ExchangeEnd::client_gone);
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
  if (is_torn) tap_.cut(ExchangeEnd::upstream_gone);
  else tap_.close_upstream();
  is_ending_ = true;
  room_timer_.cancel();
  error_code ignored;
  if (is_torn) {
    // Only a reset tells the client that the response is incomplete.
    client_.set_option(asio::socket_base::linger(true, 0), ignored);
    close(ExchangeEnd::upstream_gone);
    co_return;
  }
  if (is_idle) {
    // Nothing is under way: the client notices at once, as it would without the proxy.
    close(ExchangeEnd::complete);
    co_return;
  }
  client_.shutdown(asio::socket_base::shutdown_send, ignored);
  timer_.expires_after(kLingerTime);
  co_await timer_.async_wait(net::into(ignored));
  close(ExchangeEnd::upstream_gone);
}

void ProxyConnection::note_unrecorded() {
  if (was_noted_ || !(tap_.has_invalid_response() || tap_.is_tunnel())) return;
  was_noted_ = true;
  state_.options.note(
      tap_.is_tunnel()
          ? "a connection was upgraded to another protocol: it goes through unrecorded"
          : "an answer of the upstream is not understood, because it is not HTTP/1: it goes "
            "through unrecorded");
}

ProxyConnection::Awaitable<> ProxyConnection::refuse() {
  const bool is_http = !tap_.refusal().empty();
  state_.options.note(
      is_http ? "a request was refused: " + tap_.refusal()
              : "a request was refused: it is not understood, because it is not HTTP/1");
  if (tap_.is_answering()) {  // another response cannot be inserted
    close(ExchangeEnd::not_understood);
    co_return;
  }
  tap_.cut(ExchangeEnd::not_understood);
  // Named, because g++ 12 destroys temporaries of a conditional inside co_await twice.
  std::string answer = is_http
                           ? refusal(403, "Forbidden", tap_.refusal())
                           : refusal(400, "Bad Request", "the request is not HTTP/1; use HTTP/1.1");
  co_await answer_and_close(std::move(answer));
}

ProxyConnection::Awaitable<> ProxyConnection::refuse_peer() {
  state_.options.note(
      "a connection was refused: it comes from a program of another user; weft record "
      "--allow-remote accepts others");
  co_await answer_and_close(
      refusal(403, "Forbidden",
              "this proxy is for programs of the user who runs it; run weft record yourself, or "
              "have it started with --allow-remote"));
}

ProxyConnection::Awaitable<> ProxyConnection::refuse_unreached(std::string why) {
  state_.options.note(
      fmt::format("cannot reach the upstream {}: {}; check --upstream and the network",
                  state_.options.upstream.authority(), why));
  std::array<char, kPieceBytes> piece;
  error_code error;
  std::string discarded;
  while (!error && !tap_.is_busy() && !is_closed_) {
    const std::size_t size =
        co_await client_.async_read_some(asio::buffer(piece), net::into(error));
    discarded.clear();
    tap_.from_client({piece.data(), size}, discarded);
    if (size == 0 || tap_.is_refused()) break;
  }
  if (!tap_.refusal().empty()) {
    co_await refuse();
    co_return;
  }
  tap_.cut(ExchangeEnd::upstream_gone);
  if (!error)
    co_await answer_and_close(
        refusal(502, "Bad Gateway", "cannot reach the upstream; see the messages of weft record"));
  close(ExchangeEnd::client_gone);
}

ProxyConnection::Awaitable<> ProxyConnection::answer_and_close(std::string answer) {
  error_code error;
  const asio::const_buffer bytes(answer.data(), answer.size());
  co_await asio::async_write(client_, bytes, net::into(error));
  client_.shutdown(asio::socket_base::shutdown_send, error);
  timer_.expires_after(kLingerTime);
  const std::shared_ptr<ProxyConnection> self = shared_from_this();
  timer_.async_wait([self](const error_code& cancelled) {
    if (!cancelled) self->close(ExchangeEnd::client_gone);
  });
  std::array<char, 4096> unread;
  error.clear();
  while (!error && !is_closed_) {
    co_await client_.async_read_some(asio::buffer(unread), net::into(error));
  }
  close(ExchangeEnd::client_gone);
}

}  // namespace weft::capture

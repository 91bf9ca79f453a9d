#include "weft/mcp/transports/http_connection.hpp"

#include <boost/asio/buffer.hpp>

#include "weft/net/await.hpp"

namespace weft::mcp {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

// Read ahead at most while a request is served.
constexpr std::size_t kMostAheadBytes = 64u << 10;
// A refused upload is read for a moment longer: closing on unread bytes would reset the connection,
// and the client would lose the refusal.
constexpr std::chrono::milliseconds kLingerTime{1'000};
constexpr std::size_t kMostLingerBytes = 1u << 20;

const net::HttpRefusal kLongChunkHead{
    400, "a chunk extension is too long; send chunks without extensions"};
const net::HttpRefusal kTooLate{408, "the request took too long to arrive; send it again"};
const net::HttpRefusal kNoRoom{
    503, "too many long messages are under way; try again in a moment", {{"Retry-After", "1"}}};
const net::HttpRefusal kStopping{503, "the server is stopping; try again once it has restarted"};

}  // namespace

HttpConnection::HttpConnection(Socket socket, net::Peer peer, ServerState& state)
    : net::Connection(state.acceptor, std::move(peer)),
      state_(state),
      socket_(std::move(socket)),
      wake_timer_(socket_.get_executor()),
      deadline_(socket_.get_executor()),
      client_(net::Connection::peer().client()) {
  error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  socket_.set_option(asio::socket_base::keep_alive(true), ignored);
  local_ = net::address_of(socket_.local_endpoint(ignored));
}

HttpConnection::Awaitable<> HttpConnection::run() {
  const std::shared_ptr<HttpConnection> self = shared_from_this();
  while (co_await serve_one()) {
  }
  clear_deadline();
  error_code ignored;
  socket_.close(ignored);
}

void HttpConnection::stop() {
  error_code ignored;
  if (is_reading_) socket_.cancel(ignored);
}

void HttpConnection::abandon() {
  is_abandoned_ = true;
  error_code ignored;
  socket_.cancel(ignored);
  wake();
}

std::optional<std::chrono::steady_clock::time_point> HttpConnection::waiting_since() const {
  if (!is_reading_ || is_abandoned_) return std::nullopt;
  return last_byte_;
}

HttpConnection::Awaitable<bool> HttpConnection::serve_one() {
  const HttpOptions& options = state_.options;
  net::RequestReader reader(options.most_header_bytes, options.most_body_bytes);
  set_deadline(options.idle_time);
  while (!reader.has_head() && !reader.refusal()) {
    if (!co_await read(reader)) co_return false;
  }
  if (reader.refusal()) co_return co_await refuse(reader, *reader.refusal());
  const Caller caller{.local = local_, .is_own_user = peer().is_own_user};
  const std::expected<Admitted, net::HttpRefusal> admitted =
      admit(reader.head(), state_.rules, caller);
  if (!admitted) co_return co_await refuse(reader, admitted.error());

  if (!reader.is_complete() && in_.empty() && waits_to_continue(reader.head()) &&
      !reader.head().is_http_1_0 && !co_await write("HTTP/1.1 100 Continue\r\n\r\n")) {
    co_return false;
  }
  BodyBudget::Share share(state_.bodies, client_);  // until the request is answered
  set_deadline(options.body_time);
  while (!reader.is_complete() && !reader.refusal()) {
    if (!co_await read(reader)) co_return false;
    if (!share.grow(reader.body().size())) {
      co_await refuse(reader, kNoRoom);
      co_return false;
    }
  }
  clear_deadline();
  if (reader.refusal()) co_return co_await refuse(reader, *reader.refusal());
  const Route route = admitted->route;
  if (route == Route::mcp) {
    co_return co_await serve_message(reader.head(), admitted->rights, std::move(reader.body()));
  }
  if (route == Route::question || route == Route::stream) {
    co_return co_await serve_question(reader.head(), route);
  }
  const net::HttpResponse response = route == Route::file
                                         ? state_.options.site->file(reader.head())
                                         : net::HttpResponse{.body = R"({"status":"ok"})"};
  co_return co_await respond(reader.head(), response);
}

// Reads more of a request. If the server ends it early, the client gets the reason.
HttpConnection::Awaitable<bool> HttpConnection::read(net::RequestReader& reader) {
  if (!state_.acceptor.is_stopping()) {
    const bool had_begun = reader.has_begun();
    const std::size_t used = reader.take(in_);
    in_.erase(0, used);
    if (!had_begun && reader.has_begun()) set_deadline(state_.options.header_time);
    if (used > 0 || reader.refusal()) co_return true;
    if (in_.size() > state_.options.most_header_bytes + piece_.size()) {
      co_return co_await refuse(reader, kLongChunkHead);
    }
    error_code error;
    is_reading_ = true;
    const std::size_t size =
        co_await socket_.async_read_some(asio::buffer(piece_), net::into(error));
    is_reading_ = false;
    last_byte_ = std::chrono::steady_clock::now();
    in_.append(piece_.data(), size);
    if (!error && !state_.acceptor.is_stopping()) co_return true;
  }
  if ((reader.has_begun() || !in_.empty()) && !is_abandoned_) {
    if (is_late_) co_await refuse(reader, kTooLate);
    if (state_.acceptor.is_stopping()) co_await refuse(reader, kStopping);
  }
  co_return false;
}

HttpConnection::Awaitable<bool> HttpConnection::refuse(const net::RequestReader& reader,
                                                       const net::HttpRefusal& refusal) {
  const bool in_step = reader.is_complete() && afterwards(reader.head()) == net::Afterwards::keep;
  const net::Afterwards after = in_step ? net::Afterwards::keep : net::Afterwards::close;
  const bool is_question = reader.has_head() && reader.head().target.starts_with("/api/");
  const net::HttpResponse response =
      is_question ? net::to_json_response(refusal) : net::to_response(refusal);
  const std::string bytes = net::to_bytes(response, after);
  const bool written = co_await write(bytes);
  if (written && !in_step) co_await linger();
  co_return written&& in_step;
}

HttpConnection::Awaitable<> HttpConnection::linger() {
  error_code error;
  socket_.shutdown(asio::socket_base::shutdown_send, error);
  set_deadline(kLingerTime);
  for (std::size_t all = 0; !error && all < kMostLingerBytes && !is_abandoned_;) {
    all += co_await socket_.async_read_some(asio::buffer(piece_), net::into(error));
  }
}

HttpConnection::Awaitable<bool> HttpConnection::write(std::string_view bytes) {
  error_code error;
  while (!bytes.empty() && !error && !is_abandoned_) {
    set_deadline(state_.options.idle_time);  // again with each bit of progress
    bytes.remove_prefix(co_await socket_.async_write_some(
        asio::const_buffer(bytes.data(), bytes.size()), net::into(error)));
  }
  clear_deadline();
  is_gone_ |= !bytes.empty();
  co_return bytes.empty();
}

void HttpConnection::watch() {
  if (is_watching_ || is_gone_ || in_.size() >= kMostAheadBytes) return;
  is_watching_ = true;
  socket_.async_read_some(asio::buffer(piece_),
                          [self = shared_from_this()](const error_code& error, std::size_t size) {
                            self->is_watching_ = false;
                            self->in_.append(self->piece_.data(), size);
                            if (error && error != asio::error::operation_aborted)
                              self->is_gone_ = true;
                            if (!error) self->watch();
                            self->wake();
                          });
}

HttpConnection::Awaitable<> HttpConnection::unwatch() {
  error_code ignored;
  // Bytes that arrive meanwhile start another read, so more than once.
  while (is_watching_) {
    socket_.cancel(ignored);
    co_await wait(state_.options.idle_time);
  }
}

HttpConnection::Awaitable<> HttpConnection::wait(Milliseconds at_most) {
  error_code ignored;
  wake_timer_.expires_after(at_most);
  co_await wake_timer_.async_wait(net::into(ignored));
}

void HttpConnection::set_deadline(Milliseconds time) {
  is_late_ = false;
  deadline_.expires_after(time);
  deadline_.async_wait([weak = weak_from_this()](const error_code& error) {
    const std::shared_ptr<HttpConnection> self = weak.lock();
    // A later deadline may have been set after this handler was queued.
    if (error || !self || self->deadline_.expiry() > std::chrono::steady_clock::now()) return;
    self->is_late_ = true;
    error_code ignored;
    self->socket_.cancel(ignored);
  });
}

void HttpConnection::clear_deadline() {
  deadline_.expires_at(std::chrono::steady_clock::time_point::max());
}

}  // namespace weft::mcp

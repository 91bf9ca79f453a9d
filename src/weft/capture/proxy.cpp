#include "weft/capture/proxy.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <set>

namespace weft::capture {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kPieceBytes = 64u << 10;
// Where no descriptor is left for a connection, others have to end first.
constexpr std::chrono::milliseconds kAcceptPause = 100ms;
// What a client still sends is read for so long after the last answer, so that the answer is not
// lost in the reset that closing on unread bytes would be.
constexpr std::chrono::milliseconds kLingerTime = 2s;
// How long what is under way may go on after we are told to end.
constexpr std::chrono::milliseconds kLastTime = 30s;

auto into(error_code& error) { return asio::redirect_error(asio::use_awaitable, error); }

std::string refusal(int status, std::string_view words, std::string_view why) {
  const std::string body = fmt::format(
      R"({{"type":"error","error":{{"type":"api_error","message":"weft record: {}"}}}})", why);
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n"
      "Connection: close\r\n\r\n{}",
      status, words, body.size(), body);
}

class Connection;

// What all connections share.
struct Floor {
  const ProxyOptions& options;
  asio::io_context& io;
  Upstreams& upstreams;
  std::set<Connection*> connections{};
  bool is_stopping = false;
  std::function<void()> emptied{};
};

// One client, and the connection to the upstream that is its own.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  template <class T = void>
  using Awaitable = asio::awaitable<T>;

  Connection(tcp::socket socket, Floor& floor)
      : floor_(floor),
        client_(std::move(socket)),
        upstream_(floor.upstreams.make(floor.io)),
        timer_(floor.io),
        tap_({.host = floor.options.upstream.authority(), .prefix = floor.options.upstream.prefix},
             floor.options.listen) {
    error_code ignored;
    client_.set_option(tcp::no_delay(true), ignored);
    client_.set_option(asio::socket_base::keep_alive(true), ignored);
    floor_.connections.insert(this);
  }
  ~Connection() {
    floor_.connections.erase(this);
    if (floor_.connections.empty() && floor_.emptied) floor_.emptied();
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  Awaitable<> run() {
    const std::shared_ptr<Connection> self = shared_from_this();
    Status connected = co_await upstream_->connect();
    if (!connected) {
      co_await refuse_unreached(connected.error().message);
      co_return;
    }
    asio::co_spawn(
        floor_.io, [self] { return self->pass_down(); }, [](const std::exception_ptr&) {});
    co_await pass_up();
  }

  bool is_busy() const { return tap_.is_busy(); }

  // Whatever is under way breaks off.
  void close(How how) {
    if (is_closed_) return;
    is_closed_ = true;
    tap_.cut(how);
    error_code ignored;
    client_.close(ignored);
    upstream_->close();
    timer_.cancel();
  }
  void close_if_idle() {
    if (!is_busy()) close(How::whole);
  }

 private:
  // From the client to the upstream.
  Awaitable<> pass_up() {
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
        co_await refuse_nonsense();
        co_return;
      }
      if (!out.empty() && !co_await upstream_->write(out)) is_deaf = true;
    }
    close(How::client_gone);
  }

  // From the upstream to the client.
  Awaitable<> pass_down() {
    const std::shared_ptr<Connection> self = shared_from_this();
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
      if (floor_.is_stopping && !is_busy()) break;
    }
    co_await end_down(end);
  }

  // The upstream sends no more.
  Awaitable<> end_down(Upstream::End end) {
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

  void note_what_is_lost() {
    if (was_noted_ || !(tap_.is_lost() || tap_.is_tunnel())) return;
    was_noted_ = true;
    floor_.options.note(tap_.is_tunnel()
                            ? "a connection was upgraded: what it says passes unrecorded"
                            : "an answer is not understood: it passes as it is, unrecorded");
  }

  Awaitable<> refuse_nonsense() {
    floor_.options.note("what a client sent is not understood, and was refused");
    tap_.cut(How::not_understood);
    co_await answer_and_close(refusal(400, "Bad Request", "this is no HTTP/1 request"));
  }

  // Once there is a request to be refused.
  Awaitable<> refuse_unreached(std::string why) {
    floor_.options.note("the upstream cannot be reached: " + why);
    std::array<char, kPieceBytes> piece;
    error_code error;
    std::string nowhere;
    while (!error && !tap_.is_busy() && !is_closed_) {
      const std::size_t size = co_await client_.async_read_some(asio::buffer(piece), into(error));
      nowhere.clear();
      tap_.from_client({piece.data(), size}, nowhere);
      if (size == 0 || tap_.is_refused()) break;
    }
    tap_.cut(How::upstream_gone);
    if (!error)
      co_await answer_and_close(refusal(502, "Bad Gateway", "the upstream cannot be reached"));
    close(How::client_gone);
  }

  Awaitable<> answer_and_close(std::string answer) {
    error_code error;
    const asio::const_buffer bytes(answer.data(), answer.size());
    co_await asio::async_write(client_, bytes, into(error));
    client_.shutdown(asio::socket_base::shutdown_send, error);
    timer_.expires_after(kLingerTime);
    const std::shared_ptr<Connection> self = shared_from_this();
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

  Floor& floor_;
  tcp::socket client_;
  std::unique_ptr<Upstream> upstream_;
  asio::steady_timer timer_;
  Tap tap_;
  bool is_closed_ = false, is_ending_ = false, was_noted_ = false;
};

Result<tcp::acceptor> listen_at(asio::io_context& io, const ProxyOptions& options) {
  error_code error;
  const asio::ip::address address = asio::ip::make_address(options.address, error);
  if (error) return fail(ErrorCode::invalid_input, "not an address: " + options.address);
  const tcp::endpoint endpoint(address, options.port);
  tcp::acceptor acceptor(io);
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (!error) return acceptor;
  return fail(ErrorCode::unavailable, fmt::format("listening on {} port {}: {}", options.address,
                                                  options.port, error.message()));
}

class Proxy {
 public:
  Proxy(asio::io_context& io, tcp::acceptor acceptor, Upstreams& upstreams,
        const ProxyOptions& options, int stop)
      : acceptor_(std::move(acceptor)),
        pause_(io),
        last_(io),
        stopper_(io, ::dup(stop)),
        floor_{.options = options, .io = io, .upstreams = upstreams} {
    floor_.emptied = [this] {
      if (floor_.is_stopping) end();
    };
  }

  std::uint16_t port() const {
    error_code ignored;
    return acceptor_.local_endpoint(ignored).port();
  }

  void start() {
    asio::co_spawn(floor_.io, accept(), [](const std::exception_ptr&) {});
    await_stop();
  }

 private:
  void await_stop() {
    stopper_.async_wait(asio::posix::stream_descriptor::wait_read, [this](const error_code& error) {
      if (error) return;
      std::array<char, 1024> read;  // at least one signal's worth
      [[maybe_unused]] const ssize_t size =
          ::read(stopper_.native_handle(), read.data(), read.size());
      stop();
    });
  }

  void stop() {
    error_code ignored;
    const bool is_second = std::exchange(floor_.is_stopping, true);
    acceptor_.close(ignored);
    pause_.cancel();
    const std::set<Connection*> connections = floor_.connections;
    for (Connection* connection : connections) {
      if (is_second) connection->close(How::client_gone);
      else connection->close_if_idle();
    }
    if (is_second) return;
    if (floor_.connections.empty()) {
      end();
      return;
    }
    await_stop();
    last_.expires_after(kLastTime);
    last_.async_wait([this](const error_code& error) {
      if (error) return;
      const std::set<Connection*> late = floor_.connections;
      for (Connection* connection : late) connection->close(How::client_gone);
    });
  }

  void end() {
    error_code ignored;
    stopper_.close(ignored);
    last_.cancel();
  }

  asio::awaitable<void> accept() {
    while (!floor_.is_stopping) {
      error_code error;
      tcp::socket socket = co_await acceptor_.async_accept(into(error));
      if (floor_.is_stopping) break;
      if (error) {
        pause_.expires_after(kAcceptPause);
        co_await pause_.async_wait(into(error));
        continue;
      }
      const auto connection = std::make_shared<Connection>(std::move(socket), floor_);
      asio::co_spawn(
          floor_.io, [connection] { return connection->run(); }, [](const std::exception_ptr&) {});
    }
  }

  tcp::acceptor acceptor_;
  asio::steady_timer pause_, last_;
  asio::posix::stream_descriptor stopper_;
  Floor floor_;
};

// False if one thing failed (there is no memory): the others go on.
bool run_on(asio::io_context& io) {
  try {
    io.run();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

Status run_proxy(const ProxyOptions& options, int stop,
                 const std::function<void(std::uint16_t port)>& listening) {
  try {
    Result<std::unique_ptr<Upstreams>> upstreams = Upstreams::open(options.upstream);
    if (!upstreams) return fail(std::move(upstreams).error());
    asio::io_context io(1);
    Result<tcp::acceptor> acceptor = listen_at(io, options);
    if (!acceptor) return fail(std::move(acceptor).error());
    Proxy proxy(io, *std::move(acceptor), **upstreams, options, stop);
    proxy.start();
    if (listening) listening(proxy.port());
    while (!run_on(io)) {
    }
    return {};
  } catch (const std::exception& exception) {
    return fail(ErrorCode::internal, fmt::format("recording: {}", exception.what()));
  }
}

}  // namespace weft::capture

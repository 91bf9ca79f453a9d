#include "weft/capture/proxy/proxy.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <utility>

#include "weft/capture/proxy/proxy_connection.hpp"
#include "weft/net/listen.hpp"

namespace weft::capture {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using namespace std::chrono_literals;

namespace {

// Where no descriptor is left for a connection, others have to end first.
constexpr std::chrono::milliseconds kAcceptPause = 100ms;
// How long what is under way may go on after we are told to end.
constexpr std::chrono::milliseconds kLastTime = 30s;

auto into(error_code& error) { return asio::redirect_error(asio::use_awaitable, error); }

class Proxy {
 public:
  Proxy(asio::io_context& io, tcp::acceptor acceptor, Upstreams& upstreams,
        const ProxyOptions& options, int stop)
      : acceptor_(std::move(acceptor)),
        pause_(io),
        last_(io),
        stopper_(io, ::dup(stop)),
        state_{.options = options,
               .io = io,
               .upstreams = upstreams,
               .hosts = net::Hosts(port(), options.hosts)} {
    state_.emptied = [this] {
      if (state_.is_stopping) end();
    };
  }

  std::uint16_t port() const {
    error_code ignored;
    return acceptor_.local_endpoint(ignored).port();
  }

  void start() {
    asio::co_spawn(state_.io, accept(), [](const std::exception_ptr&) {});
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
    const bool is_second = std::exchange(state_.is_stopping, true);
    acceptor_.close(ignored);
    pause_.cancel();
    const std::set<ProxyConnection*> connections = state_.connections;
    for (ProxyConnection* connection : connections) {
      if (is_second) connection->close(How::client_gone);
      else connection->close_if_idle();
    }
    if (is_second) return;
    if (state_.connections.empty()) {
      end();
      return;
    }
    await_stop();
    last_.expires_after(kLastTime);
    last_.async_wait([this](const error_code& error) {
      if (error) return;
      const std::set<ProxyConnection*> late = state_.connections;
      for (ProxyConnection* connection : late) connection->close(How::client_gone);
    });
  }

  void end() {
    error_code ignored;
    stopper_.close(ignored);
    last_.cancel();
  }

  asio::awaitable<void> accept() {
    while (!state_.is_stopping) {
      error_code error;
      tcp::socket socket = co_await acceptor_.async_accept(into(error));
      if (state_.is_stopping) break;
      if (error) {
        pause_.expires_after(kAcceptPause);
        co_await pause_.async_wait(into(error));
        continue;
      }
      const auto connection = std::make_shared<ProxyConnection>(std::move(socket), state_);
      asio::co_spawn(
          state_.io, [connection] { return connection->run(); }, [](const std::exception_ptr&) {});
    }
  }

  tcp::acceptor acceptor_;
  asio::steady_timer pause_, last_;
  asio::posix::stream_descriptor stopper_;
  ProxyState state_;
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
    Result<tcp::acceptor> acceptor = net::listen_on(io, options.address, options.port);
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

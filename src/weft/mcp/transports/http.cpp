#include "weft/mcp/transports/http.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <thread>

#include "weft/mcp/transports/http_connection.hpp"
#include "weft/net/listen.hpp"

namespace weft::mcp {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

// Where no descriptor is left for a connection, others have to end first.
constexpr std::chrono::milliseconds kAcceptPause{100};

// A server from its first connection to its last.
class HttpServer {
 public:
  HttpServer(asio::io_context& io, tcp::acceptor acceptor, Server& server,
             const HttpOptions& options)
      : io_(io),
        acceptor_(std::move(acceptor)),
        pause_(io),
        last_(io),
        state_{.server = server,
               .options = options,
               .rules = {.hosts = net::Hosts(port(), options.hosts),
                         .token = options.token,
                         .most_body_bytes = options.most_body_bytes}} {
    state_.emptied = [this] {
      if (state_.is_stopping) last_.cancel();
    };
  }

  std::uint16_t port() const {
    error_code ignored;
    return acceptor_.local_endpoint(ignored).port();
  }

  void start() { asio::co_spawn(io_, accept(), ended); }

  void stop() {
    error_code ignored;
    state_.is_stopping = true;
    acceptor_.close(ignored);
    pause_.cancel();
    if (state_.connections.empty()) return;
    // It blocks until what is under way is answered, and the answers are written here.
    drainer_ = std::jthread([&server = state_.server] { server.drain(); });
    const std::set<HttpConnection*> connections = state_.connections;
    for (HttpConnection* connection : connections) connection->stop();
    last_.expires_after(state_.options.last_time);
    last_.async_wait([this](const error_code& error) {
      if (error) return;
      const std::set<HttpConnection*> late = state_.connections;
      for (HttpConnection* connection : late) connection->abandon();
    });
  }

 private:
  // What a connection throws (there is no memory) ends that connection.
  static void ended(const std::exception_ptr&) {}

  asio::awaitable<void> accept() {
    while (!state_.is_stopping) {
      error_code error;
      tcp::socket socket =
          co_await acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, error));
      if (state_.is_stopping) break;
      if (error) {
        pause_.expires_after(kAcceptPause);
        co_await pause_.async_wait(asio::redirect_error(asio::use_awaitable, error));
      } else if (state_.connections.size() >= state_.options.most_connections) {
        turn_away(std::move(socket));
      } else {
        const auto connection = std::make_shared<HttpConnection>(std::move(socket), state_);
        asio::co_spawn(io_, [connection] { return connection->run(); }, ended);
      }
    }
  }

  // At once, and without waiting for anything.
  static void turn_away(tcp::socket socket) {
    static const std::string kBusy = net::to_bytes(
        net::to_response({503, "too many connections are open"}), net::Afterwards::close);
    error_code ignored;
    socket.non_blocking(true, ignored);
    socket.send(asio::buffer(kBusy), 0, ignored);
    socket.shutdown(asio::socket_base::shutdown_send, ignored);
    std::array<char, 4096> unread{};
    socket.receive(asio::buffer(unread), 0, ignored);  // lest closing resets it
  }

  asio::io_context& io_;
  tcp::acceptor acceptor_;
  asio::steady_timer pause_, last_;
  ServerState state_;
  std::jthread drainer_;
};

// Until there is nothing left to do. False if one thing failed (there is no memory): the others go
// on.
bool run_on(asio::io_context& io) {
  try {
    io.run();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

Status serve_http(Server& server, const HttpOptions& options, int stop,
                  const std::function<void(std::uint16_t port)>& listening) {
  try {
    asio::io_context io(1);
    Result<tcp::acceptor> acceptor = net::listen_on(io, options.address, options.port);
    if (!acceptor) return fail(std::move(acceptor).error());
    asio::posix::stream_descriptor stopper(io, ::dup(stop));
    HttpServer http(io, *std::move(acceptor), server, options);
    stopper.async_wait(asio::posix::stream_descriptor::wait_read,
                       [&](const error_code&) { http.stop(); });
    http.start();
    if (listening) listening(http.port());
    while (!run_on(io)) {
    }
    return {};
  } catch (const std::exception& exception) {
    return fail(ErrorCode::internal, fmt::format("serving HTTP: {}", exception.what()));
  }
}

}  // namespace weft::mcp

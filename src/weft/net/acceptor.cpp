#include "weft/net/acceptor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/net/await.hpp"

namespace weft::net {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

// After an accept that failed: if no descriptor is left, other connections have to end first.
constexpr std::chrono::milliseconds kAcceptPause{100};

// An exception of a connection (out of memory) ends that connection alone.
void ignore(const std::exception_ptr&) {}

// Runs until no work is left. False if a handler threw (out of memory); the others can resume.
bool run_handlers(asio::io_context& io) {
  try {
    io.run();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

std::string Peer::client() const { return user ? fmt::format("user {}", *user) : address; }

Connection::Connection(Acceptor& acceptor, Peer peer)
    : acceptor_(acceptor), peer_(std::move(peer)) {
  acceptor_.connections_.insert(this);
}

Connection::~Connection() { acceptor_.remove(*this); }

Result<std::unique_ptr<Acceptor>> Acceptor::listen(AcceptorOptions options) {
  std::unique_ptr<Acceptor> acceptor(new Acceptor(std::move(options)));
  WEFT_TRY(acceptor->open_socket());
  return acceptor;
}

Status Acceptor::open_socket() {
  const std::string& address = options_.address;
  error_code error;
  const asio::ip::address parsed = asio::ip::make_address(address, error);
  if (error) {
    return fail(ErrorCode::invalid_input,
                fmt::format("cannot listen on \"{}\": not an IPv4 or IPv6 address", address));
  }
  const tcp::endpoint endpoint(parsed, options_.port);
  acceptor_.open(endpoint.protocol(), error);
  if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (!error) return {};
  const std::string_view remedy = error == asio::error::address_in_use
                                      ? "; stop the program that uses it, or choose another port"
                                      : "";
  return fail(ErrorCode::unavailable, fmt::format("cannot listen on {} port {}: {}{}", address,
                                                  options_.port, error.message(), remedy));
}

std::uint16_t Acceptor::port() const {
  error_code ignored;
  return acceptor_.local_endpoint(ignored).port();
}

void Acceptor::run(int stop, Open open, std::function<void()> on_drain) {
  open_ = std::move(open);
  on_drain_ = std::move(on_drain);
  stopper_.assign(::dup(stop));
  await_stop();
  asio::co_spawn(io_, accept(), ignore);
  while (!run_handlers(io_)) {
  }
}

asio::awaitable<void> Acceptor::accept() {
  while (!is_stopping_) {
    error_code error;
    Socket socket = co_await acceptor_.async_accept(into(error));
    if (is_stopping_) break;
    if (error) {
      pause_.expires_after(kAcceptPause);
      co_await pause_.async_wait(into(error));
      continue;
    }
    Peer peer = peer_of(socket);
    if (!make_room(peer)) {
      turn_away(std::move(socket));
      continue;
    }
    const std::shared_ptr<Connection> connection = open_(std::move(socket), std::move(peer));
    asio::co_spawn(io_, [connection] { return connection->run(); }, ignore);
  }
}

Peer Acceptor::peer_of(Socket& socket) {
  error_code ignored;
  Peer peer{.address = address_of(socket.remote_endpoint(ignored)),
            .user = users_.find(socket.native_handle())};
  peer.is_own_user = peer.user && net::is_own_user(*peer.user);
  return peer;
}

// False if every connection that could be closed for this client is busy.
bool Acceptor::make_room(const Peer& peer) {
  const std::string client = peer.client();
  std::size_t of_client = 0;
  for (const Connection* connection : connections_) {
    if (connection->peer().client() == client) ++of_client;
  }
  const bool is_client_full = of_client >= (peer.is_own_user ? options_.most_connections_own
                                                             : options_.most_connections_each);
  if (!is_client_full && connections_.size() < options_.most_connections) return true;
  Connection* longest = nullptr;
  for (Connection* connection : connections_) {
    if (!connection->waiting_since()) continue;
    if (is_client_full && connection->peer().client() != client) continue;
    if (longest == nullptr || connection->waiting_since() < longest->waiting_since()) {
      longest = connection;
    }
  }
  if (longest != nullptr) longest->abandon();
  return longest != nullptr;
}

// Does not wait for the client.
void Acceptor::turn_away(Socket socket) const {
  error_code ignored;
  socket.non_blocking(true, ignored);
  socket.send(asio::buffer(options_.busy_response), 0, ignored);
  socket.shutdown(asio::socket_base::shutdown_send, ignored);
  std::array<char, 4096> unread{};
  socket.receive(asio::buffer(unread), 0, ignored);  // closing on unread bytes would reset it
}

void Acceptor::await_stop() {
  stopper_.async_wait(asio::posix::stream_descriptor::wait_read, [this](const error_code& error) {
    if (error == asio::error::operation_aborted) return;
    if (options_.second_stop == SecondStop::abandons) {
      std::array<char, 1024> unread;  // at least one signal's worth
      [[maybe_unused]] const ssize_t size =
          ::read(stopper_.native_handle(), unread.data(), unread.size());
    }
    stop();
  });
}

void Acceptor::stop() {
  if (std::exchange(is_stopping_, true)) {
    abandon_all();
    return;
  }
  error_code ignored;
  acceptor_.close(ignored);
  pause_.cancel();
  if (connections_.empty()) {
    finish();
    return;
  }
  if (on_drain_) on_drain_();
  if (options_.second_stop == SecondStop::abandons) await_stop();
  deadline_.expires_after(options_.drain_time);
  deadline_.async_wait([this](const error_code& error) {
    if (!error) abandon_all();
  });
  const std::set<Connection*> connections = connections_;  // stopping may remove some
  for (Connection* connection : connections) connection->stop();
}

void Acceptor::abandon_all() {
  const std::set<Connection*> connections = connections_;
  for (Connection* connection : connections) connection->abandon();
}

void Acceptor::remove(Connection& connection) {
  connections_.erase(&connection);
  if (is_stopping_ && connections_.empty()) finish();
}

// Cancels what run() still waits for.
void Acceptor::finish() {
  error_code ignored;
  stopper_.close(ignored);
  deadline_.cancel();
}

std::string address_of(const tcp::endpoint& endpoint) {
  const asio::ip::address address = endpoint.address();
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string();
  }
  return address.to_string();
}

}  // namespace weft::net

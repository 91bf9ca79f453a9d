// The accept loop of a server: listens on one address, accepts connections, limits how many one
// client may have, and ends them in order when it is stopped.
//
//   Result<std::unique_ptr<Acceptor>> acceptor = Acceptor::listen({.address = "127.0.0.1"});
//   (*acceptor)->run(stop, [&](Acceptor::Socket socket, Peer peer) {
//     return std::make_shared<MyConnection>(**acceptor, std::move(socket), std::move(peer));
//   });
//
// All connections live on the thread that calls run(). Asio is a heavy header: only a file that
// handles sockets includes this one.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "weft/base/result.hpp"
#include "weft/net/peer_user.hpp"

namespace weft::net {

class Acceptor;

// The other end of a connection.
struct Peer {
  std::string address;          // as numbers
  std::optional<uid_t> user{};  // on loopback, if it is known (peer_user.hpp)
  bool is_own_user = false;     // on loopback, a program of the user who runs this server

  // What counts as one client: an address; on loopback, the programs of one user.
  std::string client() const;
};

// One accepted connection. The acceptor knows it from construction to destruction.
class Connection {
 public:
  Connection(Acceptor& acceptor, Peer peer);
  virtual ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Serves the client until either side is done. The acceptor owns a reference meanwhile.
  virtual boost::asio::awaitable<void> run() = 0;
  // The server stops: finish the request under way, accept no other.
  virtual void stop() = 0;
  // End now, whatever is under way.
  virtual void abandon() = 0;
  // The time of the client's last byte, if the server waits for the next one. Empty while a request
  // is under way: such a connection is never closed to make room for another.
  virtual std::optional<std::chrono::steady_clock::time_point> waiting_since() const { return {}; }

  const Peer& peer() const { return peer_; }

 private:
  Acceptor& acceptor_;
  const Peer peer_;
};

// What a second stop does while connections are drained. With `abandons`, each stop reads what
// the descriptor has; with `ignored`, nothing is read from it.
enum class SecondStop { ignored, abandons };

struct AcceptorOptions {
  static constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

  std::string address = "127.0.0.1";  // as numbers, IPv4 or IPv6
  std::uint16_t port = 0;             // 0: the system chooses one
  SecondStop second_stop = SecondStop::ignored;
  std::chrono::milliseconds drain_time{5'000};  // for the requests under way when it stops
  // Limits on connections: in all, of one client, and of the programs of this server's user. At a
  // limit, the connection that has waited longest for its client is closed for a new one: of the
  // same client at a limit of its own, otherwise of any.
  std::size_t most_connections = kNoLimit;
  std::size_t most_connections_each = kNoLimit;
  std::size_t most_connections_own = kNoLimit;
  // Sent to a new client before its connection is closed, if no other connection can be closed.
  std::string busy_response{};
};

class Acceptor {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  using Open = std::function<std::shared_ptr<Connection>(Socket socket, Peer peer)>;

  // invalid_input if the address is not one; unavailable if it cannot be listened on.
  static Result<std::unique_ptr<Acceptor>> listen(AcceptorOptions options);

  // Accepts connections until the descriptor `stop` becomes readable. Then it accepts no more,
  // stops every connection, abandons those that are still open after `drain_time`, and returns
  // once the last one is gone. If there are any to drain, `on_drain` is called first. Throws if
  // `stop` cannot be watched.
  void run(int stop, Open open, std::function<void()> on_drain = {});

  std::uint16_t port() const;
  boost::asio::io_context& io() { return io_; }
  bool is_stopping() const { return is_stopping_; }

 private:
  friend class Connection;

  explicit Acceptor(AcceptorOptions options) : options_(std::move(options)) {}
  Status open_socket();
  boost::asio::awaitable<void> accept();
  Peer peer_of(Socket& socket);
  bool make_room(const Peer& peer);
  void turn_away(Socket socket) const;
  void await_stop();
  void stop();
  void abandon_all();
  void remove(Connection& connection);
  void finish();

  const AcceptorOptions options_;
  Open open_;
  std::function<void()> on_drain_;
  PeerUsers users_;
  std::set<Connection*> connections_;
  bool is_stopping_ = false;
  boost::asio::io_context io_{1};
  boost::asio::ip::tcp::acceptor acceptor_{io_};
  boost::asio::steady_timer pause_{io_}, deadline_{io_};
  boost::asio::posix::stream_descriptor stopper_{io_};
};

// The address of an endpoint as numbers; an IPv4 address that came over IPv6 as IPv4.
std::string address_of(const boost::asio::ip::tcp::endpoint& endpoint);

}  // namespace weft::net

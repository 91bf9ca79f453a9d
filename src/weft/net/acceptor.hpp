// The accept loop of a server: listens on one address, accepts connections, and ends them in
// order when it is told to stop.
//
//   Result<std::unique_ptr<Acceptor>> acceptor = Acceptor::listen({.address = "127.0.0.1"});
//   (*acceptor)->run(stop, [&](Acceptor::Socket socket) {
//     return std::make_shared<MyConnection>(**acceptor, std::move(socket));
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
#include <set>
#include <string>

#include "weft/base/result.hpp"

namespace weft::net {

class Acceptor;

// One accepted connection. The acceptor knows it from construction to destruction.
class Connection {
 public:
  explicit Connection(Acceptor& acceptor);
  virtual ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Serves the client until either side is done. The acceptor owns a reference meanwhile.
  virtual boost::asio::awaitable<void> run() = 0;
  // The server stops: finish the request under way, accept no other.
  virtual void stop() = 0;
  // End now, whatever is under way.
  virtual void abandon() = 0;

 private:
  Acceptor& acceptor_;
};

// What a second stop does while connections are drained. With `abandons`, each stop reads what
// the descriptor has; with `ignored`, nothing is read from it.
enum class SecondStop { ignored, abandons };

struct AcceptorOptions {
  std::string address = "127.0.0.1";  // as numbers, IPv4 or IPv6
  std::uint16_t port = 0;             // 0: the system chooses one
  SecondStop second_stop = SecondStop::ignored;
  std::chrono::milliseconds drain_time{5'000};  // for the requests under way when it stops
  std::size_t most_connections = std::numeric_limits<std::size_t>::max();
  std::string busy_response{};  // sent to a client beyond that number, which is then closed
};

class Acceptor {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  using Open = std::function<std::shared_ptr<Connection>(Socket socket)>;

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
  void turn_away(Socket socket) const;
  void await_stop();
  void stop();
  void abandon_all();
  void remove(Connection& connection);
  void finish();

  const AcceptorOptions options_;
  Open open_;
  std::function<void()> on_drain_;
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

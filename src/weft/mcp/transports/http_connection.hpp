// One client connection of the HTTP server. Reads requests one after the other, passes their
// messages to the protocol server, and writes the answers.
//
// All connections live on one thread. The threads of the protocol server reach a connection only
// through HttpReply, which posts a wake-up to that thread.
#pragma once

#include <array>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "weft/mcp/transports/body_budget.hpp"
#include "weft/mcp/transports/http.hpp"
#include "weft/mcp/transports/http_reply.hpp"
#include "weft/mcp/transports/http_rules.hpp"
#include "weft/mcp/transports/memory_return.hpp"
#include "weft/net/acceptor.hpp"
#include "weft/net/http_response.hpp"

namespace weft::mcp {

// Shared by the connections of one server. It stays where it is.
struct ServerState {
  Server& server;
  const HttpOptions& options;
  net::Acceptor& acceptor;
  HttpRules rules;
  MemoryReturn memory_return{acceptor.io()};
  BodyBudget bodies{options.most_bodies_bytes, [this] { memory_return.schedule(); }};
  std::map<std::string, std::size_t> streams{};  // the number of open ones, by client
};

class HttpConnection final : public net::Connection,
                             public std::enable_shared_from_this<HttpConnection> {
 public:
  using Socket = net::Acceptor::Socket;
  using Milliseconds = std::chrono::milliseconds;
  template <class T = void>
  using Awaitable = boost::asio::awaitable<T>;

  // `state` outlives it.
  HttpConnection(Socket socket, net::Peer peer, ServerState& state);

  Awaitable<> run() override;
  void stop() override;
  void abandon() override;
  std::optional<std::chrono::steady_clock::time_point> waiting_since() const override;

 private:
  struct Exchange;  // a request that other threads answer

  // Reading (http_connection.cpp). A result of false ends the connection.
  Awaitable<bool> serve_one();
  Awaitable<bool> read(net::RequestReader& reader);
  Awaitable<bool> refuse(const net::RequestReader& reader, const net::HttpRefusal& refusal);
  Awaitable<> linger();

  // Answering (http_exchange.cpp).
  Awaitable<bool> serve_message(const net::RequestHead& head, net::Rights rights, std::string body);
  Awaitable<bool> serve_request(const net::RequestHead& head, Message message);
  Awaitable<bool> serve_question(const net::RequestHead& head, Route route);
  Awaitable<bool> conclude(Exchange& exchange);
  std::shared_ptr<HttpReply> make_reply();
  Awaitable<bool> pump(Exchange& exchange);
  Awaitable<> open_stream(Exchange& exchange);
  Awaitable<> write_part(const Exchange& exchange, std::string_view part);
  Awaitable<> finish(Exchange& exchange, const net::HttpResponse& answer);
  Awaitable<bool> respond(const net::RequestHead& head, const net::HttpResponse& response);
  net::Afterwards afterwards(const net::RequestHead& head) const;
  bool may_stream() const;  // this client may open one more stream
  // Whether who sent the request may still use the server: a token may have been removed.
  bool is_admitted(const net::RequestHead& head) const;

  Awaitable<bool> write(
      std::string_view bytes);  // false if the client is gone before all is written
  void watch();                 // reads ahead, to notice when the client goes away
  Awaitable<> unwatch();
  Awaitable<> wait(Milliseconds at_most);  // until wake()
  void wake() { wake_timer_.cancel(); }
  void set_deadline(Milliseconds time);  // cancels the socket's operation then
  void clear_deadline();

  ServerState& state_;
  Socket socket_;
  boost::asio::steady_timer wake_timer_, deadline_;
  const std::string client_;  // as limits count it
  std::string local_;         // address
  std::chrono::steady_clock::time_point last_byte_ = std::chrono::steady_clock::now();
  std::array<char, 16u << 10> piece_{};
  std::string in_;  // received, but not parsed yet
  bool is_reading_ = false, is_watching_ = false;
  bool is_late_ = false;  // the deadline has passed
  bool is_gone_ = false;  // the client has closed its side, or cannot be written to
  bool is_abandoned_ = false;
};

}  // namespace weft::mcp

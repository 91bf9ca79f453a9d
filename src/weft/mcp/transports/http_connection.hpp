// One connection of the HTTP server: reads requests one after the other, hands messages to the
// core, writes what comes back.
//
// All connections live on one thread. The core's threads reach it only through HttpReply, which
// posts a wake-up to that thread.
#pragma once

#include <array>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "weft/mcp/transports/http.hpp"
#include "weft/mcp/transports/http_reply.hpp"
#include "weft/mcp/transports/http_rules.hpp"
#include "weft/net/acceptor.hpp"
#include "weft/net/http_response.hpp"

namespace weft::mcp {

// What the connections of a server share.
struct ServerState {
  Server& server;
  const HttpOptions& options;
  net::Acceptor& acceptor;
  HttpRules rules;
  std::map<std::string, std::size_t> streams{};  // open ones, by the client's address
};

class HttpConnection final : public net::Connection,
                             public std::enable_shared_from_this<HttpConnection> {
 public:
  using Socket = net::Acceptor::Socket;
  using Milliseconds = std::chrono::milliseconds;
  template <class T = void>
  using Awaitable = boost::asio::awaitable<T>;

  // `state` outlives it.
  HttpConnection(Socket socket, ServerState& state);

  Awaitable<> run() override;
  void stop() override;
  void abandon() override;

 private:
  struct Exchange;  // a request that the core serves

  // Reading (http_connection.cpp). All that return bool: false if the connection is to end.
  Awaitable<bool> serve_one();
  Awaitable<bool> read(net::RequestReader& reader);
  Awaitable<bool> refuse(const net::RequestReader& reader, const net::HttpRefusal& refusal);
  Awaitable<> linger();

  // Answering (http_exchange.cpp).
  Awaitable<bool> serve_message(const net::RequestHead& head, std::string body);
  Awaitable<bool> serve_request(const net::RequestHead& head, Message message);
  std::shared_ptr<HttpReply> make_reply();
  Awaitable<bool> pump(Exchange& exchange);
  Awaitable<> open_stream(Exchange& exchange);
  Awaitable<> write_part(const Exchange& exchange, std::string_view part);
  Awaitable<> finish(Exchange& exchange, const HttpReply::Answer& answer);
  Awaitable<bool> respond(const net::RequestHead& head, const net::HttpResponse& response);
  net::Afterwards afterwards(const net::RequestHead& head) const;
  bool may_stream() const;  // whether this client may have one more stream

  Awaitable<bool> write(std::string_view bytes);  // all of it; false if the client is gone
  void watch();  // for the client going away or sending ahead, while the core is at work
  Awaitable<> unwatch();
  Awaitable<> wait(Milliseconds at_most);  // until ring()
  void ring() { bell_.cancel(); }
  void set_deadline(Milliseconds time);  // whatever the socket does ends then
  void clear_deadline();

  ServerState& state_;
  Socket socket_;
  boost::asio::steady_timer bell_, deadline_;
  std::string client_, local_;  // addresses
  std::array<char, 16u << 10> piece_{};
  std::string in_;  // read, but not used yet
  bool is_reading_ = false, is_watching_ = false;
  bool is_late_ = false;  // the deadline came
  bool is_gone_ = false;  // the client has closed its side, or takes nothing any more
  bool is_abandoned_ = false;
};

}  // namespace weft::mcp

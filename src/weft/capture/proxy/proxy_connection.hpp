// One client connection of the proxy, and its own connection to the upstream.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "weft/capture/proxy/proxy.hpp"
#include "weft/capture/proxy/upstream.hpp"
#include "weft/net/acceptor.hpp"
#include "weft/net/hosts.hpp"

namespace weft::capture {

// Shared by the connections of one proxy.
struct ProxyState {
  const ProxyOptions& options;
  net::Acceptor& acceptor;
  Upstreams& upstreams;
  const net::Hosts hosts;
};

class ProxyConnection final : public net::Connection,
                              public std::enable_shared_from_this<ProxyConnection> {
 public:
  template <class T = void>
  using Awaitable = boost::asio::awaitable<T>;

  // `state` outlives it.
  ProxyConnection(net::Acceptor::Socket client, net::Peer peer, ProxyState& state);

  Awaitable<> run() override;
  void stop() override;
  void abandon() override;
  std::optional<std::chrono::steady_clock::time_point> waiting_since() const override;

 private:
  // Closes both sides. Exchanges under way end with `end`.
  void close(ExchangeEnd end);
  // From the client to the upstream, and from the upstream to the client.
  Awaitable<> pass_up();
  Awaitable<> pass_down();
  // Passes on what was read from the client. False if the connection is to end.
  Awaitable<bool> pass_piece(std::string_view piece);
  // Until another request may begin. False if the client is gone.
  Awaitable<bool> await_room();
  // Programs of this user on this machine may use the proxy, others only if the user allows it.
  bool is_admitted() const;
  Awaitable<> refuse_peer();
  // The upstream has closed its side.
  Awaitable<> end_down(Upstream::End end);
  void note_unrecorded();
  // Refuses the request that tap_ refused.
  Awaitable<> refuse();
  // The upstream cannot be reached: waits for a request, and refuses it.
  Awaitable<> refuse_unreached(std::string why);
  Awaitable<> answer_and_close(std::string answer);

  ProxyState& state_;
  net::Acceptor::Socket client_;
  std::unique_ptr<Upstream> upstream_;
  boost::asio::steady_timer timer_, room_timer_;
  ExchangeTap tap_;
  std::chrono::steady_clock::time_point last_byte_ = std::chrono::steady_clock::now();
  bool is_closed_ = false, is_ending_ = false, was_noted_ = false;
  bool has_failed_ = false;  // writing to the upstream; its response may still come
};

}  // namespace weft::capture

// One client connection of the proxy, and its own connection to the upstream.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <memory>
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
  ProxyConnection(net::Acceptor::Socket client, ProxyState& state);

  Awaitable<> run() override;
  void stop() override;
  void abandon() override;

 private:
  // Closes both sides. Exchanges under way end with `end`.
  void close(ExchangeEnd end);
  // From the client to the upstream, and from the upstream to the client.
  Awaitable<> pass_up();
  Awaitable<> pass_down();
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
  boost::asio::steady_timer timer_;
  ExchangeTap tap_;
  bool is_closed_ = false, is_ending_ = false, was_noted_ = false;
};

}  // namespace weft::capture

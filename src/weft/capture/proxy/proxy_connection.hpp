// One client of a proxy, and the connection to the upstream that is its own.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <string>

#include "weft/capture/proxy/proxy.hpp"
#include "weft/capture/proxy/upstream.hpp"
#include "weft/net/acceptor.hpp"
#include "weft/net/hosts.hpp"

namespace weft::capture {

// What all connections share.
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
  // Closes both sides; an exchange under way ends as `how` says.
  void close(How how);
  // From the client to the upstream, and back.
  Awaitable<> pass_up();
  Awaitable<> pass_down();
  // The upstream sends no more.
  Awaitable<> end_down(Upstream::End end);
  void note_what_is_lost();
  // What tap_ refuses.
  Awaitable<> refuse();
  // Once there is a request to be refused.
  Awaitable<> refuse_unreached(std::string why);
  Awaitable<> answer_and_close(std::string answer);

  ProxyState& state_;
  net::Acceptor::Socket client_;
  std::unique_ptr<Upstream> upstream_;
  boost::asio::steady_timer timer_;
  Tap tap_;
  bool is_closed_ = false, is_ending_ = false, was_noted_ = false;
};

}  // namespace weft::capture

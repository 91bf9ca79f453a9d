// One client of a proxy, and the connection to the upstream that is its own.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "weft/capture/proxy/proxy.hpp"
#include "weft/capture/proxy/upstream.hpp"
#include "weft/net/hosts.hpp"

namespace weft::capture {

class ProxyConnection;

// What all connections share.
struct ProxyState {
  const ProxyOptions& options;
  boost::asio::io_context& io;
  Upstreams& upstreams;
  const net::Hosts hosts;
  std::set<ProxyConnection*> connections{};
  bool is_stopping = false;
  std::function<void()> emptied{};  // the last one is gone
};

class ProxyConnection : public std::enable_shared_from_this<ProxyConnection> {
 public:
  template <class T = void>
  using Awaitable = boost::asio::awaitable<T>;

  // `floor` outlives it.
  ProxyConnection(boost::asio::ip::tcp::socket client, ProxyState& state);
  ~ProxyConnection();
  ProxyConnection(const ProxyConnection&) = delete;
  ProxyConnection& operator=(const ProxyConnection&) = delete;

  // Until both sides are done.
  Awaitable<> run();

  bool is_busy() const { return tap_.is_busy(); }
  // Whatever is under way breaks off.
  void close(How how);
  void close_if_idle();

 private:
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
  boost::asio::ip::tcp::socket client_;
  std::unique_ptr<Upstream> upstream_;
  boost::asio::steady_timer timer_;
  Tap tap_;
  bool is_closed_ = false, is_ending_ = false, was_noted_ = false;
};

}  // namespace weft::capture

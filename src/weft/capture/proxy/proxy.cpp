#include "weft/capture/proxy/proxy.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/capture/proxy/proxy_connection.hpp"
#include "weft/net/http_response.hpp"

namespace weft::capture {
namespace {

// For the exchanges under way when the proxy stops.
constexpr std::chrono::seconds kDrainTime{30};
// Each has two sockets, and a file for every request that is not answered.
constexpr std::size_t kMostConnections = 1'024;
// Of another user or another machine, as far as they are admitted.
constexpr std::size_t kMostOfOthers = 64;

std::string to_busy_response() {
  return net::to_bytes(
      net::to_response({503, "weft record: too many connections are open; close some"}),
      net::Afterwards::close);
}

}  // namespace

Status run_proxy(const ProxyOptions& options, int stop,
                 const std::function<void(std::uint16_t port)>& listening) {
  try {
    WEFT_TRY_VALUE(auto upstreams, Upstreams::open(options.upstream));
    WEFT_TRY_VALUE(auto listened, net::Acceptor::listen({.address = options.address,
                                                         .port = options.port,
                                                         .second_stop = net::SecondStop::abandons,
                                                         .drain_time = kDrainTime,
                                                         .most_connections = kMostConnections,
                                                         .most_connections_each = kMostOfOthers,
                                                         .busy_response = to_busy_response()}));
    net::Acceptor& acceptor = *listened;
    ProxyState state{.options = options,
                     .acceptor = acceptor,
                     .upstreams = *upstreams,
                     .hosts = net::Hosts(acceptor.port(), options.hosts)};
    if (listening) listening(acceptor.port());
    acceptor.run(stop, [&state](net::Acceptor::Socket socket, net::Peer peer) {
      return std::make_shared<ProxyConnection>(std::move(socket), std::move(peer), state);
    });
    return {};
  } catch (const std::exception& exception) {
    return fail(ErrorCode::internal,
                fmt::format("cannot run the recording proxy: {}", exception.what()));
  }
}

}  // namespace weft::capture

#include "weft/capture/proxy/proxy.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/capture/proxy/proxy_connection.hpp"

namespace weft::capture {
namespace {

// For the exchanges under way when the proxy stops.
constexpr std::chrono::seconds kDrainTime{30};

}  // namespace

Status run_proxy(const ProxyOptions& options, int stop,
                 const std::function<void(std::uint16_t port)>& listening) {
  try {
    WEFT_TRY_VALUE(auto upstreams, Upstreams::open(options.upstream));
    WEFT_TRY_VALUE(auto listened, net::Acceptor::listen({.address = options.address,
                                                         .port = options.port,
                                                         .second_stop = net::SecondStop::abandons,
                                                         .drain_time = kDrainTime}));
    net::Acceptor& acceptor = *listened;
    ProxyState state{.options = options,
                     .acceptor = acceptor,
                     .upstreams = *upstreams,
                     .hosts = net::Hosts(acceptor.port(), options.hosts)};
    if (listening) listening(acceptor.port());
    acceptor.run(stop, [&state](net::Acceptor::Socket socket) {
      return std::make_shared<ProxyConnection>(std::move(socket), state);
    });
    return {};
  } catch (const std::exception& exception) {
    return fail(ErrorCode::internal,
                fmt::format("cannot run the recording proxy: {}", exception.what()));
  }
}

}  // namespace weft::capture

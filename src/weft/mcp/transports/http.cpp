#include "weft/mcp/transports/http.hpp"

#include <fmt/format.h>

#include <thread>

#include "weft/mcp/transports/http_connection.hpp"

namespace weft::mcp {

Status serve_http(Server& server, const HttpOptions& options, int stop,
                  const std::function<void(std::uint16_t port)>& listening) {
  try {
    Result<std::unique_ptr<net::Acceptor>> listened = net::Acceptor::listen(
        {.address = options.address,
         .port = options.port,
         .drain_time = options.drain_time,
         .most_connections = options.most_connections,
         .most_connections_each = options.most_connections_each,
         .most_connections_own = options.most_connections_own,
         .busy_response = net::to_bytes(
             net::to_response(
                 {503, "too many connections are open; close some, or try again later"}),
             net::Afterwards::close)});
    if (!listened) return fail(std::move(listened).error());
    net::Acceptor& acceptor = **listened;
    ServerState state{.server = server,
                      .options = options,
                      .acceptor = acceptor,
                      .rules = {.hosts = net::Hosts(acceptor.port(), options.hosts),
                                .token = options.token,
                                .admits_own_user = options.admits_own_user,
                                .find_person = options.find_person,
                                .needs_tls_proxy = options.needs_tls_proxy,
                                .most_body_bytes = options.most_body_bytes,
                                .site = options.site}};
    if (listening) listening(acceptor.port());
    std::jthread drainer;
    acceptor.run(
        stop,
        [&state](net::Acceptor::Socket socket, net::Peer peer) {
          return std::make_shared<HttpConnection>(std::move(socket), std::move(peer), state);
        },
        // drain() blocks until every request is answered; this thread writes the answers.
        [&] {
          drainer = std::jthread([&server, site = options.site] {
            if (site != nullptr) site->drain();
            server.drain();
          });
        });
    return {};
  } catch (const std::exception& exception) {
    return fail(ErrorCode::internal, fmt::format("cannot serve HTTP: {}", exception.what()));
  }
}

}  // namespace weft::mcp

// A server with the conformance suite's fixtures: conformance_server [PORT]. Prints the URL that it
// listens at, and serves until SIGINT or SIGTERM.
#include <sys/signalfd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "fixtures.hpp"
#include "weft/mcp/transports/http.hpp"

namespace weft::conformance {
mcp::Server* running = nullptr;
}

int main(int argc, char** argv) {
  using namespace weft;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const int stop = ::signalfd(-1, &signals, SFD_CLOEXEC);
  mcp::Server server({.name = "weft-conformance",
                      .title = "weft's protocol with the suite's fixtures",
                      .version = "1",
                      .instructions = "For the conformance suite.",
                      .tools = conformance::tools(),
                      .prompts = conformance::prompts(),
                      .resources = conformance::resources(),
                      .logs = true,
                      .lists_change = true},
                     nullptr);
  conformance::running = &server;
  mcp::HttpOptions options;
  options.port = static_cast<std::uint16_t>(argc > 1 ? std::atoi(argv[1]) : 0);
  const Status served = mcp::serve_http(server, options, stop, [](std::uint16_t port) {
    std::printf("http://127.0.0.1:%u/mcp\n", static_cast<unsigned>(port));
    std::fflush(stdout);
  });
  if (!served) std::fprintf(stderr, "%s\n", served.error().message.c_str());
  return served ? 0 : 3;
}

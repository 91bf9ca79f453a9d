// Finding the user behind a connection, with few and with many sockets open: one question to the
// kernel against reading /proc/net/tcp, which every connection of a server would cost.
#include <arpa/inet.h>
#include <benchmark/benchmark.h>
#include <sys/socket.h>

#include <vector>

#include "weft/net/peer_user.hpp"

namespace weft::bench {
namespace {

// Connections on loopback, both ends of them.
class Connections {
 public:
  explicit Connections(std::int64_t sockets) : listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    sockaddr* any = reinterpret_cast<sockaddr*>(&address);
    ::bind(listener_.get(), any, sizeof address);
    ::listen(listener_.get(), 16);
    ::getsockname(listener_.get(), any, &size);
    while (static_cast<std::int64_t>(ends_.size()) < sockets) {
      ends_.emplace_back(::socket(AF_INET, SOCK_STREAM, 0));
      ::connect(ends_.back().get(), any, sizeof address);
      ends_.emplace_back(::accept(listener_.get(), nullptr, nullptr));
    }
  }
  int last() const { return ends_.back().get(); }

 private:
  Fd listener_;
  std::vector<Fd> ends_;
};

void find(benchmark::State& state, net::PeerUsers::Ask ask) {
  const Connections connections(state.range(0));
  net::PeerUsers users(ask);
  for (auto _ : state) {
    if (!users.find(connections.last())) state.SkipWithError("the user was not found");
  }
}

BENCHMARK_CAPTURE(find, kernel, net::PeerUsers::Ask::kernel)
    ->Arg(10)
    ->Arg(1'000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(find, tables, net::PeerUsers::Ask::tables)
    ->Arg(10)
    ->Arg(1'000)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace weft::bench

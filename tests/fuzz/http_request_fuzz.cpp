// Any bytes as requests, in two pieces cut anywhere: each is read, refused, or waits for more, and
// nothing is consumed beyond the limits.
#include <cstdint>
#include <cstdlib>

#include "weft/mcp/protocol/message.hpp"
#include "weft/mcp/transports/http_mirror.hpp"
#include "weft/mcp/transports/http_rules.hpp"

namespace {

constexpr std::size_t kMostHeader = 1'000, kMostBody = 500;

void require(bool holds) {
  if (!holds) std::abort();
}

void look_at(weft::net::RequestReader& reader) {
  using namespace weft::mcp;
  static const HttpRules kRules{.hosts = weft::net::Hosts(4737, {"weft.example"}),
                                .token = "token",
                                .most_body_bytes = kMostBody};
  if (reader.has_head()) {
    const auto route = admit(reader.head(), kRules, {.local = "127.0.0.1"});
    require(route || route.error().status >= 400);
  }
  if (!reader.is_complete()) return;
  require(reader.body().size() <= kMostBody);
  if (const auto message = parse_message(reader.body())) {
    check_mirrored(reader.head(), *message, {});
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using weft::net::RequestReader;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t cut = data[0] % (text.size() + 1);
  for (const std::size_t first : {text.size(), cut}) {
    std::string in(text.substr(0, first));
    bool has_more = first < text.size();
    auto reader = std::make_unique<RequestReader>(kMostHeader, kMostBody);
    for (std::size_t steps = 0; steps <= 2 * text.size() + 4; ++steps) {
      const std::size_t consumed = reader->take(in);
      require(consumed <= in.size());
      in.erase(0, consumed);
      if (reader->refusal()) break;
      if (reader->is_complete()) {
        look_at(*reader);
        reader = std::make_unique<RequestReader>(kMostHeader, kMostBody);
      } else if (consumed == 0) {
        if (!has_more) break;
        in += text.substr(first);
        has_more = false;
      } else {
        look_at(*reader);
      }
    }
  }
  return 0;
}

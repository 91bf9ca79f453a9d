// Any bytes on both sides of a connection, in pieces cut anywhere: the pieces do not change what is
// forwarded and recorded; and any bytes in any encoding are decoded within the limit or refused.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "weft/capture/proxy/recorded_for_test.hpp"
#include "weft/net/content_coding.hpp"

namespace {

using namespace weft::capture;

void require(bool holds) {
  if (!holds) std::abort();
}

struct Passed {
  std::string out;
  KeptExchanges heard;
};

Passed pass(std::string_view asked, std::string_view answered, std::size_t cut) {
  Passed passed;
  ExchangeTap tap({.host = "api.example", .prefix = "/p"}, keep_in(passed.heard));
  const std::size_t first = cut % (asked.size() + 1), second = cut % (answered.size() + 1);
  tap.from_client(asked.substr(0, first), passed.out);
  tap.from_client(asked.substr(first), passed.out);
  tap.from_upstream(answered.substr(0, second));
  tap.from_upstream(answered.substr(second));
  tap.close_upstream();
  for (const auto& one : passed.heard) require(one->how.has_value());
  return passed;
}

void decode(std::string_view encoding, std::string_view bytes, std::size_t cut) {
  constexpr std::size_t kLimit = 1u << 20;
  auto decoder = weft::net::open_decoder(encoding);
  require(decoder.has_value());
  std::string out;
  const std::size_t first = cut % (bytes.size() + 1);
  if ((*decoder)->push(bytes.substr(0, first), out, kLimit)) {
    static_cast<void>((*decoder)->push(bytes.substr(first), out, kLimit).has_value());
  }
  require(out.size() <= kLimit);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::size_t cut = data[0];
  // The client's bytes, then the upstream's.
  const std::size_t middle = std::min(text.find('\0'), text.size());
  const std::string_view asked = text.substr(0, middle);
  const std::string_view answered = text.substr(std::min(middle + 1, text.size()));
  const Passed whole = pass(asked, answered, 0), pieces = pass(asked, answered, cut);
  require(whole.out == pieces.out);
  require(whole.heard.size() == pieces.heard.size());
  for (std::size_t i = 0; i < whole.heard.size(); ++i) {
    require(whole.heard[i]->asked == pieces.heard[i]->asked);
    require(whole.heard[i]->answered == pieces.heard[i]->answered);
    require(whole.heard[i]->how == pieces.heard[i]->how);
  }
  constexpr std::string_view kEncodings[] = {"", "gzip", "deflate", "br", "zstd", "gzip, br"};
  decode(kEncodings[data[1] % 6], text, cut);
  return 0;
}

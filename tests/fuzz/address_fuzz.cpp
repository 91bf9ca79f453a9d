// Any text as the URL of an upstream, as an address to listen on and as a Host: what is read has
// one form that reads back to the same.
#include "fuzz_files.hpp"
#include "weft/cli/serve/listen_address.hpp"
#include "weft/net/endpoint.hpp"
#include "weft/net/hosts.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft;
  const std::string_view text = fuzz::text_of(data, size);
  if (const Result<net::Url> url = net::Url::parse(text)) {
    fuzz::require(url->port != 0 && !url->host.empty());
    fuzz::require(url->prefix.empty() ||
                  (url->prefix.starts_with('/') && !url->prefix.ends_with('/')));
    const std::string again =
        std::string(url->is_tls ? "https://" : "http://") + url->authority() + url->prefix;
    const Result<net::Url> back = net::Url::parse(again);
    fuzz::require(back && *back == *url);
  }
  if (const auto address = cli::parse_listen_address(text)) {
    fuzz::require(net::is_address(address->address));
    const std::string again =
        net::bracketed(address->address) + ":" + std::to_string(address->port);
    fuzz::require(cli::parse_listen_address(again) == address);
  }
  const net::Hosts hosts(4737, {"weft.example"});
  if (hosts.is_own_host(text, "127.0.0.1")) fuzz::require(hosts.allow_host(text, "127.0.0.1"));
  hosts.allow_origin(text, "127.0.0.1");
  return 0;
}

// The options of serving over HTTP, shared by `weft serve` and `weft up`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/cli/app/arguments.hpp"
#include "weft/cli/app/context.hpp"
#include "weft/cli/serve/listen_address.hpp"
#include "weft/mcp/transports/http.hpp"
#include "weft/page/page_context.hpp"

namespace weft::cli {

struct ServeOptions {
  std::string listen = "127.0.0.1:4737";
  std::optional<std::string> token_file;
  bool no_token = false;
  bool behind_proxy = false;  // on another machine, which clients reach over TLS
  std::vector<std::string> hosts, allow;

  void add_to(Arguments& arguments);

  ListenAddress at() const { return parse_listen_address(listen).value_or(ListenAddress()); }
  // Withheld if somebody beyond this machine may be served: the address can be reached from there,
  // or --host has the name of a proxy's.
  page::FileTexts file_texts() const;
  // The file with the token; empty with --no-token.
  std::string token_path(const Context& context) const;
  // Creates the token if it is missing. A usage error if --no-token is combined with an address
  // that other machines can reach, or with --token-file; and if such an address is to be listened
  // on without --behind-proxy. On loopback it goes without a token if the home cannot be written.
  // A list of people's tokens that others can read, or that is damaged, is refused.
  Outcome<mcp::HttpOptions> http(const Context& context) const;
  // One line for people: who may use a server with the options that http() returned.
  std::string admission(const Context& context, const mcp::HttpOptions& http) const;
};

}  // namespace weft::cli

#include "weft/cli/serve/serve_options.hpp"

#include "weft/cli/app/config.hpp"
#include "weft/cli/serve/token.hpp"
#include "weft/net/endpoint.hpp"

namespace weft::cli {
namespace {

std::string check_listen(const std::string& text) {
  return parse_listen_address(text)
             ? std::string()
             : "expected ADDRESS:PORT, for example 127.0.0.1:4737 or [::1]:4737";
}

std::string check_host(const std::string& text) {
  return net::parse_authority(text)
             ? std::string()
             : "expected a name, for example weft.example or weft.example:8443";
}

}  // namespace

void ServeOptions::add_to(Arguments& arguments) {
  arguments.add("--listen", listen,
                "Address and port to listen on (default: 127.0.0.1:4737; port 0 picks a free one)",
                {.value = "HOST:PORT", .check = check_listen});
  arguments.add("--token-file", token_file,
                "Require clients to send the token in this file; created if it does not exist",
                {.value = "FILE"});
  arguments.add("--host", hosts,
                "Host name by which clients may address this server; may be repeated",
                {.value = "NAME", .check = check_host});
  arguments.add("--allow", allow,
                "Folder from which clients may ingest transcripts; may be repeated",
                {.value = "DIR"});
}

std::string ServeOptions::token_path(const Context& context) const {
  if (token_file) return with_home(*token_file, context.environment());
  if (at().is_loopback) return {};
  return (context.home().directory / "serve.token").string();
}

Outcome<mcp::HttpOptions> ServeOptions::http(const Context& context) const {
  const ListenAddress where = at();
  mcp::HttpOptions options{.address = where.address, .port = where.port, .hosts = hosts};
  const std::string path = token_path(context);
  if (path.empty()) return options;
  Result<Token> token = read_or_make_token(path);
  if (!token) return refuse(std::move(token).error(), Exit::failure);
  options.token = std::move(token->text);
  return options;
}

}  // namespace weft::cli

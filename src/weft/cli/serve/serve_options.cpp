#include "weft/cli/serve/serve_options.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "weft/cli/app/config.hpp"
#include "weft/cli/serve/token.hpp"
#include "weft/cli/serve/token_list.hpp"
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

// Browsers take every name below localhost for this machine.
bool is_name_of_loopback(const std::string& name) {
  const auto typed = net::parse_authority(name);
  return typed && (net::is_loopback(typed->host) || typed->host.ends_with(".localhost"));
}

}  // namespace

void ServeOptions::add_to(Arguments& arguments) {
  arguments.add("--listen", listen,
                "Address and port to listen on (default: 127.0.0.1:4737; port 0 picks a free one)",
                {.value = "HOST:PORT", .check = check_listen});
  arguments.add("--token-file", token_file,
                "File with the token for clients that do not run as you on this machine; created "
                "if it does not exist (default: serve.token in the home)",
                {.value = "FILE"});
  arguments.flag("--no-token", no_token,
                 "Serve every user of this machine, without a token; on loopback only");
  arguments.add("--host", hosts,
                "Host name by which clients may address this server; may be repeated",
                {.value = "NAME", .check = check_host});
  arguments.flag("--behind-proxy", behind_proxy,
                 "Listen on an address that other machines can reach, for a proxy with TLS; "
                 "nothing else is served");
  arguments.add("--allow", allow,
                "Folder from which clients may ingest transcripts; may be repeated",
                {.value = "DIR"});
}

page::FileTexts ServeOptions::file_texts() const {
  const bool is_here = at().is_loopback && std::ranges::all_of(hosts, is_name_of_loopback);
  return is_here ? page::FileTexts::shown : page::FileTexts::withheld;
}

std::string ServeOptions::token_path(const Context& context) const {
  if (no_token) return {};
  if (token_file) return with_home(*token_file, context.environment());
  return (context.home().directory / "serve.token").string();
}

Outcome<mcp::HttpOptions> ServeOptions::http(const Context& context) const {
  const ListenAddress where = at();
  mcp::HttpOptions options{.address = where.address, .port = where.port, .hosts = hosts};
  if (no_token && (token_file || !where.is_loopback)) {
    return refuse(
        {ErrorCode::invalid_input,
         token_file ? "--no-token and --token-file contradict each other; pass one of them"
                    : "refusing to serve " + listen +
                          " with --no-token: other machines could read the store; leave "
                          "out --no-token, or listen on 127.0.0.1"},
        Exit::usage);
  }
  if (!where.is_loopback && !behind_proxy) {
    return refuse(
        {ErrorCode::invalid_input,
         "refusing to serve " + listen +
             ": weft does not encrypt, and other machines could listen in; listen on 127.0.0.1 "
             "behind a proxy with TLS, or pass --behind-proxy if that proxy is elsewhere"},
        Exit::usage);
  }
  options.needs_tls_proxy = behind_proxy && !where.is_loopback;
  if (no_token) return options;
  options.admits_own_user = true;
  const std::filesystem::path people = token_list_path(context.home().directory);
  if (const auto listed = read_token_list(people); !listed) return refuse(Error(listed.error()));
  options.find_person =
      [watched = std::make_shared<WatchedTokens>(people, [&context](const Error& error) {
         context.note("nobody is admitted by a token of their own: " + error.message);
       })](std::string_view token) { return watched->find(token); };
  const std::string path = token_path(context);
  Result<Token> token = read_or_make_token(path);
  const bool is_readable = ::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) == 0;
  const bool is_dispensable = !token_file && where.is_loopback;
  if (token) {
    options.token = std::move(token->text);
  } else if (!is_dispensable || is_readable) {
    return refuse(std::move(token).error(), Exit::failure);
  }
  return options;
}

std::string ServeOptions::admission(const Context& context, const mcp::HttpOptions& http) const {
  if (no_token) return "every user of this machine may use it, because of --no-token";
  const auto people = read_token_list(token_list_path(context.home().directory));
  const std::string with_tokens =
      people && !people->empty() ? ", or a token of their own (weft tokens list)" : "";
  if (!http.token) return "only your own programs on this machine may use it" + with_tokens;
  return "your own programs on this machine may use it; others need the token in " +
         token_path(context) + with_tokens;
}

}  // namespace weft::cli

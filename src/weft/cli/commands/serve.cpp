// weft serve: the web in every agent's hands, over HTTP.
#include <cstdio>
#include <memory>

#include "weft/cli/command.hpp"
#include "weft/cli/config.hpp"
#include "weft/cli/listen_at.hpp"
#include "weft/cli/serving.hpp"
#include "weft/cli/token.hpp"
#include "weft/mcp/transports/http.hpp"
#include "weft/mcp/transports/http_hosts.hpp"

namespace weft::cli {
namespace {

struct Options {
  Where where;
  std::vector<std::string> allow, hosts;
  std::string listen = "127.0.0.1:4737";
  std::optional<std::string> token_file;
};

std::string check_listen(const std::string& text) {
  return parse_listen_at(text) ? std::string()
                               : "want ADDRESS:PORT, as in 127.0.0.1:4737 or [::1]:4737";
}

std::string check_host(const std::string& text) {
  return mcp::parse_authority(text) ? std::string()
                                    : "want a name, as in weft.example or weft.example:8443";
}

void tell(const Context& context, const std::string& url, const std::string& token_file) {
  context.note("listening on " + url);
  if (!token_file.empty()) context.note("clients show the token in " + token_file);
  if (!context.json()) return;
  json::object document{{"url", url}};
  if (!token_file.empty()) document["token_file"] = token_file;
  context.print_json(document);
  std::fflush(context.out());
}

Answer serve(const Context& context, const Options& options) {
  const ListenAt at = parse_listen_at(options.listen).value_or(ListenAt());
  Asked<std::unique_ptr<Serving>> serving = Serving::begin(context, options.where, options.allow);
  if (!serving) return refuse(std::move(serving));

  mcp::HttpOptions http{.address = at.address, .port = at.port, .hosts = options.hosts};
  std::string token_file;
  if (options.token_file) {
    token_file = with_home(*options.token_file, context.environment());
  } else if (!at.is_loopback) {
    token_file = (context.home().directory / "serve.token").string();
  }
  if (!token_file.empty()) {
    Result<Token> token = read_or_make_token(token_file);
    if (!token) return refuse(std::move(token).error(), Exit::failure);
    http.token = std::move(token->text);
  }
  const Status served =
      mcp::serve_http((*serving)->server(), http, (*serving)->stop_descriptor(),
                      [&](std::uint16_t port) { tell(context, at.url(port), token_file); });
  if (!served) return refuse(served.error());
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("--listen", options->listen, "Where to listen (127.0.0.1:4737); port 0 is any",
                {.value = "HOST:PORT", .check = check_listen});
  arguments.add("--token-file", options->token_file,
                "Ask clients for the token in this file; it is made if it is missing",
                {.value = "FILE"});
  arguments.add("--host", options->hosts,
                "A name by which clients may call this server, given each time",
                {.value = "NAME", .check = check_host});
  options->where.add_to(arguments);
  arguments.add("--allow", options->allow,
                "A folder from which a client may have transcripts taken in, given each time",
                {.value = "DIR"});
  return [options](Context& context) { return serve(context, *options); };
}

}  // namespace

const Command& serve_command() {
  static const Command command = {
      .name = "serve",
      .group = Group::serve,
      .summary = "serve the web to agents over HTTP",
      .about =
          "Speaks the Model Context Protocol over HTTP at /mcp: agents search your\n"
          "conversations, read them, and ask why. It listens on this machine alone unless\n"
          "--listen says otherwise; then clients must show the token that lies in\n"
          "serve.token in weft's home, or in --token-file. Nothing is encrypted on the way:\n"
          "put a proxy with TLS before it, and tell its name with --host. It ends on Ctrl-C,\n"
          "once what is under way is answered.",
      .examples =
          "weft serve\n"
          "weft serve --listen 127.0.0.1:8080\n"
          "weft serve --listen 0.0.0.0:4737 --host weft.example",
      .see_also = "weft mcp, weft search, weft keys",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli

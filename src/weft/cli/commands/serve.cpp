// weft serve: serves the store to agents over HTTP.
#include <cstdio>
#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/serve/serve_options.hpp"
#include "weft/cli/serve/serving.hpp"

namespace weft::cli {
namespace {

struct Options {
  ServeOptions serve;
  SourceOptions where;
};

void print_endpoint(const Context& context, const ServeOptions& options,
                    const mcp::HttpOptions& http, const std::string& url) {
  context.note("listening on " + url);
  context.note(options.admission(context, http));
  const std::string token_file = http.token ? options.token_path(context) : "";
  if (!context.json()) return;
  json::object document{{"url", url}};
  if (!token_file.empty()) document["token_file"] = token_file;
  context.print_json(document);
  std::fflush(context.out());
}

Answer serve(const Context& context, const Options& options) {
  const ListenAddress at = options.serve.at();
  Outcome<std::unique_ptr<Serving>> serving =
      Serving::begin(context, options.where, options.serve.allow);
  if (!serving) return refuse(std::move(serving));
  Outcome<mcp::HttpOptions> http = options.serve.http(context);
  if (!http) return std::unexpected(http.error());
  http->site = &(*serving)->page();
  const Status served = mcp::serve_http(
      (*serving)->server(), *http, (*serving)->stop_descriptor(),
      [&](std::uint16_t port) { print_endpoint(context, options.serve, *http, at.url(port)); });
  if (!served) return refuse(served.error());
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  options->serve.add_to(arguments);
  options->where.add_to(arguments);
  return [options](Context& context) { return serve(context, *options); };
}

}  // namespace

const Command& serve_command() {
  static const Command command = {
      .name = "serve",
      .group = Group::serve,
      .summary = "serve the store to agents over HTTP",
      .about =
          "Speaks the Model Context Protocol over HTTP at /mcp: agents can search your\n"
          "conversations, read them, and ask why an answer was given. It accepts connections from\n"
          "this machine only, unless --listen names another address. Programs that run as you on\n"
          "this machine may use it; all others must send the token in serve.token in the home, or\n"
          "in --token-file. The connection is not encrypted: put a proxy with TLS in front of it,\n"
          "and name that proxy's host with --host. Stops on Ctrl-C, after the requests under way\n"
          "are answered.",
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

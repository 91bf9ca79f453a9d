// weft serve: the web in every agent's hands, over HTTP.
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
  const ListenAddress at = options.serve.at();
  Asked<std::unique_ptr<Serving>> serving =
      Serving::begin(context, options.where, options.serve.allow);
  if (!serving) return refuse(std::move(serving));
  const Asked<mcp::HttpOptions> http = options.serve.http(context);
  if (!http) return std::unexpected(http.error());
  const Status served = mcp::serve_http(
      (*serving)->server(), *http, (*serving)->stop_descriptor(),
      [&](std::uint16_t port) { tell(context, at.url(port), options.serve.token_path(context)); });
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

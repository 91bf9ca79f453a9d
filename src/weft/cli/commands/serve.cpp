// weft serve: serves the store over HTTP, to people and to agents.
#include <unistd.h>

#include <array>
#include <cstdio>
#include <memory>
#include <optional>

#include "weft/cli/app/command.hpp"
#include "weft/cli/serve/running_server.hpp"
#include "weft/cli/serve/serve_options.hpp"
#include "weft/cli/serve/serving.hpp"
#include "weft/keep/keeper.hpp"

namespace weft::cli {
namespace {

struct Options {
  ServeOptions serve;
  SourceOptions where;
};

void print_endpoint(const Context& context, const ServeOptions& options,
                    const mcp::HttpOptions& http, const ListenAddress& at, std::uint16_t port) {
  const std::string url = at.url(port);
  context.note("listening on " + url + "; the page is at " + at.page_url(port));
  context.note(options.admission(context, http));
  const std::string token_file = http.token ? options.token_path(context) : "";
  if (!context.json()) return;
  json::object document{{"url", url}, {"page", at.page_url(port)}};
  if (!token_file.empty()) document["token_file"] = token_file;
  context.print_json(document);
  std::fflush(context.out());
}

// A store in a file is kept by the processes that write to it.
void begin_to_keep(const Context& context, std::optional<keep::Keeper>& keeper) {
  const store::StoreUrl& url = context.home().store;
  if (!url.server()) return;
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  keeper.emplace(
      keep::KeeperOptions{.server = *url.server(),
                          .label = std::string(host.data()) + ":" + std::to_string(::getpid()),
                          .on_note = [&context](const std::string& line) { context.note(line); }});
}

Answer serve(const Context& context, const Options& options) {
  const ListenAddress at = options.serve.at();
  Outcome<std::unique_ptr<Serving>> serving =
      Serving::begin(context, options.where, options.serve.allow);
  if (!serving) return refuse(std::move(serving));
  Outcome<mcp::HttpOptions> http = options.serve.http(context);
  if (!http) return std::unexpected(http.error());
  http->site = &(*serving)->page(options.serve.file_texts());
  std::optional<keep::Keeper> keeper;
  std::optional<ServerNote> note;
  const Status served = mcp::serve_http((*serving)->server(), *http, (*serving)->stop_descriptor(),
                                        [&](std::uint16_t port) {
                                          note.emplace(context.home().directory, at, port);
                                          print_endpoint(context, options.serve, *http, at, port);
                                          begin_to_keep(context, keeper);
                                        });
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
      .summary = "serve the store over HTTP: the page for people, MCP for agents",
      .about =
          "Serves the page, which shows your conversations in a browser (weft open), and speaks "
          "the\n"
          "Model Context Protocol at /mcp: agents can search your conversations, read them, and "
          "ask\n"
          "why an answer was given. It accepts connections from\n"
          "this machine only. Programs that run as you on this machine may use it; all others "
          "must\n"
          "send the token in serve.token in the home, or in --token-file, or one of their own "
          "(weft\n"
          "tokens). The connection is not encrypted: put a proxy with TLS in front of it, and "
          "name\n"
          "that proxy's host with --host. If the proxy is on another machine, --listen names the\n"
          "address that it reaches, and --behind-proxy has everything refused that did not come\n"
          "over TLS. Stops on Ctrl-C, after the requests under way are answered.\n"
          "\n"
          "Over a store on a server it is also the keeper of the store: it merges the search "
          "index,\n"
          "checks what is new, and carries out what was forgotten (weft forget --remote).",
      .examples =
          "weft serve\n"
          "weft serve --listen 127.0.0.1:8080\n"
          "weft serve --host weft.example\n"
          "weft serve --store postgres://db.example.com/looms --listen 10.0.0.4:4737 "
          "--behind-proxy "
          "--host weft.example",
      .see_also = "weft open, weft tokens, weft mcp, weft search",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli

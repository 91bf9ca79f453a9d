// weft open: opens the page in the browser.
#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/serve/browser.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string name;
  bool print = false;
};

// The path of the page that shows a conversation or a thought; "/" for no name.
Outcome<std::string> path_of(const Context& context, const std::string& name) {
  if (name.empty()) return "/";
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::PinnedLibrary library = opened->snapshot();
  if (const auto row = query::resolve_conversation(library, name)) return "/c/" + row->cid.str();
  Outcome<Cid> cid = thought_called(library, name);
  if (!cid) return refuse(std::move(cid));
  return "/t/" + cid->str();
}

Answer open(const Context& context, const Options& options) {
  Outcome<std::string> path = path_of(context, options.name);
  if (!path) return refuse(std::move(path));
  const auto server = find_running_server(context.home().directory);
  if (!server) {
    return refuse({ErrorCode::unavailable,
                   "no server runs for this home; start one with weft up or weft serve"});
  }
  if (options.print || context.json()) {
    print_link(context, server->url + *path);
    return Exit::done;
  }
  if (Status opened = open_page(context, *server, *path); !opened) {
    return refuse(std::move(opened).error());
  }
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("NAME", options->name, "A conversation or a thought (default: the first screen)");
  arguments.flag("--print", options->print, "Print the link, and start no browser");
  return [options](Context& context) { return open(context, *options); };
}

}  // namespace

const Command& open_command() {
  static const Command command = {
      .name = "open",
      .group = Group::serve,
      .summary = "open weft's page in the browser",
      .about =
          "Opens the page of the server that weft up or weft serve runs for this home, at a\n"
          "conversation or a thought if one is named. Without a display, and over SSH, it prints\n"
          "the link instead. Where the server wants its token, the browser gets it through a file\n"
          "that only you can read.",
      .examples =
          "weft open\n"
          "weft open 3f2a91c0\n"
          "weft open --print",
      .see_also = "weft up, weft serve",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli

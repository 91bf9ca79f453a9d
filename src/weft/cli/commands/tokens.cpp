// weft tokens: who else may use the HTTP server, each with a token and rights of their own.
#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/serve/change_tokens.hpp"

namespace weft::cli {
namespace {

struct Options {
  bool add = false, list = false, remove = false;
  NewToken wanted{};
  std::string name;
};

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  Arguments adding =
      arguments.action("add", options->add, "Make a token for a person, and show it once");
  adding.add("NAME", options->wanted.name, "Whom it is for", {.required = true});
  adding.add("--rights", options->wanted.rights,
             "What it allows: some of read, push and keeper, separated by commas (default: read)",
             {.value = "RIGHTS"});
  adding.add("--out", options->wanted.out,
             "Write the token to this new file, mode 0600 (default: stdout)", {.value = "FILE"});
  arguments.action("list", options->list, "List who has a token, and what it allows");
  arguments.action("remove", options->remove, "Take a token away, from a running server too")
      .add("NAME", options->name, "As weft tokens list shows it", {.required = true});
  return [options](Context& context) -> Answer {
    if (options->add) return add_token(context, options->wanted);
    if (options->remove) return remove_token(context, options->name);
    return list_tokens(context);
  };
}

}  // namespace

const Command& tokens_command() {
  static const Command command = {
      .name = "tokens",
      .group = Group::serve,
      .summary = "give people tokens for the HTTP server, with rights",
      .about =
          "Whoever runs weft serve may do everything on it: their programs on this machine, and\n"
          "whoever sends the token in serve.token. Other people get tokens of their own:\n"
          "\n"
          "  read    ask: the page, and the tools of agents that change nothing\n"
          "  push    add: record blocks and ingest files over MCP; signed with the server's "
          "keyring\n"
          "  keeper  see what the keeper of the store does, and what it found\n"
          "\n"
          "A token is shown once; tokens.json in the home keeps its hash. A token that was "
          "removed\n"
          "is refused from the next request on, and ends the streams that are open with it.",
      .examples =
          "weft tokens add ada --out ada.token\n"
          "weft tokens add ci --rights read,push\n"
          "weft tokens list\n"
          "weft tokens remove ada",
      .see_also = "weft serve, weft keys",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli

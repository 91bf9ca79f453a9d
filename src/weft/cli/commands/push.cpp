// weft push: sends conversations to a remote.
#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/share/run_push.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string remote;
  PushChoices choices;
};

Answer push(const Context& context, const Options& options) {
  Result<Config> config = read_config(context.home(), context.environment());
  if (!config) return refuse(std::move(config).error(), "correct or remove the file");
  Outcome<RemoteConfig> where = find_remote(context, *config, options.remote);
  if (!where) return refuse(std::move(where));
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  Result<HomeRemote> remote =
      HomeRemote::open(context, *where, opened->keys(), HomeRemote::Wait::yes);
  if (!remote) return refuse(std::move(remote).error());
  Outcome<std::optional<Pushed>> pushed = run_push(context, *opened, *remote, options.choices);
  if (!pushed) return refuse(std::move(pushed));
  if (!*pushed) {
    context.note("nothing was sent");
    return Exit::no;
  }
  if (context.json()) context.print_json(to_json(**pushed));
  else print(context, **pushed);
  return (*pushed)->is_whole() ? Exit::done : Exit::no;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("REMOTE", options->remote, "A remote of config.json (default: the only one)");
  arguments.flag(
      "--yes", options->choices.yes,
      "Send to a new remote without asking; required without a terminal and with --json");
  arguments.flag("--with-secrets", options->choices.with_secrets,
                 "Also send conversations in which secrets stand");
  arguments.flag("--check", options->choices.check,
                 "Compare every conversation thought by thought, and send again what differs");
  arguments.flag("--dry-run", options->choices.dry_run,
                 "Show what would be sent, and send nothing");
  return [options](Context& context) { return push(context, *options); };
}

}  // namespace

const Command& push_command() {
  static const Command command = {
      .name = "push",
      .group = Group::transfer,
      .summary = "send conversations to a shared folder or another store",
      .about =
          "Sends what is new in the chosen projects to a remote: a folder that any service copies\n"
          "between machines, or another store. The remotes are in config.json:\n"
          "\n"
          "  {\"remotes\": {\"team\": {\"url\": \"folder:~/Sync/weft\", \"projects\": "
          "[\"weft*\"]}}}\n"
          "\n"
          "Nothing goes by itself: the first push to a remote shows what would go and asks.\n"
          "Reasoning goes sealed; all else can be read there, unless the keyring seals everything\n"
          "(weft init --seal all). A conversation with a secret in it is held back and named.\n"
          "Each conversation arrives whole or not at all, and only what is new is sent; a push "
          "that\n"
          "was cut off is finished by the next. What you forgot here is removed there, too.",
      .examples =
          "weft push\n"
          "weft push team --dry-run\n"
          "weft push team --check\n"
          "weft push team --yes --json | jq '.sent | length'",
      .see_also = "weft pull, weft sync, weft secrets, weft export",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli

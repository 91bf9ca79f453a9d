// weft sync: takes what a remote has, then sends what it has not.
#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/share/run_pull.hpp"
#include "weft/cli/share/run_push.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string remote;
  PushChoices choices;
};

Answer sync(const Context& context, const Options& options) {
  Result<Config> config = read_config(context.home(), context.environment());
  if (!config) return refuse(std::move(config).error(), "correct or remove the file");
  Outcome<RemoteConfig> where = find_remote(context, *config, options.remote);
  if (!where) return refuse(std::move(where));
  Outcome<Opened> opened = context.open_to_import();
  if (!opened) return refuse(std::move(opened));
  Result<HomeRemote> remote =
      HomeRemote::open(context, *where, opened->keys(), HomeRemote::Wait::yes);
  if (!remote) return refuse(std::move(remote).error());
  Outcome<Pulled> pulled = run_pull(context, *opened, *config, *remote, options.choices.dry_run);
  if (!pulled) return refuse(std::move(pulled));
  if (!context.json()) print(context, *pulled);
  Outcome<std::optional<Pushed>> pushed = run_push(context, *opened, *remote, options.choices);
  if (!pushed) return refuse(std::move(pushed));
  if (!*pushed) {
    context.note("nothing was sent");
    return Exit::no;
  }
  if (context.json()) {
    context.print_json(json::object{{"pull", to_json(*pulled)}, {"push", to_json(**pushed)}});
  } else {
    print(context, **pushed);
  }
  return pulled->is_whole() && (*pushed)->is_whole() ? Exit::done : Exit::no;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("REMOTE", options->remote, "A remote of config.json (default: the only one)");
  arguments.flag(
      "--yes", options->choices.yes,
      "Send to a new remote without asking; required without a terminal and with --json");
  arguments.flag("--with-secrets", options->choices.with_secrets,
                 "Also send conversations in which secrets stand");
  arguments.flag("--dry-run", options->choices.dry_run, "Show what would be done, and do nothing");
  return [options](Context& context) { return sync(context, *options); };
}

}  // namespace

const Command& sync_command() {
  static const Command command = {
      .name = "sync",
      .group = Group::transfer,
      .summary = "pull from a remote, then push to it",
      .about =
          "Takes what a remote of config.json has and this store has not, then sends what is new\n"
          "here, as weft pull and weft push do. weft up and weft watch do it after each commit, "
          "for\n"
          "remotes with \"sync\": true that were pushed to before.",
      .examples =
          "weft sync\n"
          "weft sync team --json",
      .see_also = "weft push, weft pull, weft up, weft watch",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli

// weft pull: takes conversations from a remote.
#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/share/run_pull.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string remote;
  bool dry_run = false;
};

Answer pull(const Context& context, const Options& options) {
  Result<Config> config = read_config(context.home(), context.environment());
  if (!config) return refuse(std::move(config).error(), "correct or remove the file");
  Outcome<RemoteConfig> where = find_remote(context, *config, options.remote);
  if (!where) return refuse(std::move(where));
  Outcome<Opened> opened = context.open_to_import();
  if (!opened) return refuse(std::move(opened));
  Result<HomeRemote> remote =
      HomeRemote::open(context, *where, opened->keys(), HomeRemote::Wait::yes);
  if (!remote) return refuse(std::move(remote).error());
  Outcome<Pulled> pulled = run_pull(context, *opened, *config, *remote, options.dry_run);
  if (!pulled) return refuse(std::move(pulled));
  if (context.json()) context.print_json(to_json(*pulled));
  else print(context, *pulled);
  return pulled->is_whole() ? Exit::done : Exit::no;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("REMOTE", options->remote, "A remote of config.json (default: the only one)");
  arguments.flag("--dry-run", options->dry_run, "Show what would be taken, and take nothing");
  return [options](Context& context) { return pull(context, *options); };
}

}  // namespace

const Command& pull_command() {
  static const Command command = {
      .name = "pull",
      .group = Group::run_ingest,
      .summary = "take conversations from a shared folder or another store",
      .about =
          "Takes what a remote of config.json has and this store has not, by the rules of weft\n"
          "import: every signature is checked, each conversation is taken whole or not at all, "
          "and\n"
          "what is refused is named with its file, with exit code 1. What you forgot here does "
          "not\n"
          "come back. What the creator of a conversation forgot on another machine is forgotten\n"
          "here, too.",
      .examples =
          "weft pull\n"
          "weft pull team --dry-run\n"
          "weft pull team --json | jq .refused",
      .see_also = "weft push, weft sync, weft import, weft verify",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli

// weft restore-home: creates a home from a backup.
#include "weft/cli/upkeep/restore_home.hpp"

#include <fmt/format.h>

#include <memory>

#include "weft/base/hex.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/text.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string file;
};

Answer restore(const Context& context, const Options& options) {
  const Home& home = context.home();
  if (!home.own_store || !home.own_keyring) {
    return refuse({ErrorCode::invalid_input, "a backup is restored to a home as a whole"},
                  Exit::usage, "omit --store and --keys, and name the home with --home DIR");
  }
  Outcome<BackupManifest> manifest = restore_home(context, options.file);
  if (!manifest) return refuse(std::move(manifest));
  json::array missing;
  if (!manifest->has(kKeyringName)) missing.emplace_back(kKeyringName);
  if (context.json()) {
    context.print_json(json::object{{"home", home.directory.string()},
                                    {"head", to_hex(manifest->head)},
                                    {"checkpoints", manifest->checkpoints},
                                    {"conversations", manifest->conversations},
                                    {"created_at", manifest->created_at},
                                    {"missing", missing}});
    return Exit::done;
  }
  context.print(fmt::format("restored {}: {}, of {}\nhead {}\n",
                            on_one_line(home.directory.string()),
                            count(manifest->conversations, "conversation"),
                            local_date_time(manifest->created_at), to_hex(manifest->head)));
  if (!missing.empty()) {
    context.note(
        fmt::format("the keyring is missing, because the backup does not contain it: put "
                    "yours at {}; until then nothing can be ingested, and sealed "
                    "reasoning cannot be read",
                    home.keyring.string()));
  }
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("FILE", options->file, "A backup written by weft backup", {.required = true});
  return [options](Context& context) { return restore(context, *options); };
}

}  // namespace

const Command& restore_home_command() {
  static const Command command = {
      .name = "restore-home",
      .group = Group::transfer,
      .summary = "create a home from a backup",
      .about =
          "Creates a home from a file that `weft backup` wrote. The home must be absent or empty;\n"
          "otherwise nothing is changed and the exit code is 1. Everything is checked before it\n"
          "takes its place: sizes and hashes, SQLite's integrity check, and the head. Says what "
          "is\n"
          "missing: a backup without --with-keyring does not contain the keyring. Afterwards,\n"
          "`weft verify` checks every signature.",
      .examples =
          "weft restore-home ~/backups/weft.tar\n"
          "weft restore-home weft.tar --home ./restored --json",
      .see_also = "weft backup, weft verify, weft keys",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli

// weft backup: writes the home into one file.
#include <fmt/format.h>

#include <memory>

#include "weft/base/hex.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/cli/upkeep/write_backup.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string file;
  bool with_keyring = false, force = false;
};

json::object to_json(const BackupReport& report, const std::string& file) {
  json::array files;
  for (const BackupManifest::File& part : report.manifest.files) files.emplace_back(part.name);
  return {{"file", file},
          {"bytes", report.bytes},
          {"head", to_hex(report.manifest.head)},
          {"checkpoints", report.manifest.checkpoints},
          {"conversations", report.manifest.conversations},
          {"files", std::move(files)},
          {"keyring", report.manifest.has(kKeyringName)}};
}

Answer backup(const Context& context, const Options& options) {
  Outcome<BackupReport> report = write_backup(
      context,
      {.file = options.file, .with_keyring = options.with_keyring, .force = options.force});
  if (!report) return refuse(std::move(report));
  if (context.json()) {
    context.print_json(to_json(*report, options.file));
    return Exit::done;
  }
  const BackupManifest& manifest = report->manifest;
  context.print(fmt::format("wrote and checked {}: {}, {}\nhead {}\n", on_one_line(options.file),
                            byte_size(report->bytes), count(manifest.conversations, "conversation"),
                            to_hex(manifest.head)));
  if (!manifest.has(kKeyringName)) {
    context.note(
        fmt::format("the keyring is not in the backup: keep a copy of {} elsewhere, or "
                    "pass --with-keyring",
                    context.home().keyring.string()));
  }
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("FILE", options->file, "File to write, mode 0600", {.required = true});
  arguments.flag("--with-keyring", options->with_keyring,
                 "Include the keyring, under a passphrase");
  arguments.flag("--force", options->force, "Overwrite an existing file");
  return [options](Context& context) { return backup(context, *options); };
}

}  // namespace

const Command& backup_command() {
  static const Command command = {
      .name = "backup",
      .group = Group::transfer,
      .summary = "write the home into one file",
      .about =
          "Writes the store and the configuration into one file, as they are at one moment; other\n"
          "processes go on working. The file is read back and checked before it gets its name. "
          "The\n"
          "keyring is included only with --with-keyring, and only under a passphrase: its own, or\n"
          "one that is asked for (or read from the file that WEFT_PASSPHRASE_FILE names). Without\n"
          "the keyring, sealed reasoning in a backup cannot be read. An existing file is\n"
          "overwritten only with --force; otherwise the exit code is 1.",
      .examples =
          "weft backup ~/backups/weft.tar\n"
          "weft backup /media/stick/weft.tar --with-keyring --force\n"
          "weft backup weft.tar --json | jq -r .head",
      .see_also = "weft restore-home, weft verify, weft keys",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli

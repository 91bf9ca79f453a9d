// weft migrate: brings a store of an older version up to date.
#include "weft/store/migrate.hpp"

#include <fmt/format.h>

#include "weft/cli/app/command.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/cli/upkeep/store_lock.hpp"

namespace weft::cli {
namespace {

Answer migrate(const Context& context) {
  const store::StoreUrl& url = context.home().store;
  const std::string path = url.shown();
  if (!url.exists()) {
    return refuse({ErrorCode::not_found, "no store at " + path}, "name one with --store or --home");
  }
  Result<FileLock> lock = hold_store(context);
  if (!lock) return refuse(std::move(lock).error());
  Result<store::MigrationReport> report = store::migrate_store(url, context.wait_notice());
  if (!report) return refuse(std::move(report).error());
  if (context.json()) {
    context.print_json(
        json::object{{"store", path}, {"from_version", report->from}, {"to_version", report->to}});
  } else if (report->from == report->to) {
    context.print(fmt::format("{} is up to date: version {}\n", on_one_line(path), report->to));
  } else {
    context.print(fmt::format("migrated {} from version {} to version {}\n", on_one_line(path),
                              report->from, report->to));
  }
  return Exit::done;
}

Action prepare(Arguments&) {
  return [](Context& context) { return migrate(context); };
}

}  // namespace

const Command& migrate_command() {
  static const Command command = {
      .name = "migrate",
      .group = Group::check,
      .summary = "bring a store of an older version up to date",
      .about =
          "Brings a store of an older version to the version of this weft, all or nothing; a\n"
          "store that is up to date stays as it is. Commands that write do the same when they\n"
          "open a store. Commands that only read never change a store, and refuse a version\n"
          "older than 8. Waits up to 30 seconds for other processes, and names them. Keep a copy\n"
          "of the store if an older weft must still open it.",
      .examples =
          "weft migrate\n"
          "weft migrate --store sqlite:./old/weft.db --json",
      .see_also = "weft doctor, weft verify, weft backup",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli

// weft doctor: checks the home and everything in it, and says how to fix what is wrong.
#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/render/table.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/cli/upkeep/health.hpp"
#include "weft/cli/upkeep/integrations.hpp"

namespace weft::cli {
namespace {

struct Options {
  bool installed = false, yes = false;
};

json::object to_json(const Check& check) {
  return {{"name", check.name}, {"status", to_string(check.status)}, {"detail", check.detail}};
}

// What starts another weft than this one, after an upgrade or a move.
std::vector<Check> to_checks(const std::vector<Integration>& strays, bool says_if_none) {
  std::vector<Check> checks;
  for (const Integration& stray : strays) {
    checks.push_back({"installed", Health::warn, described(stray)});
  }
  if (strays.empty() && says_if_none) {
    checks.push_back({"installed", Health::ok, "no hook, MCP client or process uses another weft"});
  }
  return checks;
}

void print_table(const Context& context, const std::vector<Check>& checks) {
  Table table({{}, {}, {}});
  for (const Check& check : checks) {
    table.add(
        {std::string(to_string(check.status)), std::string(check.name), on_one_line(check.detail)});
  }
  context.print(table.str(context.style()));
}

Answer doctor(const Context& context, const Options& options) {
  std::vector<Check> checks;
  if (!options.installed) checks = check_health(context);
  const std::vector<Integration> strays = find_strays(context);
  const std::vector<Check> installed = to_checks(strays, options.installed);
  const bool fails =
      std::ranges::any_of(checks, [](const Check& check) { return check.status == Health::fail; });

  json::array list;
  for (const Check& check : checks) list.push_back(to_json(check));
  checks.insert(checks.end(), installed.begin(), installed.end());
  if (!context.json()) print_table(context, checks);
  for (std::size_t i = 0; i < installed.size(); ++i) {
    json::object entry = to_json(installed[i]);
    if (i < strays.size()) {
      const Result<bool> done = put_right(context, strays[i], options.yes);
      if (!done) context.note("cannot put this right: " + done.error().message);
      if (options.yes) entry["put_right"] = done.value_or(false);
      if (done.value_or(false) && !context.json()) {
        context.print(strays[i].kind == Integration::Kind::process
                          ? strays[i].what + " was ended.\n"
                          : strays[i].what + " starts this weft from now on.\n");
      }
    }
    list.push_back(std::move(entry));
  }
  if (context.json()) context.print_json(json::object{{"checks", std::move(list)}});
  return fails ? Exit::no : Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.flag("--installed", options->installed,
                 "Check only which weft hooks, MCP clients and processes use");
  arguments.flag("--yes", options->yes, "Make all of them use this weft, without asking");
  return [options](Context& context) { return doctor(context, *options); };
}

}  // namespace

const Command& doctor_command() {
  static const Command command = {
      .name = "doctor",
      .group = Group::check,
      .summary = "check the home, keyring, store and disk",
      .about =
          "Checks the home, its configuration, the keyring and other secret files, the store, its\n"
          "owner and its lock, the free disk space and the hooks. Each line says ok, warn or fail\n"
          "and, if something is wrong, how to fix it. Never prompts for a passphrase. Exit code 1\n"
          "if a check fails.\n"
          "\n"
          "Hooks, MCP clients and processes that use another weft than this one are listed as\n"
          "\"installed\". On a terminal doctor shows the change that makes each use this weft, "
          "and\n"
          "asks before it writes it; a process is ended. Nothing else is changed.",
      .examples =
          "weft doctor\n"
          "weft doctor --installed --yes\n"
          "weft doctor --home ./private --json",
      .see_also = "weft verify, weft init, weft hook, weft mcp",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli

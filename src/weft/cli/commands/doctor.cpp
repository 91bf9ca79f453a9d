// weft doctor: checks the home and everything in it, and says how to fix what is wrong.
#include "weft/cli/app/command.hpp"
#include "weft/cli/render/table.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/cli/upkeep/health.hpp"

namespace weft::cli {
namespace {

Answer doctor(const Context& context) {
  const std::vector<Check> checks = check_health(context);
  bool fails = false;
  json::array list;
  Table table({{}, {}, {}});
  for (const Check& check : checks) {
    fails = fails || check.status == Health::fail;
    list.push_back(
        {{"name", check.name}, {"status", to_string(check.status)}, {"detail", check.detail}});
    table.add(
        {std::string(to_string(check.status)), std::string(check.name), on_one_line(check.detail)});
  }
  if (context.json()) {
    context.print_json(json::object{{"checks", std::move(list)}});
  } else {
    context.print(table.str(context.style()));
  }
  return fails ? Exit::no : Exit::done;
}

Action prepare(Arguments&) {
  return [](Context& context) { return doctor(context); };
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
          "and, if something is wrong, how to fix it. Changes nothing and never prompts for a\n"
          "passphrase. Exit code 1 if a check fails.",
      .examples =
          "weft doctor\n"
          "weft doctor --home ./private --json",
      .see_also = "weft verify, weft init",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli

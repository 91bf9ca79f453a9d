#include "weft/cli/app/help.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace weft::cli {
namespace {

constexpr std::array<std::pair<Group, std::string_view>, 6> kGroups = {{
    {Group::begin, "Begin"},
    {Group::run_ingest, "Ingest"},
    {Group::ask, "Ask"},
    {Group::serve, "Serve"},
    {Group::check, "Check"},
    {Group::transfer, "Export and import"},
}};

}  // namespace

std::string overview() {
  std::string out =
      "weft turns AI conversations into a web of thought: every block of a transcript becomes a\n"
      "signed thought that names what caused it; reasoning is sealed.\n"
      "\n"
      "Usage: weft [COMMAND] [ARGUMENTS] [OPTIONS]\n";
  for (const auto& [group, title] : kGroups) {
    out += fmt::format("\n{}\n", title);
    for (const Command* command : all_commands()) {
      if (command->group != group) continue;
      out += fmt::format("  {:<12} {}\n", command->name, command->summary);
    }
  }
  out +=
      "\n"
      "Options of every command, before or after its name\n"
      "  --json       Print one JSON document on stdout\n"
      "  --home DIR   Folder of keyring and store (default: $WEFT_HOME, $XDG_DATA_HOME/weft or\n"
      "               ~/.local/share/weft)\n"
      "  --store URL  Use another store: sqlite:PATH, or postgres://HOST/DATABASE on a server\n"
      "  --keys FILE  Use another keyring\n"
      "  --color WHEN auto, always or never (default: auto)\n"
      "  --help       Print what the command does, with examples; also weft help COMMAND\n"
      "  --version    Print the version, also -V\n"
      "\n"
      "CONV is a conversation: last, @2 (the second of weft list), its CID or the start of it, "
      "its\n"
      "session id or the first 4 characters of it, or format:session_id. CID is a thought: its "
      "CID,\n"
      "or at least 8 of its digits.\n"
      "\n"
      "Exit codes: 0 done, 1 the answer is no, 2 wrong usage, 3 failure.\n"
      "\n"
      "Examples\n"
      "  weft                    ingest, follow and serve; or show a small sample\n"
      "  weft ingest talk.txt    ingest a transcript\n"
      "  weft search retry queue find where something was said or done\n"
      "  weft read last          read the newest session\n"
      "  weft why 3f2a91c0       trace the causes of an answer\n";
  return out;
}

std::string footer_of(const Command& command) {
  std::string out = "\nExamples\n";
  std::string_view rest = command.examples;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    out += fmt::format("  {}\n", rest.substr(0, end));
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
  }
  if (!command.see_also.empty()) out += fmt::format("\nSee also: {}\n", command.see_also);
  return out;
}

}  // namespace weft::cli

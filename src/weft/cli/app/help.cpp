#include "weft/cli/app/help.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace weft::cli {
namespace {

constexpr std::array<std::pair<Group, std::string_view>, 6> kGroups = {{
    {Group::begin, "Begin"},
    {Group::run_ingest, "Take in"},
    {Group::ask, "Ask"},
    {Group::serve, "Serve"},
    {Group::check, "Check"},
    {Group::hand_on, "Hand on"},
}};

}  // namespace

std::string overview() {
  std::string out =
      "weft turns conversations with an AI into a web of thought: every block of a transcript\n"
      "is signed, sealed where it is reasoning, and says because of what it exists.\n\n"
      "Usage: weft [COMMAND] [ARGUMENTS] [OPTIONS]\n";
  for (const auto& [group, title] : kGroups) {
    out += fmt::format("\n{}\n", title);
    for (const Command* command : all_commands()) {
      if (command->group != group) continue;
      out += fmt::format("  {:<12} {}\n", command->name, command->summary);
    }
  }
  out +=
      "\nEvery command takes, before or after its name\n"
      "  --json       one JSON document on stdout\n"
      "  --home DIR   where keyring and store are; else $WEFT_HOME, $XDG_DATA_HOME/weft or\n"
      "               ~/.local/share/weft\n"
      "  --store URL  another store: sqlite:PATH\n"
      "  --keys FILE  another keyring\n"
      "  --color WHEN auto, always or never\n"
      "  --help       what the command does, with examples\n"
      "\nWherever CONV stands: a conversation's CID or the beginning of it, its session id, or\n"
      "format:session_id. Wherever CID stands, 8 of its digits or more will do.\n"
      "\nExit codes: 0 done, 1 the answer is no, 2 wrong usage, 3 failure.\n"
      "\nExamples\n"
      "  weft                    see it at work on a small sample\n"
      "  weft ingest talk.txt    take a transcript in\n"
      "  weft why 3f2a91c0       see what an answer rests on\n";
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

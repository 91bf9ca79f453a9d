// Describes a command of the program. Each command is one Command in one file of commands/.
//
// The file list.cpp ends with `const Command& list_command() {…}`; CMake writes the
// table of commands from the file names, so there is no list to edit.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "weft/cli/app/answer.hpp"
#include "weft/cli/app/arguments.hpp"
#include "weft/cli/app/context.hpp"

namespace weft::cli {

// The section of `weft --help` that lists a command.
enum class Group { begin, run_ingest, ask, serve, check, transfer };

// Runs the command with the parsed options. Prints the answer itself; the caller prints a refusal.
using Action = std::function<Answer(Context&)>;

struct Command {
  std::string_view name;  // as typed
  Group group = Group::ask;
  std::string_view summary;   // one line, for the list of commands
  std::string_view about;     // the description, for the command's own help
  std::string_view examples;  // real command lines, one a line
  std::string_view see_also;  // other commands, separated by commas
  // Adds the command's options and arguments. They are parsed by the time the returned action is
  // called.
  Action (*prepare)(Arguments& arguments);
  // Whether a command with these arguments must not disturb its caller: then it exits with 0 and
  // prints nothing to stdout, whatever happens, and reports failures on stderr. Null: never.
  bool (*is_unobtrusive)(std::span<const std::string> arguments) = nullptr;
};

// Every command of the build, by name.
std::span<const Command* const> all_commands();

// Null if not found.
const Command* find_command(std::string_view name);

}  // namespace weft::cli

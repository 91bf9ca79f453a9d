// A command of weft: one Command, in one file of commands/, found by the build.
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

// Where a command stands in `weft --help`.
enum class Group { begin, run_ingest, ask, serve, check, hand_on };

// Does what the options say. An answer is printed by then; a refusal is not.
using Action = std::function<Answer(Context&)>;

struct Command {
  std::string_view name;  // as it is typed
  Group group = Group::ask;
  std::string_view summary;   // one line, for the list of commands
  std::string_view about;     // the whole of it, for the command's own help
  std::string_view examples;  // real command lines, one on each line
  std::string_view see_also;  // other commands, with commas between
  // Adds the command's options and arguments. They are read by the time the action that
  // comes back is called.
  Action (*prepare)(Arguments& arguments);
  // Whether, with these arguments, whoever starts it must not be disturbed: then it ends with 0
  // and nothing on stdout, whatever happens, and says on stderr what went wrong. Null: never.
  bool (*is_unobtrusive)(std::span<const std::string> arguments) = nullptr;
};

// Every command of the build, by name.
std::span<const Command* const> all_commands();

// Null if there is none of that name.
const Command* find_command(std::string_view name);

}  // namespace weft::cli

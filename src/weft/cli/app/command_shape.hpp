// The arguments of a command as data, read from the same declaration that parses them: for shell
// completion and man pages.
#pragma once

#include <string>
#include <vector>

#include "weft/cli/app/command.hpp"

namespace weft::cli {

struct OptionShape {
  std::vector<std::string> names{};   // "-C", "--context"; one name without dashes for a positional
  std::string value{};                // placeholder of its value; empty for a flag
  std::vector<std::string> one_of{};  // its permitted values, if they are listed
  std::string help{};
  bool is_positional = false, is_global = false;
};
struct CommandShape {
  std::vector<OptionShape> options{};
  std::vector<std::pair<std::string, std::string>> actions{};  // names and helps: `keys show`
};

CommandShape shape_of(const Command& command);

}  // namespace weft::cli

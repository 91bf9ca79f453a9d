// Formats `weft --help`, and the text around the options in a command's help.
#pragma once

#include <string>

#include "weft/cli/app/command.hpp"

namespace weft::cli {

std::string overview();
// Examples and related commands, printed below the options.
std::string footer_of(const Command& command);

}  // namespace weft::cli

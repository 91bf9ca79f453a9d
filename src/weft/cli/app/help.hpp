// What `weft --help` says, and what each command's help says around its options.
#pragma once

#include <string>

#include "weft/cli/app/command.hpp"

namespace weft::cli {

std::string overview();
// Examples and related commands, below the options.
std::string footer_of(const Command& command);

}  // namespace weft::cli

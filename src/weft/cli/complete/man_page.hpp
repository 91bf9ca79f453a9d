// Man pages, from the help of the commands.
#pragma once

#include <string>

#include "weft/cli/app/command.hpp"

namespace weft::cli {

// weft(1): all commands.
std::string man_page();
// weft-list(1)
std::string man_page(const Command& command);

}  // namespace weft::cli

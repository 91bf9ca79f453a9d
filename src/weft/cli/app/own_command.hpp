// The command line with which other programs start this one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/cli/app/context.hpp"

namespace weft::cli {

// The program and its arguments: works from any directory, with the same home.
std::vector<std::string> own_command(const Context& context, std::string_view command);

// Quoted for a shell.
std::string quoted_for_shell(const std::vector<std::string>& words);

}  // namespace weft::cli

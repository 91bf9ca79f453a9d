// This program as others are to start it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/cli/app/context.hpp"

namespace weft::cli {

// The program and its arguments: from anywhere, with the same home.
std::vector<std::string> own_command(const Context& context, std::string_view command);

// As a shell reads it.
std::string quoted_for_shell(const std::vector<std::string>& words);

}  // namespace weft::cli

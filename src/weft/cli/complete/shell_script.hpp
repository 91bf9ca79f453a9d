// The scripts that connect a shell to `weft completion --words`.
#pragma once

#include <optional>
#include <string_view>

namespace weft::cli {

// For bash, zsh or fish; empty for any other name.
std::optional<std::string_view> completion_script(std::string_view shell);

}  // namespace weft::cli

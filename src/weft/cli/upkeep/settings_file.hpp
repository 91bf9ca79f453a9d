// Changes settings of other programs: shows the difference, keeps a backup, leaves the file what it
// was.
#pragma once

#include <filesystem>
#include <string>

#include "weft/cli/app/context.hpp"

namespace weft::cli {

// Prints the lines of a difference (line_diff.hpp) after the name of the file.
void print_change(const Context& context, const std::filesystem::path& path,
                  const std::string& diff);

// Writes `after`; `before` goes into a backup beside the file, PATH.before-weft. A symbolic link
// stays one, and the permissions stay. Creates the folder of the file.
[[nodiscard]] Status write_settings(const std::filesystem::path& path, const std::string& before,
                                    const std::string& after);

}  // namespace weft::cli

// A small file that is written often, and may be lost with the power.
#pragma once

#include <filesystem>
#include <string_view>

#include "weft/base/result.hpp"

namespace weft {

// Writes aside in the same directory and renames over `path`, with mode 0600: whoever looks sees
// the old file or the new one, also if this process ends meanwhile. Not synced, for that takes
// milliseconds: after a loss of power it may be older, or empty. denied; unavailable on a full
// disk.
[[nodiscard]] Status write_file_quickly(const std::filesystem::path& path, std::string_view bytes);

}  // namespace weft

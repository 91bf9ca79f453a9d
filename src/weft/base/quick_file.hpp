// Writes a small file quickly, without a sync: it may be lost in a power failure.
#pragma once

#include <filesystem>
#include <string_view>

#include "weft/base/result.hpp"

namespace weft {

// Writes a temporary file in the same directory, mode 0600, and renames it over `path`: readers see
// the old file or the new one, also if this process ends meanwhile. Not synced, because that takes
// milliseconds: after a power failure the file may be older, or empty. Fails with denied, or
// unavailable if the disk is full.
[[nodiscard]] Status write_file_quickly(const std::filesystem::path& path, std::string_view bytes);

}  // namespace weft

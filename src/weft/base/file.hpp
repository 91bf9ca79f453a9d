// Reads and writes small files whole. A reader never sees a half-written file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"

namespace weft {

// Reads the whole file. Fails with invalid_input beyond `limit` bytes or for a directory,
// not_found, denied, or unavailable if the disk fails.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path,
                                            std::size_t limit = 64u << 20);

// Writes a temporary file in the same directory, syncs it, and renames it over `path`: afterwards
// `path` is the old file or the new one. `mode` (0600 for secrets) applies from the first byte on,
// whatever the umask. A link at `path` is replaced, not followed. Fails with not_found if the
// directory is missing, denied, or unavailable if the disk is full or fails.
[[nodiscard]] Status write_file_atomically(const std::filesystem::path& path,
                                           std::string_view bytes, unsigned mode);

}  // namespace weft

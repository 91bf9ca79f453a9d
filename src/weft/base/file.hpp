// Reads and writes small files whole. Writing replaces a file at once: readers see the old file or
// the new one, never a part.
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

// Writes a file aside in the same directory, syncs it, and renames it over `path`. No byte can be
// read before `mode` holds (0600 for secrets), whatever the umask. A link at `path` is replaced,
// not followed. not_found where the directory is missing, denied, unavailable where the disk is
// full or fails.
[[nodiscard]] Status write_file_atomically(const std::filesystem::path& path,
                                           std::string_view bytes, unsigned mode);

// The same for a file that is written often: mode 0600, and not synced, which would take
// milliseconds. After a loss of power it may be older, or empty. not_found where the directory is
// missing, denied, unavailable where the disk is full.
[[nodiscard]] Status write_file_quickly(const std::filesystem::path& path, std::string_view bytes);

}  // namespace weft

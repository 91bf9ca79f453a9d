// Files, small and whole: reading one, and writing one so that nobody ever sees half of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"

namespace weft {

// The whole file, refused as invalid_input beyond `limit` bytes. not_found, denied;
// invalid_input for a directory, unavailable where the disk fails.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path,
                                            std::size_t limit = 64u << 20);

// Writes aside in the same directory, syncs, and renames over `path`: the old file or
// the new one, never a third. `mode` holds from the first byte on, whatever the umask
// (0600 for secrets). A link at `path` is replaced, not followed. not_found where the
// directory is missing, denied, unavailable where the disk is full or fails.
[[nodiscard]] Status write_file_atomically(const std::filesystem::path& path,
                                           std::string_view bytes, unsigned mode);

}  // namespace weft

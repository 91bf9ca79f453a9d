// Reads files that weft finds by name rather than by a person's choice: configuration, passphrases.
// Anything but a regular file is refused at once; read_file would wait for the writer of a pipe.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "weft/base/result.hpp"

namespace weft {

// Who else may read the file.
enum class Readers { anyone, owner_only };

// The whole file. invalid_input beyond `limit` bytes or if it is not a regular file; not_found;
// denied, also if only the owner may read it and others can (the message says what to do);
// unavailable. The check is made on the opened file. `owner_only` may hold a secret: the caller
// wipes the result.
[[nodiscard]] Result<std::string> read_regular_file(const std::filesystem::path& path,
                                                    std::size_t limit, Readers readers);

}  // namespace weft

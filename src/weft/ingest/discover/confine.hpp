// Confines paths that a client or a hook names to the folders that the owner allowed.
#pragma once

#include <filesystem>
#include <vector>

#include "weft/base/result.hpp"

namespace weft::ingest {

// The real path of `path`, all links resolved, if it is one of `roots` or lies in one. Roots are
// resolved, too; those that do not exist allow nothing. invalid_input unless `path` is absolute.
// denied in every other case, in the same words, so that the caller cannot probe for files outside.
Result<std::filesystem::path> confined(const std::filesystem::path& path,
                                       const std::vector<std::filesystem::path>& roots);

// The real paths of the roots that exist.
std::vector<std::filesystem::path> real_roots(const std::vector<std::filesystem::path>& roots);

// Compares whole components: /a/bc does not lie within /a/b. All are real paths.
bool is_within(const std::filesystem::path& path, const std::vector<std::filesystem::path>& roots);

}  // namespace weft::ingest

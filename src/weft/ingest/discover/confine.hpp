// Keeps paths that somebody else names, a client or a hook, within folders that were allowed.
#pragma once

#include <filesystem>
#include <vector>

#include "weft/base/result.hpp"

namespace weft::ingest {

// The real path of `path`, all links resolved, if it is one of `roots` or lies in one; roots are
// resolved too, and those that are not there allow nothing. invalid_input unless `path` is
// absolute. denied in every other case, in the same words: whoever asks does not learn whether
// there is anything outside.
Result<std::filesystem::path> confined(const std::filesystem::path& path,
                                       const std::vector<std::filesystem::path>& roots);

// The real paths of those that are there.
std::vector<std::filesystem::path> real_roots(const std::vector<std::filesystem::path>& roots);

// By whole components: /a/bc does not lie in /a/b. Both are real paths.
bool lies_within(const std::filesystem::path& path,
                 const std::vector<std::filesystem::path>& roots);

}  // namespace weft::ingest

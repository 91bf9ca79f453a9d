// The id of a remote web: a small file beside it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "weft/base/result.hpp"

namespace weft::remote {

// The id in the file; empty if the file does not exist. corrupt if it holds something else.
Result<std::optional<std::string>> read_web_id(const std::filesystem::path& file);

// The same; a new random id if the file does not exist. Of two processes that make one at the same
// time, both get that of the first.
Result<std::string> read_or_make_web_id(const std::filesystem::path& file, unsigned mode);

}  // namespace weft::remote

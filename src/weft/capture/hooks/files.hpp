// What a hook may have taken in, and what comes with it.
#pragma once

#include <filesystem>
#include <vector>

#include "weft/ingest/ingest.hpp"

namespace weft::capture {

// The file itself, all links resolved, if it lies in one of the folders that `known` names;
// denied else, and if it is not there. invalid_input unless the path is absolute.
Result<std::filesystem::path> hooked_file(const ingest::Options& known,
                                          const std::filesystem::path& file);

// `known`, but of these files alone, and of what lies in the folders of their sessions: a session
// `s.jsonl` keeps its subagents below `s/`. Files are such as hooked_file() gave; nothing outside
// of the known folders is read, whatever a link in them says.
ingest::Options hooked_options(const ingest::Options& known,
                               const std::vector<std::filesystem::path>& files);

}  // namespace weft::capture

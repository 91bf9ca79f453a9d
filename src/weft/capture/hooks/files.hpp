// Selects the files that a hook may have ingested.
#pragma once

#include <filesystem>
#include <vector>

#include "weft/ingest/ingest.hpp"

namespace weft::capture {

// The real path of the file, all links resolved, if it lies in one of the folders of `known`.
// denied otherwise, and if it does not exist. invalid_input unless the path is absolute.
Result<std::filesystem::path> hooked_file(const ingest::Options& known,
                                          const std::filesystem::path& file);

// `known`, restricted to these files and the folders of their sessions: a session `s.jsonl` keeps
// its subagents below `s/`. The files are as hooked_file() returned them. Nothing outside of the
// known folders is read, even through links.
ingest::Options hooked_options(const ingest::Options& known,
                               const std::vector<std::filesystem::path>& files);

}  // namespace weft::capture

// The tool calls whose edits are in what is staged for the next commit: what a trailer
// `Weft-Thought:` of that commit names.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"

namespace weft::query {

struct StagedOptions {
  std::optional<std::filesystem::path> index{};  // a file with an index, other than the usual one
  Millis now = 0;
  QueryControl control{};
};

// Calls that are named one by one. Of more calls, the prompts that asked for them are named.
inline constexpr std::size_t kMostStagedCalls = 12;

// By time, each once. A call is named if it wrote a line that the index adds to this file, after
// the last commit of the file, and no later edit took the line away; lines that say too little to
// be recognised do not count. Empty outside a repository, and where git is not installed. denied
// for a repository of another user.
Result<std::vector<Cid>> staged_thoughts(const Library& library,
                                         const std::filesystem::path& repository,
                                         const StagedOptions& options);

}  // namespace weft::query

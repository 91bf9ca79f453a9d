// CommitHook: git's hook prepare-commit-msg of a repository, which names in the message of a commit
// the tool calls whose edits are staged:
//
//   Weave backwards
//
//   Weft-Thought: cid:blake3:3f2a91c0…
//
// `weft blame` reads these trailers as evidence (query/edits/reports.hpp).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "weft/cli/app/context.hpp"

namespace weft::cli {

// The file of the hook in the repository that holds `directory`. not_found if there is none;
// invalid_input if the repository keeps its hooks elsewhere (core.hooksPath); denied for a
// repository of another user.
Result<std::filesystem::path> commit_hook_path(const std::filesystem::path& directory);

// The line that runs `command`, and the whole file. It prints nothing and always ends with 0.
std::string commit_hook_line(const std::string& command);
std::string commit_hook_script(const std::string& command);
// Whether this file was written by weft.
bool is_commit_hook(std::string_view text);

// Adds the trailers to the message in a file. `kind` is the second argument of git's hook:
// messages of merges and templates stay as they are, and so does an empty message, because git
// would not abort the commit if there were trailers in it.
Status add_trailers(const Context& context, const std::filesystem::path& message,
                    std::string_view kind);

// The message with these lines among its trailers. Comments at its end stay behind them. Unchanged
// if it is empty.
std::string with_trailers(std::string_view message, const std::vector<std::string>& trailers);

}  // namespace weft::cli

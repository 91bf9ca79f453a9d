// The question what came of a thought in the code: the edits of the tool calls that rest on it, the
// commits that hold them, and the lines of them that stand today.
#pragma once

#include <filesystem>
#include <optional>

#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"

namespace weft::query {

struct ChangesOptions {
  std::optional<std::filesystem::path> repository{};  // without it, that of each edited file
  Millis now = 0;
  QueryControl control{};
};
// {edits: [{request_cid, result_cid?, conversation_cid, time, kind, path, moved_from?, repository?,
//           file?, commits?: […]}],
//  commits: [{repository, sha, subject, author, author_time, patch_id?}],
//  lines: [{repository?, path, first, last, commit?, rule, sure, request_cid}],
//  alive, weak, notes?}
//
// The calls are those that rest on the thought before the next words of a person; those of
// subagents are among them. Edits are by time; failed ones are left out. `path` is as the call
// names it, `file` what the file is called today below `repository`; without `file` it is gone.
// A commit holds an edit if blame says so of a line of it (attribution.hpp), or if it is the first
// commit of the file after the edit, or one that was amended after it, and adds a line that the
// edit wrote, or removes one that it removed. `patch_id` is that of `git patch-id --stable`; a
// merge has none. Lines are those of the working file; `alive` counts them as far as their answer
// is certain or likely, `weak` the others. What git cannot answer is in `notes`: the edits are
// listed anyway.
//
// denied if `repository` belongs to another user; invalid_input if it is none.
Result<json::object> changes(const Library& library, const Cid& thought,
                             const ChangesOptions& options);

}  // namespace weft::query

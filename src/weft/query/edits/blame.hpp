// The question why the lines of a file are as they are: from each line to the edit that wrote it,
// and the words that asked for it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "weft/git/git.hpp"
#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"

namespace weft::query {

struct BlameOptions {
  std::optional<git::LineRange> range{};  // without it every line
  std::optional<std::string> revision{};  // a commit; without it the working file
  bool with_text = false;  // each run has its lines; secrets are masked if the library has a mask
  Millis now = 0;
  QueryControl control{};
};
// {path, repository?, rev, lines, runs: [{first, last, commit?: {sha, subject, author,
// author_time},
//  rule?, sure?, reported_by?, request_cid?, conversation_cid?, session_id?, title?, time?, model?,
//  thinking_cid?, prompt_cid?, reason?, silence?, text?: […]}], answered, weak, silent: {…},
//  notes?}
//
// A run is consecutive lines with one answer. `rule` and `sure` are those of attribution.hpp;
// `reason` are the words of the person who asked for the edit. A `reported` answer may name the
// conversation alone. A run without an answer has `silence`:
//
// | silence | why |
// |---|---|
// | no_edit_of_path | no conversation has an edit of this file |
// | older_than_sessions | the commit is older than every conversation |
// | too_short | the line says too little to be recognised, and its neighbours have no answer |
// | not_this_line | edits of the file are known, but none that wrote this line at that time |
// | not_in_git | the file is not in git, and the edits that are known do not lead to this line |
//
// Lines that are too short join a run of another silence. `answered` counts lines with a certain or
// likely answer, `weak` those with a weak one, `silent` the others by their silence. A run without
// `commit` is not committed. `path` is below the root of `repository`, or absolute without one;
// `rev` is null for the working file. Fails as read_blamed_file() does.
Result<json::object> blame(const Library& library, const std::filesystem::path& path,
                           const BlameOptions& options);

}  // namespace weft::query

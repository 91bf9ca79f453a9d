// The question what a conversation, or one prompt in it, changed in files.
#pragma once

#include <optional>
#include <string>

#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"

namespace weft::query {

struct DiffOptions {
  // Only the exchange that holds this thought: from the words of a person to the next.
  std::optional<Cid> block{};
  std::optional<std::string> path{};  // only files whose path ends with it
  QueryControl control{};
};
// What the tool calls of a conversation changed, file by file, with its subagents:
//
//   {conversation_cid, files: [{path, status, moved_from?, whole, added, removed,
//    edits: [{cid, result_cid?, time, file?}], hunks: [{before_first, before_count, after_first,
//    after_count, lines: ["-…", "+…", " …"]}]}], added, removed, sealed?, notes?}
//
// `status` is added, changed, removed or moved. A file is `whole` if it is known before the first
// edit and after the last: its hunks are the difference between the two. Otherwise they are those
// of each edit, and have no line numbers: `before_first` and `after_first` are null. The line "\\"
// follows one with which the file ends without a newline. Calls that failed count for nothing;
// edits without `result_cid` are not confirmed. `file` counts the files that the call changed, if
// this is not the first of them. Changes by shell commands are not known, except
// here-documents. `sealed` counts calls that the keyring does not open.
Result<json::object> diff(const Library& library, const store::ConversationRow& conversation,
                          const DiffOptions& options);

}  // namespace weft::query

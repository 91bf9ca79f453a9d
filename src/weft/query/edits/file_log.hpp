// The question which edits were made to a file.
#pragma once

#include <filesystem>
#include <limits>

#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"

namespace weft::query {

struct FileLogOptions {
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  QueryControl control{};
};
// {path, repository?, total, edits: [{kind, path, moved_from?, added, removed, request_cid,
//  result_cid?, conversation_cid, session_id, title, time, model, thinking_cid?, prompt_cid?,
//  reason?}], notes?}, newest first.
//
// `kind` is write, change, remove or move; `path` as the call names it. Edits count that blame
// would count for this file (attribution.hpp). The file need not exist. denied for a repository of
// another user.
Result<json::object> file_log(const Library& library, const std::filesystem::path& path,
                              const FileLogOptions& options);

}  // namespace weft::query

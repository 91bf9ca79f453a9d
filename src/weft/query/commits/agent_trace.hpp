// The lines of commits that a conversation wrote, as records of Agent Trace 0.1
// (github.com/cursor/agent-trace), for tools that look lines up by commit.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"

namespace weft::query {

struct AgentTraceOptions {
  std::optional<std::filesystem::path> repository{};  // without it, that of each edited file
  std::string_view version{};                         // of weft
  Millis now = 0;
  QueryControl control{};
};

struct AgentTrace {
  // One for each commit that holds lines of the conversation, by time, and at the end one without
  // `vcs` for lines that are not committed:
  //
  //   {version, id, timestamp, vcs?: {type, revision}, tool: {name, version},
  //    files: [{path, conversations: [{url, contributor: {type, model_id?},
  //             ranges: [{start_line, end_line, content_hash}],
  //             related: [{type, url}]}]}]}
  //
  // `url` is "weft:" and the CID of the call that wrote the lines; `related` names its
  // conversation and the prompt. `id` follows from the conversation and the commit: the same each
  // time. Lines count whose answer is certain or likely (attribution.hpp). `content_hash` is
  // BLAKE3 of the lines, each with a newline. Several files of one name in several repositories
  // have records of their own.
  std::vector<json::object> records{};
  std::vector<std::string> notes{};  // for people
};

// The edits of the conversation's subagents are among them.
Result<AgentTrace> agent_trace(const Library& library, const store::ConversationRow& conversation,
                               const AgentTraceOptions& options);

}  // namespace weft::query

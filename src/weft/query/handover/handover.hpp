// The question what an agent must know to go on with a conversation whose beginning it has lost.
#pragma once

#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"

namespace weft::query {

// The longest text of a handover.
inline constexpr std::size_t kMostHandoverBytes = 2048;

// {conversation_cid, session_id, title, text, task?, begun?, todos, files, failure?, decisions}:
//
//   task       {cid, words, time}: the person's last words that are a task
//   begun      {cid, words, time}: the first ones, if they are others
//   todos      [{cid, words, status}]: what is open on the agent's list, as it last wrote it
//   files      [{cid, path, edits}]: those changed since the last `git commit`, the newest first
//   failure    {cid, tool, call?, time}: the last call that failed
//   decisions  [{cid, words, time}]: the person's words that correct or decide, the newest first
//
// `text` says the same in at most kMostHandoverBytes, a line each with its CID; what does not fit
// is left out from the end. Quoted are words of the person, what the agent put on its list and what
// it asked tools to do: never what a tool or a page said, and no thought of somebody else's.
Result<json::object> handover(const Library& library, const store::ConversationRow& conversation,
                              const QueryControl& control);

}  // namespace weft::query

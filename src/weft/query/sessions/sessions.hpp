// Sessions: conversations as lists of exchanges (exchanges.hpp), for agents that know transcripts
// but not thoughts.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"

namespace weft::query {

// "claude-code:0b0e…". A subagent has its parent's session id, followed by its own name:
// "claude-code:0b0e…/subagent:a7".
std::string session_name(const store::ConversationRow& conversation);

// Finds a session by that name; by the session id alone, or by CID or prefix, if that is unique. Of
// several with one session id, the main one. not_found; invalid_input lists the candidates.
Result<store::ConversationRow> resolve_session(const Library& library, std::string_view name);

struct SessionsOptions {
  std::optional<std::string> project{};  // by any of its names (search_scope.hpp)
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t offset = 0;
  QueryControl control{};  // by conversations
};
// {conversations: [{session_id, title, slug, summary, first_timestamp, last_timestamp, turn_count,
// cwd, git_branch, project, conversation_cid}], total, notes?, behind?}: main conversations, most
// recently changed first. Times are ISO 8601. `turn_count` counts exchanges. `slug` is null: no
// facts contain it.
Result<json::object> list_sessions(const Library& library, const SessionsOptions& options);

// {session_id, …exchange}, as read_exchange() returns it. not_found if it has no such turn.
Result<json::object> read_session_turn(const Library& library,
                                       const store::ConversationRow& conversation,
                                       std::uint64_t number);

// {session_id, title, project, cwd, git_branch, total_turns, offset, limit, turns: […exchange]},
// and `next_offset` if more follow. Turns that would exceed `chars` of JSON are left out, but never
// the first.
Result<json::object> read_session(const Library& library,
                                  const store::ConversationRow& conversation, std::uint64_t offset,
                                  std::uint64_t limit, std::uint64_t chars);

}  // namespace weft::query

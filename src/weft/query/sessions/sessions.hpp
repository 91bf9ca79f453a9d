// Conversations as sessions of exchanges (exchanges.hpp): what an agent that knows of transcripts,
// and nothing of thoughts, asks for.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"

namespace weft::query {

// "claude-code:0b0e…". A subagent has its parent's session id; what it is called follows:
// "claude-code:0b0e…/subagent:a7".
std::string session_name(const store::ConversationRow& conversation);

// By that name; by the bare session id, or by CID or prefix, while only one is meant. Of several
// with one session id the main one is. not_found; invalid_input lists those that it could be.
Result<store::ConversationRow> resolve_session(const Library& library, std::string_view name);

struct SessionsOptions {
  std::optional<std::string> project{};  // by any of its names (search_scope.hpp)
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t offset = 0;
  QueryControl control{};  // by conversations
};
// {conversations: [{session_id, title, slug, summary, first_timestamp, last_timestamp, turn_count,
// cwd, git_branch, project, conversation_cid}], total}: main conversations, newest change first.
// Times are ISO 8601. `turn_count` counts exchanges. `slug` is null: no facts tell it.
Result<json::object> list_sessions(const Library& library, const SessionsOptions& options);

// {session_id, …exchange}, as read_exchange() tells it. not_found if it has no such turn.
Result<json::object> read_session_turn(const Library& library,
                                       const store::ConversationRow& conversation,
                                       std::uint64_t number);

// {session_id, title, project, cwd, git_branch, total_turns, offset, limit, turns: […exchange]},
// and `next_offset` where more follow. Turns that would go beyond `chars` of JSON are left out,
// but for the first.
Result<json::object> read_session(const Library& library,
                                  const store::ConversationRow& conversation, std::uint64_t offset,
                                  std::uint64_t limit, std::uint64_t chars);

}  // namespace weft::query

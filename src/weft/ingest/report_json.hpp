// The report of an ingest as JSON: what `weft ingest --json` and the MCP tool answer.
#pragma once

#include <cstdint>
#include <functional>

#include "weft/base/json.hpp"
#include "weft/ingest/ingest.hpp"

namespace weft::ingest {

// The title of a conversation, or null.
using TitleOf = std::function<json::value(const store::ConversationRow&)>;

// {conversations: [{conversation_cid, session_id, format, title, turn_count, thought_count,
// new_thoughts}], files, bytes, thought_count, new_thoughts, skipped: [{file, line, reason,
// count?}], warnings, elapsed_ms, stopped?}. Conversations that were forgotten since are left out.
Result<json::object> to_json(const store::Store& store, const Report& report,
                             std::int64_t elapsed_ms, const TitleOf& title_of);

}  // namespace weft::ingest

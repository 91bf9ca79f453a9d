// Builds the JSON answer of an ingest.
#pragma once

#include <cstdint>

#include "weft/ingest/ingest.hpp"
#include "weft/query/library.hpp"

namespace weft::query {

// {conversations: [{conversation_cid, session_id, format, title, turn_count, thought_count,
// new_thoughts}], files, bytes, thought_count, new_thoughts, skipped: [{file, line, reason,
// count?}], warnings, elapsed_ms, stopped?}. Conversations forgotten meanwhile are left out.
Result<json::object> taken(const Library& library, const ingest::Report& report,
                           std::int64_t elapsed_ms);

}  // namespace weft::query

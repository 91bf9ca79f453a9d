// What an ingest took in, as an answer.
#pragma once

#include <string>

#include "weft/cli/terminal.hpp"
#include "weft/ingest/ingest.hpp"
#include "weft/query/library.hpp"

namespace weft::cli {

// {conversations: [{conversation_cid, session_id, format, title, turn_count,
// thought_count, new_thoughts}], files, bytes, thought_count, new_thoughts, skipped:
// [{file, line, reason}], warnings, elapsed_ms}
Result<json::object> to_json(const ingest::Report& report, const query::Library& library,
                             std::int64_t elapsed_ms);

// The same for people; safe for a terminal.
std::string to_summary(const json::object& answer, const Style& style);

}  // namespace weft::cli

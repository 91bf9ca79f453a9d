// The heading of a session: what it is about, where it ran, with which models, when, what it cost.
#pragma once

#include "weft/cli/read/markdown.hpp"
#include "weft/query/cost/price_table.hpp"
#include "weft/query/library.hpp"

namespace weft::cli {

// {conversation_cid, session_id, format, source, title, project, models, created_at, updated_at,
// turn_count, block_count, cost, unpriced_requests?, spawned_by?: {cid, conversation_cid, title}}.
// `cost` is in dollars, that of its subagents included; null where no request has a price.
Result<json::object> session_heading(const query::Library& library,
                                     const store::ConversationRow& conversation,
                                     const query::PriceTable& prices);

// For people.
void print_heading(const json::object& heading, const Page& page, const LineSink& print);

}  // namespace weft::cli

// The question of cost: tokens and dollars of model requests by day, week, month, model, project,
// session or prompt.
#pragma once

#include <optional>
#include <string_view>

#include "weft/query/cost/calendar.hpp"
#include "weft/query/cost/price_table.hpp"
#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"

namespace weft::query {

enum class CostBy { day, week, month, model, project, session, prompt };
std::string_view to_string(CostBy by);
std::optional<CostBy> parse_cost_by(std::string_view text);

enum class CostRules {
  // Each request once (CopyRule::first_holder), the whole of it at the rates that its day and its
  // size select. A model without a price costs what its source stated, if it did.
  weft,
  // As ccusage 20.0.24 counts: sessions of Claude Code and Codex; copies within a session only;
  // what a line states as its cost, else one price a model whatever the day; the larger rates only
  // for the tokens beyond the line, except in Codex.
  ccusage,
};

struct CostOptions {
  CostBy by = CostBy::day;
  std::optional<Millis> since{}, until{};                // both included
  std::optional<store::ConversationRow> conversation{};  // with its subagents; else all
  CostRules rules = CostRules::weft;
  Calendar calendar{};
  QueryControl control{};  // by conversations
};

// {by, zone, rows: [{key, …, requests, input, output, cache_read, cache_write_5m, cache_write_1h,
// reasoning, cost, unpriced_requests}], total: {the same}, unpriced: [{model, requests, tokens}],
// prices: {hash, rows}, notes?, behind?}.
//
// `cost` is in dollars, API-equivalent. It is the sum over requests with a price, and null if none
// has one; `unpriced_requests` counts the others, and `unpriced` names their models. `total` has
// `unknown_sessions`, too: those whose requests were not recorded, or are sealed. A row of a
// session has conversation_cid, format and title too, one of a prompt conversation_cid and text.
// `notes` name sessions whose requests are not known, or sealed.
Result<json::object> cost(const Library& library, const PriceTable& prices,
                          const CostOptions& options);

}  // namespace weft::query

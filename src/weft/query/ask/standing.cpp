#include "weft/query/ask/standing.hpp"

#include "weft/base/try.hpp"
#include "weft/query/ask/facts.hpp"
#include "weft/query/ask/turns.hpp"
#include "weft/query/outline/numbered_blocks.hpp"
#include "weft/query/trace/joins.hpp"

namespace weft::query {
namespace {

// The block that stands in a turn for a thought that does not itself: the reasoning of a summary,
// the answer that has a citation, the first block of a turn.
Result<std::optional<Cid>> block_for(const Library& library, const thought::Thought& thought) {
  using store::Direction;
  const std::string_view kind = thought::kind_of(thought.type);
  if (kind == "turn") {
    WEFT_TRY_VALUE(auto blocks, blocks_of(library, thought));
    return blocks.empty() ? std::nullopt : std::optional(blocks.front());
  }
  if (kind == "thinking_summary") {
    WEFT_TRY_VALUE(auto of, library.web.neighbours_by(thought.created_by, thought.cid, "rework",
                                                      Direction::from));
    if (of.empty()) {
      WEFT_TRY_VALUE(of, library.web.neighbours(thought.cid, "rework", Direction::from));
    }
    return of.empty() ? std::nullopt : std::optional(of.front());
  }
  if (kind == "citation" || kind == "web_resource") {
    WEFT_TRY_VALUE(auto of, library.web.effects(thought.cid));
    return of.empty() ? std::nullopt : std::optional(of.front());
  }
  return std::nullopt;
}

}  // namespace

Result<std::optional<Standing>> find_standing(const Library& library, const Cid& cid) {
  Result<store::ConversationRow> row = library.web.conversation(cid);
  if (row) return Standing{.conversation = *std::move(row)};
  if (row.error().code != ErrorCode::not_found) return fail(std::move(row).error());
  Foreigners foreigners(library);
  WEFT_TRY_VALUE(auto rows, holders_of(library, cid, foreigners));
  WEFT_TRY_VALUE(const auto thought, library.web.get(cid));
  WEFT_TRY_VALUE(const auto block, block_for(library, thought));
  if (rows.empty() && block) {
    WEFT_TRY_VALUE(rows, holders_of(library, *block, foreigners));
  }
  if (rows.empty()) return std::nullopt;
  const bool stands_itself = !block || thought::kind_of(thought.type) == "thinking_summary";
  return Standing{.conversation = std::move(rows.front()), .block = stands_itself ? cid : *block};
}

Result<Standing> resolve_standing(const Library& library, std::string_view text) {
  Result<store::ConversationRow> row = resolve_conversation(library, text);
  if (row) return Standing{.conversation = *std::move(row)};
  if (row.error().code != ErrorCode::invalid_input && row.error().code != ErrorCode::not_found) {
    return fail(std::move(row).error());
  }
  const Result<Cid> cid = resolve_thought(library, text);
  if (!cid) return fail(std::move(row).error());
  WEFT_TRY_VALUE(auto standing, find_standing(library, *cid));
  if (!standing) {
    return fail(ErrorCode::invalid_input, "that thought stands in no conversation");
  }
  return *std::move(standing);
}

Result<json::object> describe_standing(const Library& library, const Standing& standing) {
  const store::ConversationRow& row = standing.conversation;
  const ReadFacts facts = read_facts(library, row);
  json::object out{{"conversation_cid", row.cid.str()},
                   {"session_id", row.session_id},
                   {"title", text_or_null(title_of(library, row.cid, facts.known))},
                   {"project", text_or_null(facts.known.facts.project)}};
  if (!standing.block) return out;
  WEFT_TRY_VALUE(auto main, NumberedBlocks::open(library, row, {}));
  WEFT_TRY_VALUE(const auto ordinal, main.find(*standing.block));
  if (ordinal) {
    out["turn"] = main.turn_of(*ordinal);
    out["ordinal"] = *ordinal;
    return out;
  }
  WEFT_TRY_VALUE(auto all, NumberedBlocks::open(library, row, {.all = true}));
  WEFT_TRY_VALUE(const auto aside, all.find(*standing.block));
  if (aside) out["turn"] = all.turn_of(*aside);
  return out;
}

}  // namespace weft::query

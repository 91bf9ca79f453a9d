#include "weft/query/trace/joins.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/query/ask/turns.hpp"

namespace weft::query {

using store::Direction;

Result<std::vector<store::ConversationRow>> holders_of(const Library& library, const Cid& block,
                                                       Foreigners& foreigners) {
  WEFT_TRY_VALUE(const auto conversations, library.web.conversations_of(block));
  std::vector<store::ConversationRow> rows;
  for (const Cid& conversation : conversations) {
    WEFT_TRY_VALUE(auto row, library.web.conversation(conversation));
    rows.push_back(std::move(row));
  }
  foreigners.prefer_own(rows);
  return rows;
}

Result<std::vector<Cid>> held_neighbours(const Library& library, const Cid& block,
                                         std::string_view relation, Direction direction,
                                         Foreigners& foreigners) {
  // Few blocks have such edges at all, and that is soon known.
  WEFT_TRY_VALUE(auto ends, library.web.neighbours(block, relation, direction));
  if (ends.empty()) return ends;
  WEFT_TRY_VALUE(const auto holders, holders_of(library, block, foreigners));
  std::vector<Cid> counted;
  for (const store::ConversationRow& holder : holders) {
    WEFT_TRY_VALUE(const auto own,
                   library.web.neighbours_by(holder.created_by, block, relation, direction));
    std::ranges::copy(own, std::back_inserter(counted));
  }
  std::erase_if(ends,
                [&](const Cid& end) { return std::ranges::find(counted, end) == counted.end(); });
  return ends;
}

Result<std::vector<Cid>> calls_behind(const Library& library, const Cid& block,
                                      Foreigners& foreigners) {
  WEFT_TRY_VALUE(const auto holders, holders_of(library, block, foreigners));
  std::vector<Cid> calls;
  for (const store::ConversationRow& row : holders) {
    WEFT_TRY_VALUE(const auto spawning,
                   library.web.neighbours_by(row.created_by, row.cid, "spawns", Direction::to));
    calls.insert(calls.end(), spawning.begin(), spawning.end());
  }
  return calls;
}

namespace {

// The blocks without a cause at the beginning of each turn: a conversation with branches may have
// several beginnings.
Result<std::vector<Cid>> beginnings_of(const Library& library,
                                       const store::ConversationRow& conversation) {
  WEFT_TRY_VALUE(const auto turns, turns_of(library, conversation));
  std::vector<Cid> beginnings;
  for (const TurnView& turn : turns) {
    WEFT_TRY_VALUE(const auto blocks, blocks_of(library, turn.thought, Superseded::yes));
    for (const Cid& block : blocks) {
      const Result<thought::Thought> thought = library.web.get_without_path(block);
      if (!thought || !thought->because.empty()) break;
      beginnings.push_back(block);
    }
  }
  return beginnings;
}

}  // namespace

Result<std::vector<Cid>> blocks_spawned(const Library& library, const Cid& call,
                                        Foreigners& foreigners) {
  WEFT_TRY_VALUE(const auto children, library.web.neighbours(call, "spawns", Direction::from));
  std::vector<Cid> spawned;
  for (const Cid& child : children) {
    const Result<store::ConversationRow> row = library.web.conversation(child);
    if (!row && row.error().code == ErrorCode::not_found) continue;  // it is not stored here
    if (!row) return fail(Error(row.error()));
    WEFT_TRY_VALUE(const auto beginnings, beginnings_of(library, *row));
    for (const Cid& block : beginnings) {
      WEFT_TRY_VALUE(const auto calls, calls_behind(library, block, foreigners));
      if (std::ranges::find(calls, call) != calls.end()) spawned.push_back(block);
    }
  }
  return spawned;
}

Result<std::optional<Cid>> find_returned(const Library& library, const Cid& result,
                                         Foreigners& foreigners) {
  WEFT_TRY_VALUE(const auto answers,
                 held_neighbours(library, result, "returns", Direction::to, foreigners));
  std::optional<Cid> newest;
  Millis newest_time = 0;
  for (const Cid& answer : answers) {
    const Result<thought::Thought> thought = library.web.get_without_path(answer);
    if (!thought && thought.error().code == ErrorCode::not_found) continue;
    if (!thought) return fail(Error(thought.error()));
    if (newest && thought->created_at < newest_time) continue;
    newest = answer;
    newest_time = thought->created_at;
  }
  return newest;
}

Result<std::vector<Cid>> results_of(const Library& library, const Cid& answer,
                                    Foreigners& foreigners) {
  WEFT_TRY_VALUE(auto results, library.web.neighbours(answer, "returns", Direction::from));
  std::vector<Cid> counted;
  for (const Cid& result : results) {
    WEFT_TRY_VALUE(const auto returned, find_returned(library, result, foreigners));
    if (returned == answer) counted.push_back(result);
  }
  return counted;
}

}  // namespace weft::query

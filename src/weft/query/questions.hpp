// The queries, one function each. CIDs and conversations are already resolved (library.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/typed/moment.hpp"
#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"

namespace weft::query {

struct ListOptions {
  // A project by its name; if no conversation has exactly that, by any part of it, in any case.
  std::optional<std::string> project{}, format{};
  std::optional<std::string> directory{};  // worked in this directory, or below it
  std::optional<Millis> since{};           // by last change
  std::optional<std::string> title{};      // part of the title, in any case of letters
  // Continues after the last conversation of an earlier answer, which returned it as next_cursor.
  // Conversations that changed since then moved before it, and are not listed again.
  std::optional<std::string> cursor{};
  bool fold = false;      // conversations that another one spawned count as its `subagents`
  bool internal = false;  // with those in which a program spoke to itself
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t offset = 0;
  LocalClock clock{};  // of the person who asks: notes name times in their zone
};
// {conversations: [{cid, session_id, format, source, project, cwd, git_branch, title,
// summary, created_at, updated_at, turn_count, thought_count, models, parent?, internal?,
// subagents?}], total, next_cursor?, notes?, behind?}, most recently changed first. A conversation
// without a title is listed by its first words. invalid_input for a cursor that is none. If the
// filters match nothing, `notes` say which of them, and what there is.
Result<json::object> list(const Library& library, const ListOptions& options);

// One element of that list.
json::object describe(const Library& library, const store::ConversationRow& conversation);

enum class Layers { open, as_stored };
// The thought. corrupt if the store has other bytes for it than its name says.
Result<json::object> get(const Library& library, const Cid& cid, Layers layers);

// Changes a thought before it is measured and passed on.
using Edit = std::function<void(json::object& thought)>;

struct TraceOptions {
  std::uint64_t depth = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  // Whether one more thought fits, asked for each. The trace ends at the first that does not, but
  // always includes the start.
  std::function<bool(const json::object& thought)> has_room{};
  Edit edit{};
  QueryControl control{};  // it is not known how many there are: nothing is reported
};
// Traces the causes of a thought: along `because`, from a subagent's first block to the call that
// spawned it (`spawns`), and from the result of that call to the subagent's answer (`returns`).
// Breadth first, each thought once, the start at depth 0. Calls `visit` with {…thought, depth}; all
// but the start have `reached_by`, the edge, and `reached_from`, the CID at its other end.
// Reasoning that cannot be read has `summary: {cid, text}`, if there is one. Returns whether there
// are more causes than were visited.
Result<bool> why(const Library& library, const Cid& cid, const TraceOptions& options,
                 const std::function<void(json::object)>& visit);
// The whole result: {thoughts: […], truncated}.
Result<json::object> why_answer(const Library& library, const Cid& cid,
                                const TraceOptions& options);

// Traces what came of a thought: the same edges, followed forwards. A thought is among the effects
// of another if that one is among its causes.
Result<bool> effects(const Library& library, const Cid& cid, const TraceOptions& options,
                     const std::function<void(json::object)>& visit);
Result<json::object> effects_answer(const Library& library, const Cid& cid,
                                    const TraceOptions& options);

struct WalkOptions {
  std::optional<std::uint64_t> turn{};  // only this sequence
  std::optional<std::string> branch{};  // the branch that ends at this turn (CID or prefix)
  bool all = false;                     // include other branches and superseded blocks
  // Applied to the remaining turns.
  std::uint64_t offset = 0;
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t thought_offset = 0;  // in the first of them
  // The budget in bytes of JSON: what exceeds it is left out. A thought that is larger by itself
  // counts as half of it, because its texts will be cut.
  std::uint64_t chars = std::numeric_limits<std::uint64_t>::max();
  Edit edit{};
  QueryControl control{};  // by turns
};
// Calls `visit` with each turn in order, as {cid, role, sequence, thoughts: […]}, a summary right
// after its thinking. A turn that is not complete has `thought_count`, too. not_found if there is
// no such turn.
Status walk(const Library& library, const store::ConversationRow& conversation,
            const WalkOptions& options, const std::function<void(json::object)>& visit);
// The whole result: {conversation_cid, turns: […]}. If turns were left out it has `total`, too;
// if more follows, `next_offset`, and `next_thought_offset` if that is inside a turn.
Result<json::object> walk_answer(const Library& library, const store::ConversationRow& conversation,
                                 const WalkOptions& options);

// Blocks are numbered from 0 in the order of `walk`; the number is their ordinal.
struct OutlineOptions {
  std::optional<std::string> branch{};  // as of WalkOptions
  bool all = false;                     // with other branches and superseded blocks
  std::uint64_t from = 0;               // the first ordinal
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  QueryControl control{};
};
// A conversation as columns, one element for each block, without texts:
//
//   {conversation_cid, count, from, kinds: […], tools: […], flags: ["error", …],
//    columns: {kind, time, duration_ms, length, tool, flags, turn, causes},
//    elsewhere: [{ordinal, cid}], sealed?, notes?}
//
// `count` is the number of all blocks. `kind` and `tool` are indexes of the lists of names.
// `length` is that of the text in characters, of a tool call that of its input as JSON. `flags` is
// a sum: 1 error, 2 withheld by its provider, 4 superseded, 8 sealed and not opened, 16 on another
// branch. `turn` is the sequence of the turn. `causes` are distances: 1 is the block before;
// negative ones lead to later blocks, which only happens between branches. `elsewhere` names causes
// that are not in the outline. Unknown values are null; those that a closed layer states are, too,
// and `sealed` then counts the blocks that have one.
Result<json::object> outline(const Library& library, const store::ConversationRow& conversation,
                             const OutlineOptions& options);

struct BlocksOptions {
  std::optional<std::string> branch{};
  bool all = false;
  std::uint64_t from = 0;
  std::uint64_t limit = 50;
  std::uint64_t cut = 2'000;  // longer texts are cut to so many characters
  QueryControl control{};
};
// Blocks by their ordinals in the outline with the same `branch` and `all`:
//
//   {conversation_cid, count, from, blocks: [{…thought, ordinal, turn, lengths?, superseded?,
//    other_branch?, summary?}]}
//
// `lengths` gives the full length, in characters, of each text that was cut, by its JSON pointer.
Result<json::object> blocks(const Library& library, const store::ConversationRow& conversation,
                            const BlocksOptions& options);

// The ordinals of blocks in the outline with this `branch` and `all`, ascending. Blocks that are
// not in it are left out.
Result<std::vector<std::uint64_t>> find_ordinals(const Library& library,
                                                 const store::ConversationRow& conversation,
                                                 const std::vector<Cid>& blocks,
                                                 const std::optional<std::string>& branch = {},
                                                 bool all = false);

// {connections: [{cid, relation, from, to, label, index, created_by, created_at}]}
Result<json::object> connections(const Library& library, const Cid& cid,
                                 const std::optional<std::string>& relation,
                                 store::Direction direction);

enum class SearchGroup { none, session };
struct SearchOptions {
  std::string query{};  // as typed (search/query.hpp); the members below narrow it further
  LocalClock clock{};   // of the person who asks: times in the query are theirs
  std::vector<std::string> types{}, projects{}, roles{};
  std::optional<store::ConversationRow> conversation{};
  std::optional<Millis> since{}, until{};  // both included
  std::uint64_t limit = 20;
  std::uint64_t offset = 0;
  SearchGroup group = SearchGroup::none;
  std::string cursor{};  // the next_cursor of the page before; it replaces `offset`
};
// {query, total, results: [{cid, type, score, snippet, marks, conversation_cid, session_id, title,
// project, turn, created_at, places}], next_cursor?, sealed_not_searched?, not_searched?,
// notes?}, best first.
//
// A thought that occurs in several places is one result, with its newest place among those that
// were searched; `turn` is the sequence of that turn, `places` counts them all. `marks` are the
// code points of the snippet that match, [from, to) each. `sealed_not_searched` is present, and
// true, if sealed text was left out, and `not_searched` counts the thoughts with text that was left
// out for lack of a key; `notes` are sentences for people that say what was left out,
// and why. `next_cursor` is present if more results follow.
//
// Where nothing matches, `suggested`, {query, total, results}, is what a similar query finds: other
// forms of its words. Its results are no part of `results` and `total`.
//
// Grouped by session, there is one result for each conversation, its best, and `more` counts the
// further matches in it; `total` counts matches as before. invalid_input for a cursor of another
// question, or one that is out of date.
Result<json::object> search(const Library& library, const SearchOptions& options);
// {query, total, results: [{session_id, project, turn_number, score, snippet, marks, timestamp,
// cid, conversation_cid, title, turn, hit_turn}], sealed_not_searched?, not_searched?, notes?}: a
// person's text with the answer to it, by their best block, which is `cid`.
//
// Session ids and turn numbers are those of sessions.hpp and exchanges.hpp. `turn` is the sequence
// of the turn that opens the exchange, `hit_turn` that of the turn with the block, as `walk` counts
// them; `timestamp` is the time of the first in ISO 8601. Neither cursor nor group apply. `total`
// is an upper bound: several hits beyond the requested page may be in one exchange.
Result<json::object> search_turns(const Library& library, const SearchOptions& options);

// {conversations, turn_count, thinking_ms, response_ms, tool_ms, waiting_ms, tool_calls,
// tool_errors, by_type, by_tool, by_model, tokens, notes?, behind?}: of one conversation, or of
// all. Places count; over several conversations a place that a fork copied counts once. Times are
// null where no block has one; `waiting_ms` is the time of calls that asked a person. `behind`,
// {done, all}, says how many rows of tables were there already. Progress is reported by
// conversations.
Result<json::object> stats(const Library& library, const std::optional<store::ConversationRow>& one,
                           const QueryControl& control = {});

struct ActivityOptions {
  std::optional<store::ConversationRow> conversation{};  // all, if it is empty
  // The asker's zone: its name, and how far its clocks are ahead of UTC at a time.
  std::string zone = "UTC";
  std::function<Millis(Millis utc)> offset = [](Millis) { return 0; };
};
// {zone, days: [{day, turn_count, block_count, tool_calls, tool_errors, thinking_ms, response_ms,
// tool_ms, waiting_ms}], undated_blocks?, notes?, behind?}: what was done on each day of the zone,
// in order; a place that a fork copied counts once.
Result<json::object> activity(const Library& library, const ActivityOptions& options);

}  // namespace weft::query

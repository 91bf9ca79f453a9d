// The questions, one function each. cids and conversations come resolved (library.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"

namespace weft::query {

struct ListOptions {
  std::optional<std::string> project{}, format{};
  std::optional<Millis> since{};  // by last change
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t offset = 0;
};
// {conversations: [{cid, session_id, format, source, project, cwd, git_branch, title,
// summary, created_at, updated_at, turn_count, thought_count, models}], total}, newest
// change first. Without a title of its own a conversation is called by its first words.
Result<json::object> list(const Library& library, const ListOptions& options);

// One of them.
json::object describe(const Library& library, const store::ConversationRow& conversation);

enum class Layers { open, as_stored };
// The thought.
Result<json::object> get(const Library& library, const Cid& cid, Layers layers);

// Changes a thought before it is told, and before it is measured.
using Edit = std::function<void(json::object& thought)>;

struct WhyOptions {
  std::uint64_t depth = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  // Whether there is room for one more, asked of each. Where there is none it ends, but the first
  // is told all the same.
  std::function<bool(const json::object& thought)> has_room{};
  Edit edit{};
  QueryControl control{};  // how far it leads is not known: nothing is told
};
// Breadth first along `because`, each thought once, the start at depth 0, each told to
// `visit` as {…thought, depth}. Returns whether it rests on more than was told.
Result<bool> why(const Library& library, const Cid& cid, const WhyOptions& options,
                 const std::function<void(json::object)>& visit);
// All of it at once: {thoughts: […], truncated}.
Result<json::object> why_answer(const Library& library, const Cid& cid, const WhyOptions& options);

struct WalkOptions {
  std::optional<std::uint64_t> turn{};  // this sequence alone
  std::optional<std::string> branch{};  // the branch that ends at this turn (CID or prefix)
  bool all = false;                     // other branches and superseded blocks too
  // Of the turns that this leaves.
  std::uint64_t offset = 0;
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t thought_offset = 0;  // in the first of them
  // Of JSON: what would go beyond it is left out. A thought that has more by itself counts as half
  // of it, for its texts are to be cut.
  std::uint64_t chars = std::numeric_limits<std::uint64_t>::max();
  Edit edit{};
  QueryControl control{};  // by turns
};
// Turns in order, each told as {cid, role, sequence, thoughts: […]}, a summary right
// after its thinking. A turn that is not told whole has `thought_count`, too. not_found if there
// is no such turn.
Status walk(const Library& library, const store::ConversationRow& conversation,
            const WalkOptions& options, const std::function<void(json::object)>& visit);
// All of it at once: {conversation_cid, turns: […]}. Where turns were left out it has `total`, too;
// where more follows, `next_offset`, and `next_thought_offset` if that is in the midst of a turn.
Result<json::object> walk_answer(const Library& library, const store::ConversationRow& conversation,
                                 const WalkOptions& options);

// {connections: [{cid, relation, from, to, label, index, created_by, created_at}]}
Result<json::object> connections(const Library& library, const Cid& cid,
                                 const std::optional<std::string>& relation,
                                 store::Direction direction);

struct SearchOptions {
  std::string query{};  // as it was typed (search/query.hpp); what follows narrows it further
  std::vector<std::string> types{}, projects{}, roles{};
  std::optional<store::ConversationRow> conversation{};
  std::optional<Millis> since{}, until{};  // both included
  std::uint64_t limit = 20;
  std::uint64_t offset = 0;
};
// {query, total, results: [{cid, type, score, snippet, marks, conversation_cid, session_id, title,
// project, turn, created_at, places}], sealed_not_searched?, notes?}, best first.
//
// A thought that stands in several places is one result, with its newest place among those that
// were searched; `turn` is the sequence of that turn, `places` counts them all. `marks` are the
// code points of the snippet that match, [from, to) each. `sealed_not_searched` is there, and true,
// where sealed text was left out; `notes` are sentences for people that say what was, and why.
Result<json::object> search(const Library& library, const SearchOptions& options);
// {query, total, results: [{session_id, project, turn_number, score, snippet, marks, timestamp,
// cid, conversation_cid, title, turn}], sealed_not_searched?, notes?}: human words with the answer
// to them, by their best block, which is `cid`.
//
// Session ids and turn numbers are those of sessions.hpp and exchanges.hpp. `turn` is the sequence
// of the turn that opens the exchange, `timestamp` its time in ISO 8601. `total` may be too large
// by what other hits than those that were looked at have in common.
Result<json::object> search_turns(const Library& library, const SearchOptions& options);

// {conversations, turn_count, thinking_ms, response_ms, tool_ms, tool_calls, tool_errors,
// by_type, by_tool, by_model, tokens}: of one conversation, or of all. Places count. It is
// watched by conversations.
Result<json::object> stats(const Library& library, const std::optional<store::ConversationRow>& one,
                           const QueryControl& control = {});

}  // namespace weft::query

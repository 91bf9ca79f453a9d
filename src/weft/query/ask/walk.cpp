#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/query/ask/foreigners.hpp"
#include "weft/query/ask/turns.hpp"
#include "weft/query/questions.hpp"
#include "weft/query/secrets/opened.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {
namespace {

// A block or summary of a turn.
struct Name {
  Cid cid;
  bool foreign = false;  // somebody else than the conversation's creator put it there
};

// The blocks of a turn in order, a summary right after its thinking; with `all`, those that others
// put there, too, after the others.
Result<std::vector<Name>> names_in(const Library& library, const TurnView& turn, bool all) {
  using store::Direction;
  const Cid& creator = turn.thought.created_by;
  const Cid& cid = turn.thought.cid;
  std::vector<Name> names;
  const auto add = [&](const std::vector<Cid>& cids, bool foreign) {
    for (const Cid& name : cids) names.push_back({name, foreign || turn.foreign});
  };
  WEFT_TRY_VALUE(auto blocks,
                 blocks_of(library, turn.thought, all ? Superseded::yes : Superseded::no));
  for (const Cid& block : blocks) {
    add({block}, false);
    WEFT_TRY_VALUE(auto reworks,
                   library.web.neighbours_by(creator, block, "rework", Direction::to));
    add(reworks, false);
    if (!all) continue;
    WEFT_TRY_VALUE(auto others,
                   foreign_neighbours(library, creator, block, "rework", Direction::to));
    add(others, true);
  }
  if (!all) return names;
  WEFT_TRY_VALUE(auto others,
                 foreign_neighbours(library, creator, cid, "contains", Direction::from));
  add(others, true);
  return names;
}

// Reads turns until the budget is used up.
class Walker {
 public:
  Walker(const Library& library, const WalkOptions& options)
      : library_(library),
        foreigners_(library),
        options_(options),
        has_limit_(options.chars < std::numeric_limits<std::uint64_t>::max()) {}

  // The thought at which to resume the last turn; empty if it was read whole.
  const std::optional<std::uint64_t>& next_thought() const { return next_thought_; }

  // Empty if the turn does not fit. A part of it is returned while less than half of the budget is
  // used.
  Result<std::optional<json::object>> read(const TurnView& turn) {
    WEFT_TRY_VALUE(auto names, names_in(library_, turn, options_.all));
    const std::size_t begin =
        is_first_ ? std::min<std::uint64_t>(options_.thought_offset, names.size()) : 0;
    const bool takes_parts = is_first_ || chars_ < options_.chars / 2;
    const bool is_strange = turn.foreign || foreigners_.is_foreign_creator(turn.thought.created_by);
    std::size_t at = begin;
    json::array thoughts;
    for (; at < names.size(); ++at) {
      WEFT_TRY_VALUE(auto opened, open(names[at], is_strange));
      if (!has_room_for(opened)) break;
      thoughts.push_back(std::move(opened));
    }
    const bool is_part = at < names.size();
    if (is_part && (!takes_parts || thoughts.empty())) return std::nullopt;
    is_first_ = false;
    json::object out{{"cid", turn.thought.cid.str()},
                     {"role", turn.role},
                     {"sequence", turn.sequence},
                     {"thoughts", std::move(thoughts)}};
    if (is_strange) out[kForeign] = true;
    if (begin > 0 || is_part) out["thought_count"] = names.size();
    if (is_part) next_thought_ = at;
    return out;
  }

 private:
  Result<json::object> open(const Name& name, bool is_in_strange_turn) {
    WEFT_TRY_VALUE(auto thought, library_.web.get(name.cid));
    json::object opened = open_json(library_, thought);
    if (name.foreign) opened[kForeign] = true;
    else foreigners_.mark(thought, opened, is_in_strange_turn);
    if (options_.edit) options_.edit(opened);
    return opened;
  }

  bool has_room_for(const json::object& thought) {
    if (!has_limit_) return true;
    form_.clear();
    append_canonical(form_, thought);
    // A thought that fits nowhere is cut by the caller, so it leaves room for others.
    const std::uint64_t size = form_.size() > options_.chars ? options_.chars / 2 : form_.size();
    if (chars_ > 0 && chars_ + size > options_.chars) return false;
    chars_ += size;
    return true;
  }

  const Library& library_;
  Foreigners foreigners_;
  const WalkOptions& options_;
  bool has_limit_;
  bool is_first_ = true;
  std::uint64_t chars_ = 0;
  std::optional<std::uint64_t> next_thought_;
  std::string form_;  // buffer for canonical forms
};

Result<std::vector<TurnView>> chosen_turns(const Library& library,
                                           const store::ConversationRow& conversation,
                                           const WalkOptions& options) {
  Result<std::vector<TurnView>> turns = turns_of(library, conversation);
  if (turns && (!options.all || options.branch)) {
    turns = branch_of(library, *std::move(turns), options.branch);
  } else if (turns) {
    WEFT_TRY_VALUE(auto others, foreign_turns_of(library, conversation));
    std::ranges::move(others, std::back_inserter(*turns));
  }
  if (!turns || !options.turn) return turns;
  std::erase_if(*turns, [&](const TurnView& turn) { return turn.sequence != *options.turn; });
  if (turns->empty()) {
    return fail(ErrorCode::not_found,
                "the conversation has no turn " + std::to_string(*options.turn));
  }
  return turns;
}

// The turn, and perhaps the thought in it, that comes next.
struct Next {
  std::uint64_t turn = 0;
  std::optional<std::uint64_t> thought{};
};
Result<Next> visit_turns(const Library& library, const std::vector<TurnView>& turns,
                         const WalkOptions& options,
                         const std::function<void(json::object)>& visit) {
  Walker walker(library, options);
  const std::uint64_t begin = std::min<std::uint64_t>(options.offset, turns.size());
  const std::uint64_t end = begin + std::min<std::uint64_t>(options.limit, turns.size() - begin);
  for (std::uint64_t at = begin; at < end; ++at) {
    if (options.control.is_off()) return called_off();
    WEFT_TRY_VALUE(auto turn, walker.read(turns[at]));
    if (!turn) return Next{at};
    visit(*std::move(turn));
    if (walker.next_thought()) return Next{at, walker.next_thought()};
    options.control.report_progress(at + 1 - begin, end - begin);
  }
  return Next{end};
}

}  // namespace

Status walk(const Library& library, const store::ConversationRow& conversation,
            const WalkOptions& options, const std::function<void(json::object)>& visit) {
  WEFT_TRY_VALUE(auto turns, chosen_turns(library, conversation, options));
  WEFT_TRY(visit_turns(library, turns, options, visit));
  return {};
}

Result<json::object> walk_answer(const Library& library, const store::ConversationRow& conversation,
                                 const WalkOptions& options) {
  WEFT_TRY_VALUE(auto turns, chosen_turns(library, conversation, options));
  json::array visited;
  Result<Next> next = visit_turns(library, turns, options,
                                  [&](json::object turn) { visited.push_back(std::move(turn)); });
  if (!next) return fail(std::move(next).error());
  const bool is_whole = visited.size() == turns.size();
  json::object answer{{"conversation_cid", conversation.cid.str()}, {"turns", std::move(visited)}};
  if (!is_whole) answer["total"] = turns.size();
  if (next->turn < turns.size()) answer["next_offset"] = next->turn;
  if (next->thought) answer["next_thought_offset"] = *next->thought;
  return answer;
}

}  // namespace weft::query

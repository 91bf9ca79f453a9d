#include <algorithm>

#include "weft/query/children.hpp"
#include "weft/query/questions.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {
namespace {

// The names of what stands in a turn, in order, a summary right after its thinking.
Result<std::vector<Cid>> names_in(const Library& library, const Cid& turn, bool all) {
  Result<std::vector<Cid>> blocks = blocks_of(library, turn, all);
  if (!blocks) return fail(std::move(blocks).error());
  std::vector<Cid> names;
  for (const Cid& block : *blocks) {
    names.push_back(block);
    Result<std::vector<Cid>> reworks =
        library.store.neighbours(block, "rework", store::Direction::to);
    if (!reworks) return fail(std::move(reworks).error());
    names.insert(names.end(), reworks->begin(), reworks->end());
  }
  return names;
}

// Reads turns until there is no more room.
class Walker {
 public:
  Walker(const Library& library, const WalkOptions& options)
      : library_(library),
        options_(options),
        has_limit_(options.chars < std::numeric_limits<std::uint64_t>::max()) {}

  // Nothing more was taken from here on.
  bool is_full() const { return is_full_; }

  // Empty if it has no room. Only of the first that is read a part will do.
  Result<std::optional<json::object>> read(const TurnView& turn) {
    Result<std::vector<Cid>> names = names_in(library_, turn.thought.cid, options_.all);
    if (!names) return fail(std::move(names).error());
    const std::size_t begin =
        is_first_ ? std::min<std::uint64_t>(options_.thought_offset, names->size()) : 0;
    std::size_t at = begin;
    json::array thoughts;
    for (; at < names->size(); ++at) {
      Result<json::object> opened = open((*names)[at]);
      if (!opened) return fail(std::move(opened).error());
      if (!has_room_for(*opened)) break;
      thoughts.push_back(*std::move(opened));
    }
    if (is_full_ && !is_first_) return std::nullopt;
    is_first_ = false;
    json::object out{{"cid", turn.thought.cid.str()},
                     {"role", turn.role},
                     {"sequence", turn.sequence},
                     {"thoughts", std::move(thoughts)}};
    if (begin > 0 || at < names->size()) out["thought_count"] = names->size();
    if (at < names->size()) out["next_thought_offset"] = at;
    return out;
  }

 private:
  Result<json::object> open(const Cid& cid) const {
    Result<thought::Thought> thought = library_.store.get(cid);
    if (!thought) return fail(std::move(thought).error());
    return thought::to_open_json(*thought, library_.keyring);
  }

  bool has_room_for(const json::object& thought) {
    if (!has_limit_) return true;
    form_.clear();
    append_canonical(form_, thought);
    is_full_ = chars_ > 0 && chars_ + form_.size() > options_.chars;
    chars_ += form_.size();
    return !is_full_;
  }

  const Library& library_;
  const WalkOptions& options_;
  bool has_limit_;
  bool is_first_ = true, is_full_ = false;
  std::uint64_t chars_ = 0;
  std::string form_;  // room for canonical forms
};

Result<std::vector<TurnView>> chosen_turns(const Library& library,
                                           const store::ConversationRow& conversation,
                                           const WalkOptions& options) {
  Result<std::vector<TurnView>> turns = turns_of(library, conversation.cid);
  if (turns && (!options.all || options.branch)) {
    turns = branch_of(library, *std::move(turns), options.branch);
  }
  if (!turns || !options.turn) return turns;
  std::erase_if(*turns, [&](const TurnView& turn) { return turn.sequence != *options.turn; });
  if (turns->empty()) {
    return fail(ErrorCode::not_found,
                "the conversation has no turn " + std::to_string(*options.turn));
  }
  return turns;
}

// Returns how far it came: the turn after the last that was told.
Result<std::uint64_t> tell(const Library& library, const std::vector<TurnView>& turns,
                           const WalkOptions& options,
                           const std::function<void(json::object)>& visit) {
  Walker walker(library, options);
  std::uint64_t at = std::min<std::uint64_t>(options.offset, turns.size());
  const std::uint64_t begin = at;
  const std::uint64_t end = at + std::min<std::uint64_t>(options.limit, turns.size() - at);
  for (; at < end && !walker.is_full(); ++at) {
    if (options.watch.is_off()) return called_off();
    Result<std::optional<json::object>> turn = walker.read(turns[at]);
    if (!turn) return fail(std::move(turn).error());
    if (!*turn) return at;
    visit(**std::move(turn));
    options.watch.tell(at + 1 - begin, end - begin);
  }
  return at;
}

}  // namespace

Status walk(const Library& library, const store::ConversationRow& conversation,
            const WalkOptions& options, const std::function<void(json::object)>& visit) {
  Result<std::vector<TurnView>> turns = chosen_turns(library, conversation, options);
  if (!turns) return fail(std::move(turns).error());
  Result<std::uint64_t> told = tell(library, *turns, options, visit);
  if (!told) return fail(std::move(told).error());
  return {};
}

Result<json::object> walk_answer(const Library& library, const store::ConversationRow& conversation,
                                 const WalkOptions& options) {
  Result<std::vector<TurnView>> turns = chosen_turns(library, conversation, options);
  if (!turns) return fail(std::move(turns).error());
  json::array told;
  Result<std::uint64_t> end =
      tell(library, *turns, options, [&](json::object turn) { told.push_back(std::move(turn)); });
  if (!end) return fail(std::move(end).error());
  const bool is_whole = told.size() == turns->size();
  json::object answer{{"conversation_cid", conversation.cid.str()}, {"turns", std::move(told)}};
  if (!is_whole) answer["total"] = turns->size();
  if (*end < turns->size()) answer["next_offset"] = *end;
  return answer;
}

}  // namespace weft::query

#include "weft/query/children.hpp"
#include "weft/query/questions.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {
namespace {

Status append_opened(const Library& library, const Cid& cid, json::array& out) {
  Result<thought::Thought> thought = library.store.get(cid);
  if (!thought) return fail(std::move(thought).error());
  Result<json::object> opened = thought::to_open_json(*thought, library.keyring);
  if (!opened) return fail(std::move(opened).error());
  out.push_back(*std::move(opened));
  return {};
}

Result<json::array> thoughts_of(const Library& library, const Cid& turn, bool all) {
  Result<std::vector<Cid>> blocks = blocks_of(library, turn, all);
  if (!blocks) return fail(std::move(blocks).error());
  json::array thoughts;
  for (const Cid& block : *blocks) {
    if (Status status = append_opened(library, block, thoughts); !status)
      return fail(std::move(status).error());
    Result<std::vector<Cid>> reworks =
        library.store.neighbours(block, "rework", store::Direction::to);
    if (!reworks) return fail(std::move(reworks).error());
    for (const Cid& summary : *reworks) {
      if (Status status = append_opened(library, summary, thoughts); !status) {
        return fail(std::move(status).error());
      }
    }
  }
  return thoughts;
}

}  // namespace

Status walk(const Library& library, const store::ConversationRow& conversation,
            const WalkOptions& options, const std::function<void(json::object)>& visit) {
  Result<std::vector<TurnView>> turns = turns_of(library, conversation.cid);
  if (turns && (!options.all || options.branch)) {
    turns = branch_of(library, *std::move(turns), options.branch);
  }
  if (!turns) return fail(std::move(turns).error());
  bool found = !options.turn.has_value();
  for (const TurnView& turn : *turns) {
    if (options.turn && turn.sequence != *options.turn) continue;
    found = true;
    Result<json::array> thoughts = thoughts_of(library, turn.thought.cid, options.all);
    if (!thoughts) return fail(std::move(thoughts).error());
    visit({{"cid", turn.thought.cid.str()},
           {"role", turn.role},
           {"sequence", turn.sequence},
           {"thoughts", *std::move(thoughts)}});
  }
  if (!found) {
    return fail(ErrorCode::not_found,
                "the conversation has no turn " + std::to_string(*options.turn));
  }
  return {};
}

}  // namespace weft::query

#include "weft/query/verify/given_up.hpp"

#include <optional>
#include <tuple>

#include "weft/base/try.hpp"
#include "weft/thought/checkpoint.hpp"
#include "weft/thought/statements/joining.hpp"

namespace weft::query {
namespace {

using thought::Thought;

// Conversations in which two checkpoints of the same creator follow the same one.
std::set<Cid> parted(const std::map<Cid, Thought>& checkpoints) {
  std::set<std::tuple<Cid, Cid, std::optional<Cid>>> followed;
  std::set<Cid> found;
  for (const auto& [cid, thought] : checkpoints) {
    const Result<thought::Checkpoint> content = thought::to_checkpoint(thought);
    if (!content) continue;
    const bool is_first =
        followed.emplace(content->conversation, thought.created_by, content->previous).second;
    if (!is_first) found.insert(content->conversation);
  }
  return found;
}

std::set<Cid> chain_to(std::optional<Cid> at, const std::map<Cid, Thought>& checkpoints) {
  std::set<Cid> chain;
  while (at && chain.insert(*at).second) {
    const auto found = checkpoints.find(*at);
    if (found == checkpoints.end()) break;
    const Result<thought::Checkpoint> content = thought::to_checkpoint(found->second);
    at = content ? content->previous : std::nullopt;
  }
  return chain;
}

}  // namespace

Result<std::set<Cid>> find_given_up(const store::Store& store,
                                    const std::map<Cid, Thought>& checkpoints) {
  std::set<Cid> given_up;
  for (const Cid& conversation : parted(checkpoints)) {
    const Result<store::ConversationRow> row = store.conversation(conversation);
    if (!row) continue;  // another check reports it
    const std::set<Cid> chain = chain_to(row->checkpoint, checkpoints);
    WEFT_TRY_VALUE(const auto effects, store.effects(conversation));
    for (const Cid& effect : effects) {
      const Result<Thought> thought = store.get_without_path(effect);
      if (!thought || thought->created_by != row->created_by) continue;
      const Result<thought::Joining> joining = thought::to_joining(*thought);
      if (!joining || joining->conversation != conversation || !chain.contains(joining->kept)) {
        continue;
      }
      for (const Cid& checkpoint : joining->given_up) {
        if (checkpoints.contains(checkpoint) && !chain.contains(checkpoint)) {
          given_up.insert(checkpoint);
        }
      }
    }
  }
  return given_up;
}

}  // namespace weft::query

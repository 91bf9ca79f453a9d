#include "weft/remote/updates.hpp"

#include <algorithm>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/thought/checkpoint.hpp"
#include "weft/thought/identities.hpp"
#include "weft/thought/statements/joining.hpp"

namespace weft::remote {
namespace {

// The chains of the conversations that the other side has in part.
struct Chains {
  std::unordered_set<Cid> fresh{};  // after `since`
  std::unordered_set<Cid> old{};    // up to it
};

Status add_chain(const store::Web& web, const Update& update, Chains& chains) {
  std::unordered_set<Cid>* side = &chains.fresh;
  for (std::optional<Cid> at = update.tip.checkpoint; at;) {
    if (at == update.since) side = &chains.old;
    side->insert(*at);
    WEFT_TRY_VALUE(const auto thought, web.get_without_path(*at));
    WEFT_TRY_VALUE(const auto checkpoint, thought::to_checkpoint(thought));
    at = checkpoint.previous;
  }
  return {};
}

bool is_known(const thought::Thought& thought, const Chains& chains) {
  if (chains.old.contains(thought.cid)) return true;
  std::vector<Cid> signers;
  if (const auto* tree = std::get_if<thought::TreeSignature>(&thought.signature)) {
    signers.push_back(tree->checkpoint);
  }
  for (const thought::TreeSignature& leaf : thought.covered) signers.push_back(leaf.checkpoint);
  const auto is_in = [&](const std::unordered_set<Cid>& side) {
    return std::ranges::any_of(signers, [&](const Cid& signer) { return side.contains(signer); });
  };
  return is_in(chains.old) && !is_in(chains.fresh);
}

}  // namespace

std::optional<Tip> tip_of(const store::ConversationRow& row) {
  if (!row.checkpoint || row.turn_count == 0) return std::nullopt;
  return Tip{.conversation = row.cid, .checkpoint = *row.checkpoint};
}

Result<std::optional<Tip>> find_tip(const store::Web& web, const Cid& conversation) {
  const Result<store::ConversationRow> row = web.conversation(conversation);
  if (row) return tip_of(*row);
  if (row.error().code == ErrorCode::not_found) return std::nullopt;
  return fail(Error(row.error()));
}

Result<std::optional<Cid>> find_owner(const store::Store& store, const crypto::Keyring* keyring) {
  if (keyring != nullptr && keyring->can_sign()) return thought::owner_identity(*keyring).cid;
  return store.owner();
}

Result<bool> has_passed(const store::Web& web, const Tip& tip) {
  WEFT_TRY_VALUE(const auto now, find_tip(web, tip.conversation));
  if (!now) return false;
  const Result<thought::Thought> thought = web.get_without_path(tip.checkpoint);
  if (!thought && thought.error().code == ErrorCode::not_found) return false;
  if (!thought) return fail(Error(thought.error()));
  const Result<thought::Checkpoint> checkpoint = thought::to_checkpoint(*thought);
  return checkpoint && checkpoint->conversation == tip.conversation;
}

Result<bool> was_given_up(const store::Web& web, const Tip& tip) {
  const Result<store::ConversationRow> row = web.conversation(tip.conversation);
  if (!row && row.error().code == ErrorCode::not_found) return false;
  if (!row) return fail(Error(row.error()));
  WEFT_TRY_VALUE(const auto effects, web.effects(tip.conversation));
  for (const Cid& cid : effects) {
    WEFT_TRY_VALUE(const auto thought, web.get_without_path(cid));
    if (thought.type != thought::kJoiningType || thought.created_by != row->created_by) continue;
    const Result<thought::Joining> joining = thought::to_joining(thought);
    if (joining && joining->gives_up(tip.checkpoint)) return true;
  }
  return false;
}

Result<bool> leads_to(const store::Web& web, const Cid& earlier, const Tip& tip) {
  for (std::optional<Cid> at = tip.checkpoint; at;) {
    if (*at == earlier) return true;
    WEFT_TRY_VALUE(const auto thought, web.get_without_path(*at));
    WEFT_TRY_VALUE(const auto checkpoint, thought::to_checkpoint(thought));
    at = checkpoint.previous;
  }
  return false;
}

Status each_thought(const store::Web& web, const std::vector<Update>& updates,
                    const std::function<void(const thought::Thought&)>& visit) {
  std::vector<Cid> conversations;
  Chains chains;
  for (const Update& update : updates) {
    conversations.push_back(update.tip.conversation);
    if (update.since) WEFT_TRY(add_chain(web, update, chains));
  }
  // What an update adds may name identities and schemas that were known before: all are sent.
  return web.each_of(conversations, [&](const thought::Thought& thought) {
    if (thought::is_identity(thought) || !is_known(thought, chains)) visit(thought);
    return true;
  });
}

}  // namespace weft::remote

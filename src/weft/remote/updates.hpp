// The thoughts of updates, read from a web.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "weft/remote/remote.hpp"

namespace weft::remote {

// The state of a conversation of a web; empty if the web does not have it, or only points at it.
Result<std::optional<Tip>> find_tip(const store::Web& web, const Cid& conversation);
std::optional<Tip> tip_of(const store::ConversationRow& row);

// The identity that the person writes as: that of the keyring, else of the store's owner; empty if
// there is neither. `keyring` may be null.
Result<std::optional<Cid>> find_owner(const store::Store& store, const crypto::Keyring* keyring);

// Whether a conversation of this web went through this state; also one that was given up here.
Result<bool> has_passed(const store::Web& web, const Tip& tip);
// Whether the conversation's creator gave this state up, as a joining in this web says
// (thought/statements/joining.hpp). Reads all that is about the conversation: ask only where chains
// part.
Result<bool> was_given_up(const store::Web& web, const Tip& tip);
// Whether a state is in the chain that leads to another one.
Result<bool> leads_to(const store::Web& web, const Cid& earlier, const Tip& tip);

// Calls `visit` with every thought that an update adds: what the checkpoints after `since` cover,
// and those themselves; besides what is covered by none, or by other conversations' checkpoints.
// `web` is one state, which `visit` does not ask.
Status each_thought(const store::Web& web, const std::vector<Update>& updates,
                    const std::function<void(const thought::Thought&)>& visit);

}  // namespace weft::remote

// The thoughts of updates, read from a web.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "weft/remote/remote.hpp"

namespace weft::remote {

// The state of a conversation of a web; empty if the web does not have it, or only points at it.
Result<std::optional<Head>> find_head(const store::Web& web, const Cid& conversation);
std::optional<Head> head_of(const store::ConversationRow& row);

// The identity that the person writes as: that of the keyring, else of the store's owner; empty if
// there is neither. `keyring` may be null.
Result<std::optional<Cid>> find_owner(const store::Store& store, const crypto::Keyring* keyring);

// Whether a conversation of this web went through this state.
Result<bool> has_passed(const store::Web& web, const Head& head);

// Calls `visit` with every thought that an update adds: what the checkpoints after `since` cover,
// and those themselves; besides what is covered by none, or by other conversations' checkpoints.
// `web` is one state, which `visit` does not ask.
Status each_thought(const store::Web& web, const std::vector<Update>& updates,
                    const std::function<void(const thought::Thought&)>& visit);

}  // namespace weft::remote

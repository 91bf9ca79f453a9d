// The keys of what `weft resume` copies into a session of another tool: of each copied block, and
// of the session itself. A resumption (thought/resumption.hpp) is found by the latter.
#pragma once

#include <string_view>

#include "weft/crypto/keyring.hpp"
#include "weft/transcript/block.hpp"
#include "weft/weave/commit_unit.hpp"

namespace weft::weave {

// A keyed hash of the block's place in its session and of its content. A block that was changed
// since, by whoever, is no copy.
PlaceKey copy_key(const crypto::Keyring& keyring, const transcript::Block& block);

// The key of a session, and that of a record which no other session of the format has: some tools
// import a session under an id of their own, and keep the ids of its records.
PlaceKey resumed_session_key(const crypto::Keyring& keyring, std::string_view format,
                             std::string_view session_id);
PlaceKey resumed_record_key(const crypto::Keyring& keyring, std::string_view format,
                            std::string_view source_id);

}  // namespace weft::weave

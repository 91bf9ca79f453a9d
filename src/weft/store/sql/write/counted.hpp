// is_counted: the rule that decides which thoughts the row of a conversation counts, for writing
// and for checking.
#pragma once

#include <string_view>

#include "weft/thought/attestation.hpp"
#include "weft/thought/checkpoint.hpp"
#include "weft/thought/tombstone.hpp"
#include "weft/thought/usage.hpp"

namespace weft::store::sql {

// Counts leave out checkpoints, facts and usage, which depend on how often one commits,
// attestations, which a recorded conversation has and one that was read has not, and tombstones,
// which are of no conversation.
inline bool is_counted(std::string_view type) {
  return type != thought::kCheckpointType && type != thought::kTombstoneType &&
         type != thought::kAttestationType && thought::kind_of(type) != "conversation_facts" &&
         thought::kind_of(type) != thought::kUsageKind;
}

}  // namespace weft::store::sql

// The units that a seal adds, one for each conversation: the sealed thoughts, every edge of the
// clear ones again with the sealed ones at its end, an edge from each sealed thought to the one
// that it supersedes, and a checkpoint.
#pragma once

#include <map>

#include "weft/ingest/seal/seal_thoughts.hpp"
#include "weft/weave/commit_unit.hpp"

namespace weft::ingest {

// Whether the keyring makes the signatures of this identity.
Result<bool> is_signed_by(const crypto::Keyring& keyring, const store::Store& store,
                          const Cid& identity);

// The units of all conversations that hold one of the thoughts, or an edge of one, signed. `sealed`
// has the sealed form of each of plan.items, by the CID of the clear one. An edge goes to the
// conversations that hold the one that it is made of.
Result<std::vector<weave::CommitUnit>> sealed_units(const store::Store& store,
                                                    const crypto::Keyring& keyring,
                                                    const SealPlan& plan,
                                                    const std::map<Cid, thought::Thought>& sealed,
                                                    Millis now);

}  // namespace weft::ingest

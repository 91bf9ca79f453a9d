// Thoughts as peers of the Web of Thought exchange them: each signed by itself. A CID does not
// cover the signature, so it stays the same.
#pragma once

#include "weft/crypto/ed25519.hpp"
#include "weft/thought/thought.hpp"

namespace weft::query {

// `thought` with a plain signature and without its places in checkpoints. Structure that is signed
// through a tree is signed by `key`, which is that of `owner`; denied if somebody else made it.
Result<thought::Thought> to_wot(thought::Thought thought, const Cid& owner,
                                const crypto::SigningKey& key);

}  // namespace weft::query

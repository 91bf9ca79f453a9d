#include "weft/query/attest/wot_thought.hpp"

#include "weft/crypto/blake3.hpp"

namespace weft::query {

Result<thought::Thought> to_wot(thought::Thought thought, const Cid& owner,
                                const crypto::SigningKey& key) {
  thought.covered.clear();
  if (!std::holds_alternative<thought::TreeSignature>(thought.signature)) return thought;
  if (thought.created_by != owner) {
    return fail(ErrorCode::denied, "thought " + thought.cid.brief() +
                                       " is somebody else's structure, which only its creator can "
                                       "sign by itself");
  }
  thought.signature = key.sign(crypto::bytes_of(thought.cid.digest()));
  return thought;
}

}  // namespace weft::query

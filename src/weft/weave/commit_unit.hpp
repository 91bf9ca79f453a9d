// What weaving adds to a store: the thoughts of one commit to one conversation.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "weft/thought/connection.hpp"
#include "weft/thought/thought.hpp"

namespace weft::weave {

// A block's or turn's place in its conversation, hashed: record and index, under a key,
// for a source's ids may say more than a stranger should learn.
using PlaceKey = std::array<std::uint8_t, 16>;

struct Place {
  PlaceKey key;
  Cid thought;  // the newest that stands there
};

// A call that may have spawned a conversation, under the key by which that one asks for it.
struct Mark {
  PlaceKey key;
  Cid call;
  Millis time = 0;  // of the call
};

struct CommitUnit {
  Cid conversation;
  // The checkpoint that this was woven on. If the store has a newer one meanwhile, the
  // commit is refused as a conflict, and the source is woven anew.
  std::optional<Cid> previous{};
  // Blocks in the order woven, and all else that is kept as a body: the conversation,
  // turns, summaries, citations, identities, schemas, facts and, last, the checkpoint.
  // What the store has already is not an error.
  std::vector<thought::Thought> thoughts;
  // Who has still to sign each of `thoughts`; null where it is signed, or by the tree.
  // The keys live as long as the Identities that wove.
  std::vector<const crypto::SigningKey*> signers;
  // Signed by their own creator (`uses_input`) or by the tree. Tree signatures have no
  // path here: it follows from `leaves`.
  std::vector<thought::Connection> connections;
  // What the checkpoint signs, by leaf: CIDs of `thoughts` (turns) and `connections`.
  std::vector<Cid> leaves;
  std::optional<Cid> checkpoint{};  // its CID; none where nothing was added to sign
  std::vector<Place> places;        // new ones, and those that now hold another thought
  // How conversations in different files find each other, whichever comes first: calls marked
  // here; keys that this conversation waits for; those that waited and are joined now.
  std::vector<Mark> marks{};
  std::vector<PlaceKey> waits{};
  std::vector<Cid> joined{};
};

// Writes into every leaf which checkpoint signs it, and where. `checkpoint` is set.
void sign_by_tree(CommitUnit& unit);

// Makes the signatures that `signers` asks for. Safe from any thread.
void sign(CommitUnit& unit);

}  // namespace weft::weave

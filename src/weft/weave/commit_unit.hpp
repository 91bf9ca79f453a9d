// CommitUnit: the thoughts that weaving adds to one conversation in one commit.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "weft/thought/connection.hpp"
#include "weft/thought/thought.hpp"

namespace weft::weave {

// The place of a block or turn in its conversation: a keyed hash of record and index, because the
// ids of a source may reveal private data.
using PlaceKey = std::array<std::uint8_t, 16>;

struct Place {
  PlaceKey key;
  Cid thought;  // the newest at this place
};

// A thought that something in another file looks for, and the key by which it is found: a call that
// may have spawned a conversation, what such a call returned, a summary.
struct Mark {
  PlaceKey key;
  Cid call;
  Millis time = 0;  // of that thought
};

// The keys under which summaries wait for the record that they end with begin like this: the rest
// is the beginning of that record's place key. So all of them can be listed.
inline constexpr std::array<std::uint8_t, 4> kLeafTag = {'l', 'e', 'a', 'f'};
PlaceKey leaf_key(const PlaceKey& place);

// A conversation that waits under a key.
struct Wait {
  PlaceKey key;
  Cid conversation;
};

struct CommitUnit {
  Cid conversation;
  // The checkpoint that this was woven on. If the store has a newer one by then, the
  // commit fails with conflict, and the source is woven again.
  std::optional<Cid> previous{};
  // Blocks in the order woven, and all else that is kept as a body: the conversation,
  // turns, summaries, citations, identities, schemas, facts and, last, the checkpoint.
  // A thought that the store has already is not an error.
  std::vector<thought::Thought> thoughts;
  // The key that must still sign each of `thoughts`; null if it is signed, or signed by the tree.
  // The keys live as long as the Identities of the weaver.
  std::vector<const crypto::SigningKey*> signers;
  // Signed by their own creator (`uses_input`) or by the tree. Tree signatures have no
  // path here: it follows from `leaves`. The store ignores those of edges that it has already.
  std::vector<thought::Connection> connections;
  // The leaves that the checkpoint covers: all of `thoughts` and `connections` but itself. First
  // those with signatures of their own, in the order of the unit, then structure in the order
  // woven.
  std::vector<Cid> leaves;
  std::optional<Cid> checkpoint{};  // its CID; none where nothing was added
  std::vector<Place> places;        // new places, and places that now have another thought
  // Joins conversations of different files, whichever comes first: marked calls; keys that this
  // conversation waits for; conversations that waited and are joined now.
  std::vector<Mark> marks{};
  std::vector<PlaceKey> waits{};
  std::vector<Cid> joined{};  // all their waits end, but those of summaries
  std::vector<Wait> met{};    // waits of summaries that end
  // Keys without a mark when this was woven. If one is marked by then, the commit fails with
  // conflict.
  std::vector<PlaceKey> unmarked{};
};

// Puts the leaves with signatures of their own before `leaves`, which has the structure so far.
void cover_all(CommitUnit& unit);

// Sets the tree signature of all structure: its checkpoint and index. `checkpoint` is set, and all
// is covered.
void sign_by_tree(CommitUnit& unit);

// Makes the signatures listed in `signers`. Safe from any thread.
void sign(CommitUnit& unit);

}  // namespace weft::weave

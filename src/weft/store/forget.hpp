// ForgetPlan conversations: what goes, what stays because others hold it, and what has to be
// signed for that.
//
//   Result<ForgetPlan> what = store.forgetting({conversation}, owner);   // shown, signed for
//   Result<Forgotten> done = store.forget({.what = *what, .tombstone = …});
//   Result<bool> wiped = store.wipe();
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/store/search.hpp"
#include "weft/store/source.hpp"
#include "weft/thought/thought.hpp"

namespace weft::store {

// What would go, as the store stands.
struct ForgetPlan {
  struct Conversation {
    Cid cid;
    std::optional<Cid> checkpoint{};  // the newest
    std::uint64_t thoughts = 0;       // that go with it, connections included
    friend bool operator==(const Conversation&, const Conversation&) = default;
  };
  // Edges that stay, for `conversation` holds them too, and that a tree of a forgotten one
  // signs: they need a new signature, through a checkpoint of `conversation`.
  struct Orphans {
    Cid conversation;
    Cid checkpoint;  // its newest
    Cid created_by;  // of the edges, and of the conversation
    std::vector<Cid> edges{};
    friend bool operator==(const Orphans&, const Orphans&) = default;
  };

  std::vector<Conversation> conversations{};
  std::vector<Cid> spoken_of{};  // what goes and what remains still speaks of; sorted
  std::uint64_t thoughts = 0;    // that go in all
  std::uint64_t shared = 0;      // that they hold, and others too: these stay
  std::vector<Orphans> orphans{};
  std::vector<SourceKey> sources{};  // in which they stand
  friend bool operator==(const ForgetPlan&, const ForgetPlan&) = default;
};

struct ForgetRequest {
  ForgetPlan what;             // as it was read
  thought::Thought tombstone;  // signed
  thought::Thought owner;      // the identity that signed it; stored if it is not there
  // For each of what.orphans, the checkpoint that signs them anew, its leaves in the order of
  // the edges; none where that is not ours to sign: then the edges keep the paths they have.
  std::vector<std::optional<thought::Thought>> checkpoints{};
  std::vector<weave::PlaceKey> headings{};  // under which they are not taken in again
  Indexer indexer{};  // as they were indexed; with other keys the index is made anew
};

struct ForgetResult {
  std::uint64_t archives = 0;  // sources of which nothing is kept any more
};

}  // namespace weft::store

// Forgetting: removes conversations, and everything that no other conversation needs.
//
//   WEFT_TRY_VALUE(auto plan, store.forgetting().plan({conversation}, owner));  // show it, sign it
//   WEFT_TRY_VALUE(auto done, store.forgetting().forget({.plan = plan, .tombstone = …}));
//   WEFT_TRY_VALUE(auto scrubbed, store.forgetting().scrub());
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/store/indexer.hpp"
#include "weft/store/sealing.hpp"
#include "weft/store/sources.hpp"
#include "weft/thought/thought.hpp"

namespace weft::store {

// What forgetting would remove, in the present state of the store.
struct ForgetPlan {
  struct Conversation {
    Cid cid;
    std::optional<Cid> checkpoint{};  // the newest
    std::uint64_t thoughts = 0;       // removed with it, connections included
    friend bool operator==(const Conversation&, const Conversation&) = default;
  };
  // What stays, because `conversation` has it too, although only trees of forgotten ones cover it:
  // it needs a further checkpoint of `conversation`.
  struct Orphans {
    Cid conversation;
    Cid checkpoint;               // its newest
    Cid created_by;               // of the edges, of the conversation and of its checkpoints
    std::vector<Cid> thoughts{};  // with signatures of their own
    std::vector<Cid> edges{};     // that the tree must sign again
    // The leaves of the new checkpoint.
    std::vector<Cid> leaves() const {
      std::vector<Cid> all = thoughts;
      all.insert(all.end(), edges.begin(), edges.end());
      return all;
    }
    friend bool operator==(const Orphans&, const Orphans&) = default;
  };

  std::vector<Conversation> conversations{};
  std::vector<Cid> spoken_of{};  // removed thoughts that remaining ones refer to; sorted
  std::uint64_t thoughts = 0;    // removed in all
  std::uint64_t shared = 0;      // contained in other conversations too: these stay
  std::vector<Orphans> orphans{};
  std::vector<SourceKey> sources{};  // that contain the conversations
  friend bool operator==(const ForgetPlan&, const ForgetPlan&) = default;
};

struct ForgetRequest {
  ForgetPlan plan;
  thought::Thought tombstone;  // signed
  thought::Thought owner;      // the identity that signed it; stored if it is not there
  // For each of plan.orphans, the checkpoint that covers its leaves(). Empty where the caller
  // cannot sign: the edges then keep the paths they have.
  std::vector<std::optional<thought::Thought>> checkpoints{};
  std::vector<weave::PlaceKey> headings{};  // under which they are not ingested again
  Indexer indexer{};  // with which they were indexed; with other keys the index is rebuilt
};

struct ForgetResult {
  std::uint64_t archives = 0;  // sources whose archive was deleted
};

// What dropping a key would remove: everything that its identity signed, and the identities that it
// speaks for.
struct DropPlan {
  Cid identity;
  std::vector<Cid> spoken_for{};                          // custodial identities; sorted
  std::vector<ForgetPlan::Conversation> conversations{};  // that it wove
  // Its thoughts in a conversation of somebody else.
  struct Elsewhere {
    Cid conversation;
    std::uint64_t thoughts = 0;
    friend bool operator==(const Elsewhere&, const Elsewhere&) = default;
  };
  std::vector<Elsewhere> elsewhere{};
  std::vector<Cid> spoken_of{};  // removed thoughts that remaining ones refer to; sorted
  std::uint64_t thoughts = 0;    // removed in all
  std::uint64_t sources = 0;     // files that only it has ingested
  friend bool operator==(const DropPlan&, const DropPlan&) = default;
};

struct DropRequest {
  DropPlan plan;
  // Signed by `owner`; needed if the plan has conversations. It keeps the numbers of removed rows
  // from being used again, and tells why thoughts that are still referred to are not there.
  std::optional<thought::Thought> tombstone{};
  thought::Thought owner;
  Indexer indexer{};
};

class Forgetting {
 public:
  virtual ~Forgetting() = default;

  // What forgetting these conversations would remove. The identity `owner`, who forgets, stays.
  // not_found if one of them is no conversation of this store.
  [[nodiscard]] virtual Result<ForgetPlan> plan(const std::vector<Cid>& conversations,
                                                const Cid& owner) const = 0;
  // Removes everything that the plan lists, and the archived bytes of its sources, or nothing.
  // Their checkpoints stay in the log, without leaves, and the tombstone is added to it. conflict
  // if the store has changed since the plan was made.
  [[nodiscard]] virtual Result<ForgetResult> forget(const ForgetRequest& request) = 0;
  // Makes sure that no forgotten bytes remain in the store's files, also after a forget that was
  // interrupted. True if that is so. False if another process still reads an older state: try again
  // later. unavailable on a full disk.
  [[nodiscard]] virtual Result<bool> scrub() = 0;

  // The conversations that hold a thought or connection, whether or not it stands in a place there.
  // Empty for one that is not stored.
  [[nodiscard]] virtual Result<std::vector<Cid>> holders(const Cid& thought) const = 0;
  // Commits the batch, removes what it replaces with everything derived from it, and writes the
  // repacked pieces of the archive, or does nothing. conflict if the store has changed since the
  // request was made. Call scrub() after it.
  [[nodiscard]] virtual Status seal(const SealRequest& request) = 0;

  // What dropping the key of this identity would remove. not_found if nothing here is signed by it.
  [[nodiscard]] virtual Result<DropPlan> plan_drop(const Cid& identity) const = 0;
  // Removes everything that the plan lists, or nothing. Unlike a forget, it leaves no key under
  // which the conversations are kept out: their owner may ingest or import them again. conflict if
  // the store has changed since the plan was made.
  [[nodiscard]] virtual Status drop(const DropRequest& request) = 0;

  // The tombstones of everything that was forgotten here, newest first.
  [[nodiscard]] virtual Result<std::vector<Cid>> tombstones() const = 0;
  // The tombstones that list this thought, whoever signed them; the caller checks them.
  [[nodiscard]] virtual Result<std::vector<Cid>> tombstones_of(const Cid& cid) const = 0;
};

}  // namespace weft::store

// Outlines: what the checks and the sorting of an import need to know of each thought, in about a
// hundred bytes. The thoughts themselves stay in their file, so an import takes bounded memory.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "weft/thought/checkpoint.hpp"
#include "weft/thought/thought.hpp"

namespace weft::store {

// Thoughts and CIDs are numbered from 0, each on their own.
inline constexpr std::uint32_t kNoNumber = std::numeric_limits<std::uint32_t>::max();

struct Outline {
  enum class Kind : std::uint8_t {
    block,  // anything that is none of the following
    identity,
    conversation,
    turn,
    facts,
    usage,
    checkpoint,
    tombstone,
    connection,
    contains,              // a connection, too
    malformed_connection,  // has members that a connection does not have
    gone,                  // a leaf whose thought was sealed (thought/tombstone.hpp)
  };
  // Numbers of CIDs. `conversation` is the one that structure names, `checkpoint` the one whose
  // tree signs the thought at `leaf`; kNoNumber if there is none.
  std::uint32_t cid = kNoNumber, created_by = kNoNumber;
  std::uint32_t conversation = kNoNumber, checkpoint = kNoNumber;
  std::uint32_t leaf = 0;
  std::uint32_t first_reference = 0, references = 0;
  Kind kind = Kind::block;
  bool is_dropped = false;
  bool ends_elsewhere = false;  // a connection whose `to` need not be here (may_end_elsewhere())
  Millis created_at = 0;
};

// A leaf of a checkpoint's tree that a thought is, beside the one that signs it.
struct Cover {
  std::uint32_t thought = kNoNumber;
  std::uint32_t checkpoint = kNoNumber;  // number of its CID
  std::uint32_t leaf = 0;
  bool has_path = false;  // with the thought itself, which is signed alone
};

class Outlines {
 public:
  Outlines();

  // The number of the thought; empty if one of the same CID was added before. Of that one, only the
  // leaves are noted that it is: several exports in one file each state those of their own trees.
  std::optional<std::uint32_t> add(const thought::Thought& thought);
  // From here on it counts as a leaf whose thought is gone.
  void keep_leaf_only(std::uint32_t thought) { outlines_[thought].kind = Outline::Kind::gone; }
  // From here on it counts as absent, except that its number stays in use.
  void drop(std::uint32_t thought);

  std::uint32_t size() const { return static_cast<std::uint32_t>(outlines_.size()); }
  const Outline& operator[](std::uint32_t thought) const { return outlines_[thought]; }
  // Its source, its causes and, of a connection, both ends, in this order, as numbers of CIDs.
  std::span<const std::uint32_t> references(std::uint32_t thought) const;
  // Of all thoughts, dropped ones too, in the order stated.
  std::span<const Cover> covers() const { return covers_; }
  // Of a checkpoint; null if the thought is malformed or another kind.
  const thought::Checkpoint* find_checkpoint(std::uint32_t thought) const;

  std::uint32_t cids() const { return static_cast<std::uint32_t>(names_.size()); }
  const Cid& cid(std::uint32_t number) const { return names_[number].cid; }
  const Cid& cid_of(std::uint32_t thought) const { return cid(outlines_[thought].cid); }
  // The number of a CID that some thought has or names.
  std::optional<std::uint32_t> find_cid(const Cid& cid) const;
  // The thought of that CID; kNoNumber if it was not added, or was dropped.
  std::uint32_t thought_at(std::uint32_t cid) const { return names_[cid].thought; }

  // About how much memory all of this occupies.
  std::size_t bytes() const;

 private:
  struct Name {
    Cid cid;
    std::uint32_t thought = kNoNumber;
  };
  std::uint32_t enter(const Cid& cid);
  std::size_t slot_of(const Cid& cid) const;
  void note_covers(std::uint32_t number, const thought::Thought& thought, bool is_new);
  void outline_structure(const thought::Thought& thought, Outline& outline);
  void outline_connection(const thought::Thought& thought, Outline& outline);

  // Deques, because a vector that grows occupies twice its size for a moment.
  std::deque<Outline> outlines_;
  std::vector<std::uint32_t> references_;
  std::vector<Cover> covers_;
  std::deque<Name> names_;
  std::vector<std::uint32_t> slots_;  // open addressing: number + 1 of a name, or 0
  // Random, so that nobody can choose CIDs that all fall into one place.
  std::array<std::uint64_t, 4> hash_keys_{};
  std::unordered_map<std::uint32_t, thought::Checkpoint> checkpoints_;
};

// Thoughts to import: their outlines, and a way to read each of them as often as it is needed.
struct ThoughtsToImport {
  const Outlines& outlines;
  std::function<Result<thought::Thought>(std::uint32_t thought)> read;
};

}  // namespace weft::store

// JoinedSide: what a file says of one conversation: its chain of checkpoints, its turns and where
// blocks stand. One of the two sides of a join (join_chains.hpp).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "weft/ingest/thoughts_file.hpp"
#include "weft/remote/remote.hpp"
#include "weft/thought/checkpoint.hpp"
#include "weft/thought/connection.hpp"

namespace weft::remote {

// The checkpoints of a conversation that a file has. Nothing of it is proven.
class FileChain {
 public:
  static Result<FileChain> read(const ingest::ThoughtsFile& file, const Cid& conversation);

  bool has(const Cid& checkpoint) const { return checkpoints_.contains(checkpoint); }
  // Whether `later` comes after `earlier`, which the file need not have.
  bool continues(const Cid& later, const Cid& earlier) const;
  // From the first to `tip`. corrupt if the file does not have all of them.
  Result<std::vector<Cid>> up_to(const Cid& tip) const;

  struct Link {
    thought::Checkpoint checkpoint;
    Millis created_at = 0;
  };
  const Link& at(const Cid& checkpoint) const { return checkpoints_.at(checkpoint); }

 private:
  std::map<Cid, Link> checkpoints_;
};

// Where a thought stands among the leaves of a chain: the number of the checkpoint, and the leaf.
struct LeafPlace {
  std::size_t checkpoint = 0;
  std::uint64_t leaf = 0;
  friend auto operator<=>(const LeafPlace&, const LeafPlace&) = default;
};

class JoinedSide {
 public:
  // Thoughts for which `is_kept` holds are kept whole.
  using IsKept = std::function<bool(const Cid& cid)>;
  static Result<JoinedSide> read(const ingest::ThoughtsFile& file, const Cid& conversation,
                                 const std::vector<Cid>& chain, const IsKept& is_kept);

  // Everything that stands in the file, leaves without their thoughts included.
  bool knows(const Cid& cid) const { return known_.contains(cid); }

  struct Turn {
    thought::Thought thought;
    std::uint64_t sequence = 0;
    std::vector<thought::Connection> contents{};  // to blocks
  };
  // By CID.
  const std::map<Cid, Turn>& turns() const { return turns_; }
  // The newest facts; empty if there are none.
  const std::optional<thought::Thought>& facts() const { return facts_; }
  const std::vector<thought::Thought>& usage() const { return usage_; }
  // What is kept, with its place; in the order of places. What the chain does not cover comes
  // first.
  struct Kept {
    LeafPlace place;
    thought::Thought thought;
  };
  std::vector<Kept>& kept() { return kept_; }

 private:
  void add(thought::Thought thought, const IsKept& is_kept);
  LeafPlace place_of(const thought::Thought& thought) const;

  Cid conversation_;
  std::unordered_map<Cid, std::size_t> numbers_;  // of the chain's checkpoints, from 1
  std::unordered_set<Cid> known_;
  std::map<Cid, Turn> turns_;
  std::vector<thought::Connection> contents_;
  std::optional<thought::Thought> facts_;
  std::optional<std::tuple<LeafPlace, Millis, Cid>> facts_place_;
  std::vector<thought::Thought> usage_;
  std::vector<Kept> kept_;
};

}  // namespace weft::remote

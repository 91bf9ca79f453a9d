#include "weft/store/import/outlines.hpp"

#include <algorithm>
#include <cstring>
#include <random>

#include "weft/thought/connection.hpp"
#include "weft/thought/statements/joining.hpp"
#include "weft/thought/structure.hpp"
#include "weft/thought/tombstone.hpp"
#include "weft/thought/usage.hpp"

namespace weft::store {

using Kind = Outline::Kind;

namespace {

// A leaf beyond the numbers is no leaf of a tree that could be whole.
std::uint32_t leaf_number(const thought::TreeSignature& tree) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(tree.index, kNoNumber));
}

}  // namespace

std::optional<std::uint32_t> Outlines::add(const thought::Thought& thought) {
  const std::uint32_t cid = enter(thought.cid);
  if (thought_at(cid) != kNoNumber) {
    note_covers(thought_at(cid), thought, false);
    return std::nullopt;
  }
  const bool is_gone = thought::is_gone(thought);
  Outline outline{.cid = cid,
                  .created_by = is_gone ? cid : enter(thought.created_by),
                  .first_reference = static_cast<std::uint32_t>(references_.size()),
                  .created_at = thought.created_at};
  const auto refer = [&](const Cid& to) { references_.push_back(enter(to)); };
  if (thought.source) refer(*thought.source);
  for (const thought::ContentRef& ref : thought.because) refer(ref.thought);
  if (is_gone) {
    outline.kind = Kind::gone;
  } else if (thought.type == thought::kConnectionType) {
    outline_connection(thought, outline);
  } else {
    outline_structure(thought, outline);
  }
  if (const auto* tree = std::get_if<thought::TreeSignature>(&thought.signature)) {
    outline.checkpoint = enter(tree->checkpoint);
    outline.leaf = leaf_number(*tree);
  }
  outline.references = static_cast<std::uint32_t>(references_.size()) - outline.first_reference;
  const std::uint32_t number = size();
  outlines_.push_back(outline);
  names_[cid].thought = number;
  note_covers(number, thought, true);
  return number;
}

void Outlines::note_covers(std::uint32_t number, const thought::Thought& thought, bool is_new) {
  const auto* tree = std::get_if<thought::TreeSignature>(&thought.signature);
  if (tree != nullptr && !is_new) {
    const std::uint32_t checkpoint = enter(tree->checkpoint);
    if (checkpoint == outlines_[number].checkpoint) return;  // the same line once more
    covers_.push_back({.thought = number, .checkpoint = checkpoint, .leaf = leaf_number(*tree)});
  }
  for (const thought::TreeSignature& leaf : thought.covered) {
    const bool has_path = is_new && tree == nullptr && &leaf == &thought.covered.front();
    covers_.push_back({.thought = number,
                       .checkpoint = enter(leaf.checkpoint),
                       .leaf = leaf_number(leaf),
                       .has_path = has_path});
  }
}

void Outlines::outline_connection(const thought::Thought& thought, Outline& outline) {
  const Result<thought::Connection> connection = thought::to_connection(thought);
  if (!connection) {
    outline.kind = Kind::malformed_connection;
    return;
  }
  outline.kind = connection->relation == "contains" ? Kind::contains : Kind::connection;
  outline.ends_elsewhere = thought::may_end_elsewhere(*connection);
  references_.push_back(enter(connection->from));
  references_.push_back(enter(connection->to));
}

void Outlines::outline_structure(const thought::Thought& thought, Outline& outline) {
  const std::string_view kind = thought::kind_of(thought.type);
  if (thought::is_identity(thought)) {
    outline.kind = Kind::identity;
  } else if (thought.type == thought::kTombstoneType) {
    outline.kind = Kind::tombstone;
  } else if (kind == "conversation") {
    outline.kind = Kind::conversation;
    outline.conversation = outline.cid;
  } else if (kind == "conversation_facts" || kind == thought::kUsageKind ||
             thought.type == thought::kJoiningType) {
    // A joining is kept and sorted as usage is: it is about its conversation, and is no block.
    outline.kind = kind == "conversation_facts" ? Kind::facts : Kind::usage;
    if (!thought.because.empty()) outline.conversation = enter(thought.because.front().thought);
  } else if (kind == "turn") {
    outline.kind = Kind::turn;
    const auto cid = Cid::parse(find_string(thought.content, "conversation").value_or(""));
    if (cid) outline.conversation = enter(*cid);
  } else if (kind == thought::kCheckpointType) {
    outline.kind = Kind::checkpoint;
    const Result<thought::Checkpoint> checkpoint = thought::to_checkpoint(thought);
    if (!checkpoint) return;
    outline.conversation = enter(checkpoint->conversation);
    checkpoints_.emplace(size(), *checkpoint);
  }
}

void Outlines::drop(std::uint32_t thought) {
  outlines_[thought].is_dropped = true;
  names_[outlines_[thought].cid].thought = kNoNumber;
}

std::span<const std::uint32_t> Outlines::references(std::uint32_t thought) const {
  const Outline& outline = outlines_[thought];
  return std::span(references_).subspan(outline.first_reference, outline.references);
}

const thought::Checkpoint* Outlines::find_checkpoint(std::uint32_t thought) const {
  const auto found = checkpoints_.find(thought);
  return found == checkpoints_.end() ? nullptr : &found->second;
}

Outlines::Outlines() : slots_(64, 0) {
  std::random_device random;
  for (std::uint64_t& key : hash_keys_) {
    key = (std::uint64_t{random()} << 32U | random()) | 1U;
  }
}

// The place of a CID in the table, or the empty one where it belongs.
std::size_t Outlines::slot_of(const Cid& cid) const {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < hash_keys_.size(); ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, cid.digest().data() + i * sizeof word, sizeof word);
    hash += (word ^ word >> 32U) * hash_keys_[i];
  }
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash >> 32U & mask;
  while (slots_[at] != 0 && names_[slots_[at] - 1].cid != cid) at = (at + 1) & mask;
  return at;
}

std::uint32_t Outlines::enter(const Cid& cid) {
  if (names_.size() * 2 >= slots_.size()) {
    slots_.assign(slots_.size() * 2, 0);
    for (std::uint32_t i = 0; i < names_.size(); ++i) slots_[slot_of(names_[i].cid)] = i + 1;
  }
  std::uint32_t& found = slots_[slot_of(cid)];
  if (found == 0) {
    names_.push_back({.cid = cid});
    found = cids();
  }
  return found - 1;
}

std::optional<std::uint32_t> Outlines::find_cid(const Cid& cid) const {
  const std::uint32_t found = slots_[slot_of(cid)];
  if (found == 0) return std::nullopt;
  return found - 1;
}

std::size_t Outlines::bytes() const {
  // A checkpoint stands in a node of a hash table, with a pointer and a bucket.
  constexpr std::size_t kCheckpointBytes = sizeof(thought::Checkpoint) + 64;
  return outlines_.size() * sizeof(Outline) + references_.capacity() * sizeof(std::uint32_t) +
         covers_.capacity() * sizeof(Cover) + names_.size() * sizeof(Name) +
         slots_.size() * sizeof(std::uint32_t) + checkpoints_.size() * kCheckpointBytes;
}

}  // namespace weft::store

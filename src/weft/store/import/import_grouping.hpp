// ImportGrouping: finds the conversation of each imported thought. A file of thoughts does not
// state it, so it follows from the thoughts.
//
// Structure names its conversation: a turn in its content, a thought signed through a tree by the
// checkpoint. A thought that a checkpoint covers belongs to the checkpoint's conversation. A block
// belongs to the conversations whose turns contain it. Thoughts without a place (identities,
// summaries, web resources…) belong to those that refer to them; thoughts that nothing refers to
// and nothing covers (schemas, citations), to every conversation of the import that has their
// creator in it.
//
// Structure belongs to a conversation only if the conversation's creator made it
// (thought/structure.hpp). What a stranger says about it belongs to none.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "weft/store/import/outlines.hpp"

namespace weft::store::sql {

class ImportGrouping {
 public:
  using Number = std::uint32_t;  // of a thought, as in the outlines

  // The thoughts of one conversation.
  struct Group {
    Cid conversation;
    std::vector<Number> members{};      // in the order of the import
    std::vector<Number> checkpoints{};  // its own, each after the one before it
    std::vector<Number> facts{};        // in the order of the import, which is that of commits
  };
  // Thoughts that are written together, in this order.
  struct Part {
    std::optional<Cid> conversation{};
    std::optional<Number> checkpoint{};
    std::vector<Number> members{};
    // All leaves of the checkpoint's tree, in their order; empty if not all of them came. Those
    // that it signs are members; those that it only covers are members of other parts.
    std::vector<Number> leaves{};
  };
  // A larger tree is not written at once: its thoughts keep their paths instead.
  static constexpr std::size_t kMaxWholeTree = 131'072;
  // Most thoughts of all conversations, where one of several is counted for each.
  static constexpr std::size_t kMaxMembers = 4'000'000;

  // The creator of a conversation that the store has already; empty if it has none of that name.
  using CreatorOf = std::function<std::optional<Cid>(const Cid& conversation)>;

  // `outlines` outlive it. invalid_input if a connection has members that connections do not have,
  // or beyond kMaxMembers.
  static Result<ImportGrouping> sort(const Outlines& outlines, const CreatorOf& creator_of);

  // In the order of their CIDs.
  const std::vector<Group>& groups() const { return groups_; }
  const Outlines& outlines() const { return *outlines_; }
  // What to write, in this order.
  std::vector<Part> parts() const;

 private:
  struct Held {
    Number thought;
    std::uint32_t group;
  };
  struct Leaf {
    std::uint32_t index;
    Number thought;
    bool is_signed;  // else it is only covered
  };
  struct Tree {
    std::vector<Leaf> leaves{};  // that were imported; if whole, in their order
    bool is_whole = false;
  };

  explicit ImportGrouping(const Outlines& outlines) : outlines_(&outlines) {}
  Status check_connections() const;
  void find_trees();
  bool is_whole(std::vector<Leaf>& leaves, const thought::Checkpoint& checkpoint) const;
  void find_placed();
  // The conversation that a piece of structure names, as number of its CID, whoever made it; or
  // kNoNumber.
  std::uint32_t named_conversation(Number thought) const;
  // Sets own_.
  void find_own(const CreatorOf& creator_of);
  void make_groups();
  Status find_holders();
  void hold(Number thought, std::uint32_t group);
  void hold_loose(Number thought);
  void hold_spoken_of(const Held& held);
  Status follow();
  void find_members();
  void order_chain(std::vector<Number>& checkpoints) const;

  const Outlines* outlines_;
  std::unordered_map<Number, Tree> trees_;  // by checkpoint
  std::vector<bool> placed_;                // CIDs that an edge `contains` leads to
  // The conversation of each piece of structure that its creator made, as number of its CID.
  std::vector<std::uint32_t> own_;
  std::unordered_map<std::uint32_t, std::optional<Cid>> creators_;  // by conversation: in the store
  std::unordered_map<std::uint32_t, std::uint32_t> group_of_;       // by number of the CID
  // The groups of each thought: most have one.
  std::vector<std::uint32_t> holder_;
  std::unordered_map<Number, std::vector<std::uint32_t>> more_holders_;
  std::size_t held_ = 0;
  std::vector<Held> pending_;
  std::vector<Group> groups_;
};

}  // namespace weft::store::sql

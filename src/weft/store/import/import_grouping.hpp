// ImportGrouping: finds the conversation of each imported thought. A file of thoughts does not
// state it, so it follows from the thoughts.
//
// Structure names its conversation: a turn in its content, a thought signed through a tree by the
// checkpoint. A thought that a checkpoint covers belongs to the checkpoint's conversation. A block
// belongs to the conversations whose turns contain it. Thoughts without a place (identities,
// summaries, web resources…) belong to those that refer to them; thoughts that nothing refers to
// and nothing covers (schemas, citations), to every conversation of the import.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "weft/store/sql/write/addition.hpp"
#include "weft/thought/checkpoint.hpp"

namespace weft::store::sql {

class ImportGrouping {
 public:
  // The thoughts of one conversation, as indexes.
  struct Group {
    std::vector<std::size_t> members{};      // in the order of the import
    std::vector<std::size_t> checkpoints{};  // its own, each after the one before it
    std::optional<std::size_t> facts{};      // the newest
  };

  // `thoughts` outlive it. `is_known` tells whether the store has a conversation already.
  // invalid_input if a connection has members that connections do not have.
  static Result<ImportGrouping> sort(const std::vector<thought::Thought>& thoughts,
                                     const std::function<bool(const Cid&)>& is_known);

  const std::map<Cid, Group>& groups() const { return groups_; }
  const thought::Thought& thought(std::size_t index) const { return (*thoughts_)[index]; }
  // Precondition: it is one of Group::checkpoints.
  const thought::Checkpoint& checkpoint(std::size_t index) const { return checkpoints_.at(index); }

  // What to write, in this order. Points into this object and its thoughts.
  std::vector<Addition> additions() const;

 private:
  // A leaf of a tree, as the thought at it states it.
  struct Leaf {
    std::size_t index;  // of the thought
    const thought::TreeSignature* stated;
    bool is_signature;  // else it is only covered there
  };
  struct Tree {
    std::vector<Leaf> items{};  // imported thoughts that are leaves of it
    std::vector<Cid> leaves{};  // if all of them were imported
  };
  struct Held {
    std::size_t index;
    Cid conversation;
  };

  explicit ImportGrouping(const std::vector<thought::Thought>& thoughts) : thoughts_(&thoughts) {}
  Status parse();
  void find_trees();
  std::vector<Cid> leaves_of(const Tree& tree, const thought::Checkpoint& checkpoint) const;
  // The conversation that a piece of structure names.
  std::optional<Cid> named_conversation(std::size_t index) const;
  void find_holders(const std::function<bool(const Cid&)>& is_known);
  void hold(std::size_t index, const Cid& conversation, std::vector<Held>& pending);
  void hold_spoken_of(const Held& held, std::vector<Held>& pending);
  void find_groups();
  void order_chain(std::vector<std::size_t>& checkpoints) const;
  void add(Addition& addition, std::size_t index) const;

  const std::vector<thought::Thought>* thoughts_;
  std::unordered_map<Cid, std::size_t> by_cid_;
  std::unordered_map<std::size_t, thought::Connection> connections_;
  std::unordered_map<std::size_t, thought::Checkpoint> checkpoints_;
  std::unordered_map<Cid, Tree> trees_;    // by checkpoint
  std::vector<std::string> bodies_;        // of each thought
  std::unordered_set<Cid> placed_;         // what an edge `contains` leads to
  std::vector<std::vector<Cid>> holders_;  // of each thought
  std::map<Cid, Group> groups_;
};

}  // namespace weft::store::sql

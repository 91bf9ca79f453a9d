// Sorting what came by import: which conversation holds what. A file of thoughts does not
// say it, so it is read off the thoughts themselves.
//
// Structure names its conversation: a turn in its content, what a tree signs through its
// checkpoint. A block is held where a turn contains it. What has no place of its own
// (identities, summaries, web resources…) is held by whoever speaks of it; what nobody
// speaks of (schemas, citations), by every conversation that came with it.
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
  // What came of one conversation, as indexes into the thoughts.
  struct Group {
    std::vector<std::size_t> members{};      // in the order they came
    std::vector<std::size_t> checkpoints{};  // its own, each after the one before it
    std::optional<std::size_t> facts{};      // the newest
  };

  // `thoughts` outlive the sorting. `is_known` tells whether the store has a conversation
  // already. invalid_input if a connection says more than one can say.
  static Result<ImportGrouping> sort(const std::vector<thought::Thought>& thoughts,
                                     const std::function<bool(const Cid&)>& is_known);

  const std::map<Cid, Group>& groups() const { return groups_; }
  const thought::Thought& thought(std::size_t index) const { return (*thoughts_)[index]; }
  // Precondition: it is one of Group::checkpoints.
  const thought::Checkpoint& checkpoint(std::size_t index) const { return checkpoints_.at(index); }

  // What is to be written, in this order. Points into this sorting and its thoughts.
  std::vector<Addition> additions() const;

 private:
  struct Tree {
    std::unordered_set<std::size_t> items{};  // what came signed through it
    std::vector<Cid> leaves{};                // all of them, if all came
  };
  struct Held {
    std::size_t index;
    Cid conversation;
  };

  explicit ImportGrouping(const std::vector<thought::Thought>& thoughts) : thoughts_(&thoughts) {}
  Status parse();
  void find_trees();
  std::vector<Cid> leaves_of(const Tree& tree, const thought::Checkpoint& checkpoint) const;
  // The conversation that a piece of structure says it is of.
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

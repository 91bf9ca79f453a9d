// ImportGrouping: finds the conversation of each imported thought. A file of thoughts does not
// state it, so it follows from the thoughts.
//
// Structure names its conversation: a turn in its content, a thought signed through a tree by the
// checkpoint. A block belongs to the conversations whose turns contain it. Thoughts without a place
// (identities, summaries, web resources…) belong to those that refer to them; thoughts that nothing
// refers to (schemas, citations), to every conversation of the import that has their creator in it.
//
// Structure belongs to a conversation only if the conversation's creator made it
// (thought/structure.hpp). What a stranger says about it belongs to none.
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
    std::vector<std::size_t> facts{};        // in the order of the import, which is that of commits
  };

  // The creator of a conversation that the store has already; empty if it has none of that name.
  using CreatorOf = std::function<std::optional<Cid>(const Cid& conversation)>;

  // `thoughts` outlive it. invalid_input if a connection has members that connections do not have.
  static Result<ImportGrouping> sort(const std::vector<thought::Thought>& thoughts,
                                     const CreatorOf& creator_of);

  const std::map<Cid, Group>& groups() const { return groups_; }
  const thought::Thought& thought(std::size_t index) const { return (*thoughts_)[index]; }
  // Precondition: it is one of Group::checkpoints.
  const thought::Checkpoint& checkpoint(std::size_t index) const { return checkpoints_.at(index); }

  // What to write, in this order. Points into this object and its thoughts.
  std::vector<Addition> additions() const;

 private:
  struct Tree {
    std::unordered_set<std::size_t> items{};  // imported thoughts signed through it
    std::vector<Cid> leaves{};                // if all of them were imported
  };
  struct Held {
    std::size_t index;
    Cid conversation;
  };

  explicit ImportGrouping(const std::vector<thought::Thought>& thoughts) : thoughts_(&thoughts) {}
  Status parse();
  void find_trees();
  std::vector<Cid> leaves_of(const Tree& tree, const thought::Checkpoint& checkpoint) const;
  // The conversation that a piece of structure names, whoever made it.
  std::optional<Cid> named_conversation(std::size_t index) const;
  // The conversation of a piece of structure that the conversation's creator made.
  std::optional<Cid> own_conversation(std::size_t index, const CreatorOf& creator_of) const;
  void find_holders(const CreatorOf& creator_of);
  void hold_loose(std::size_t index, std::vector<Held>& pending);
  void follow(std::vector<Held>& pending);
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

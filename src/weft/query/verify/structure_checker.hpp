// Finds structure that does not count: statements about a conversation, a turn or a block by
// somebody else than the creator of the conversation (thought/structure.hpp). Import refuses it; a
// store may have it from an older weft, or from a program that writes past weft.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "weft/query/verify/findings.hpp"
#include "weft/store/store.hpp"
#include "weft/thought/structure.hpp"

namespace weft::query {

// The creators of a store's conversations. In a store with one, nothing that this one made can be
// about a conversation of somebody else: no statement has to be looked up. Empty if the list is
// damaged, which the check itself reports: then every statement is looked up.
std::unordered_set<Cid> conversation_creators(const store::Store& store);

// Whether nothing but edges that may end elsewhere (thought/structure.hpp) speaks of a thought that
// is not here.
bool stands_elsewhere(const store::Store& store, const Cid& cid);

// Each thread has its own, with what it looked up; they share the creators and the findings.
class StructureChecker {
 public:
  // All outlive it.
  StructureChecker(const store::Store& store, const std::unordered_set<Cid>& creators,
                   Findings& findings)
      : store_(store), creators_(creators), findings_(findings) {}

  // Any thought; its content may be left out.
  void check(const thought::Thought& statement);
  void check(const Cid& name, const thought::Connection& statement);

 private:
  bool needs_no_look_up(const Cid& creator) const {
    return creators_.size() == 1 && creators_.contains(creator);
  }
  void check(const Cid& name, const Cid& creator, const thought::Subject& subject);
  void check_block(const Cid& name, const Cid& creator, const Cid& block);

  // A conversation or a turn.
  struct Container {
    Cid creator;
    Cid conversation;
  };
  const std::optional<Container>& container(const Cid& cid);

  const store::Store& store_;
  const std::unordered_set<Cid>& creators_;
  Findings& findings_;
  // Edges come turn by turn: a few are enough.
  static constexpr std::size_t kMaxContainers = 4096;
  std::unordered_map<Cid, std::optional<Container>> containers_;
};

}  // namespace weft::query

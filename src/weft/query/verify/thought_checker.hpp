// Checks single thoughts: the CID, the creator, the signature, the place in a tree. Each thread has
// a checker of its own, with its known identities; they share one tree checker and one set of
// findings.
#pragma once

#include <set>
#include <string>
#include <unordered_set>

#include "weft/query/verify/findings.hpp"
#include "weft/query/verify/tree_checker.hpp"
#include "weft/store/store.hpp"
#include "weft/thought/verify.hpp"

namespace weft::query {

class ThoughtChecker {
 public:
  // All outlive it. `keyring` may be null.
  ThoughtChecker(const store::Store& store, const crypto::Keyring* keyring, TreeChecker& trees,
                 Findings& findings);

  void check(const store::CanonicalThought& form);
  // A connection without a stored CID is named by the hash of its columns.
  void check(const std::optional<Cid>& stored_name, const thought::Connection& connection);
  // Checks one of a few thoughts, with its tree path and everything that it refers to; once each.
  void check_alone(thought::Thought thought);

  const Counts& counts() const { return counts_; }  // of all valid thoughts

 private:
  void check_one(const thought::Thought& thought, std::string_view form);
  // Makes sure that the identity was checked.
  void summon(const Cid& identity);
  void look_up(const Cid& cid);

  const store::Store& store_;
  const crypto::Keyring* keyring_;
  TreeChecker& trees_;
  Findings& findings_;
  thought::Witnesses witnesses_;
  std::unordered_set<Cid> summoned_;
  std::set<Cid> alone_;  // already seen by check_alone()
  Counts counts_;
  std::string form_;  // buffer for canonical forms of connections
};

}  // namespace weft::query

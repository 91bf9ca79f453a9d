// Checks single thoughts: the CID, the creator, the signature, the place in a tree, the boxes, and
// whose conversation it is about. Each thread has a checker of its own, with its known identities;
// they share one tree checker and one set of findings.
#pragma once

#include <set>
#include <string>
#include <unordered_set>

#include "weft/query/verify/findings.hpp"
#include "weft/query/verify/signers.hpp"
#include "weft/query/verify/structure_checker.hpp"
#include "weft/query/verify/tree_checker.hpp"
#include "weft/store/store.hpp"
#include "weft/thought/verify.hpp"

namespace weft::query {

class ThoughtChecker {
 public:
  // Whether boxes are opened, as far as the keyring has their keys.
  enum class Boxes { open, leave };

  // All outlive it. `keyring` may be null. `creators` are those of the store's conversations.
  ThoughtChecker(const store::Store& store, const crypto::Keyring* keyring, TreeChecker& trees,
                 const std::unordered_set<Cid>& creators, Findings& findings, Boxes boxes);

  void check(const store::CanonicalThought& form);
  // A connection without a stored CID is named by the hash of its columns.
  void check(const std::optional<Cid>& stored_name, const thought::Connection& connection);
  // Checks one of a few thoughts, with its tree path and everything that it refers to; once each.
  void check_alone(thought::Thought thought);
  // Only whose structure it is, for what others say about a conversation.
  StructureChecker& structure() { return structure_; }

  const Counts& counts() const { return counts_; }     // of all valid thoughts
  const Signers& signers() const { return signers_; }  // of the foreign ones among them

 private:
  void check_one(const thought::Thought& thought, std::string_view form);
  // Makes sure that the identity was checked.
  void summon(const Cid& identity);
  void look_up(const Cid& cid);
  void open_boxes(const thought::Thought& thought);

  const store::Store& store_;
  const crypto::Keyring* keyring_;
  TreeChecker& trees_;
  StructureChecker structure_;
  Findings& findings_;
  const Boxes boxes_;
  thought::Witnesses witnesses_;
  std::unordered_set<Cid> summoned_;
  std::set<Cid> alone_;  // already seen by check_alone()
  Counts counts_;
  Signers signers_;
  std::string form_;  // buffer for canonical forms of connections
};

}  // namespace weft::query

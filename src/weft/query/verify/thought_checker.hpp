// Checks thoughts one by one: the CID, the creator, the signature, the place in a tree.
// Each thread has an examiner of its own, with the identities that it was vouched by; they
// tell the same forest and the same findings.
#pragma once

#include <set>
#include <string>
#include <unordered_set>

#include "weft/query/library.hpp"
#include "weft/query/verify/findings.hpp"
#include "weft/query/verify/tree_checker.hpp"
#include "weft/thought/verify.hpp"

namespace weft::query {

class ThoughtChecker {
 public:
  // All three outlive it.
  ThoughtChecker(const Library& library, TreeChecker& trees, Findings& findings);

  void check(const store::CanonicalThought& form);
  // One without a name of its own is named by what it says.
  void check(const std::optional<Cid>& stored_name, const thought::Connection& connection);
  // One of a few, with its tree path and everything that it names looked up; once each.
  void check_alone(thought::Thought thought);

  const Counts& counts() const { return counts_; }  // of all that held

 private:
  void check_one(const thought::Thought& thought, std::string_view form);
  // Makes sure that the identity was asked for.
  void summon(const Cid& identity);
  void look_up(const Cid& cid);

  const Library& library_;
  TreeChecker& trees_;
  Findings& findings_;
  thought::Witnesses witnesses_;
  std::unordered_set<Cid> summoned_;
  std::set<Cid> alone_;  // that check_alone() has seen
  Counts counts_;
  std::string form_;  // room for canonical forms of connections
};

}  // namespace weft::query

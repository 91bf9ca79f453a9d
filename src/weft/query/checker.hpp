// The workshop of verify: takes thoughts in any order, checks each on as many threads as
// it is given, and then what only shows in the whole: trees, chains and heads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "weft/query/library.hpp"
#include "weft/thought/checkpoint.hpp"
#include "weft/thought/verify.hpp"

namespace weft::query {

struct Findings {
  std::uint64_t checked = 0, valid = 0, foreign = 0, consistent = 0;
  std::map<Cid, std::string> bad;
  std::set<Cid> missing;
};

class Checker {
 public:
  Checker(const Library& library, unsigned threads);
  ~Checker();

  // --- each thought; from any thread ---------------------------------------------------
  void check(std::vector<store::Form> forms);  // by the workers
  void check(const Cid& name, const thought::Connection& connection);
  // One of a few, with its tree path and everything that it names looked up.
  void check_alone(thought::Thought thought);
  // All of this conversation was given: its chain must be whole.
  void expect_whole(const Cid& conversation) { whole_.insert(conversation); }

  void bad(const Cid& cid, std::string reason);
  void missing(const Cid& cid);

  // --- the whole, after wait() ----------------------------------------------------------
  void wait();
  Status check_trees();
  Findings finish();

 private:
  // A tree as its checkpoint and those that are signed through it tell it.
  struct Tree {
    std::optional<Cid> creator{}, conversation{};  // of the checkpoint; empty if it is gone
    std::vector<Cid> leaves{};
    std::uint64_t seen = 0;  // leaves that were given
    std::vector<std::pair<std::uint64_t, Cid>>
        places{};  // contains edges out of turns: leaf, block
    bool loaded = false;
  };

  void work();
  void check_one(const thought::Thought& thought, std::string_view form);
  void count(thought::Verdict verdict);
  // Makes sure that the identity was asked for.
  void summon(const Cid& identity);
  Tree& tree_of(const Cid& checkpoint);
  void check_leaf(const Cid& cid, const Cid& created_by, const thought::TreeSignature& signature,
                  const thought::Connection* edge);
  void check_chain(const Cid& conversation, const std::vector<Cid>& checkpoints);
  void look_up(const Cid& cid);
  std::optional<Cid> creator_of(const Cid& cid) const;

  const Library& library_;
  std::shared_mutex witnesses_mutex_;
  thought::Witnesses witnesses_;      // guarded by witnesses_mutex_
  std::unordered_set<Cid> summoned_;  // guarded by witnesses_mutex_

  std::mutex trees_mutex_;
  std::unordered_map<Cid, Tree> trees_;          // guarded by trees_mutex_ until wait()
  std::map<Cid, thought::Thought> checkpoints_;  // guarded by mutex_ until wait()
  std::set<Cid> whole_;
  std::set<Cid> alone_;  // that check_alone() has seen
  bool all_whole_ = true;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::vector<store::Form>> queue_;  // guarded by mutex_
  unsigned busy_ = 0;                           // guarded by mutex_
  bool stopping_ = false;                       // guarded by mutex_
  Findings findings_;                           // its lists are guarded by mutex_
  std::atomic<std::uint64_t> valid_ = 0, foreign_ = 0, consistent_ = 0;
  std::vector<std::jthread> workers_;
};

}  // namespace weft::query

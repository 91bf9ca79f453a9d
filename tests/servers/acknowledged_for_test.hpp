// Acknowledged: what a store told its clients that it keeps, and whether it does.
//
//   Acknowledged all;
//   if (store.writer().commit(batch)) all.note(batch);   // from any thread
//   … a fault …
//   all.check(url);
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "weft/query/verify/verify.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scan_for_test.hpp"
#include "weft/thought/checkpoint.hpp"

namespace weft::test {

class Acknowledged {
 public:
  void note(const store::Batch& batch) {
    const std::scoped_lock lock(mutex_);
    for (const weave::CommitUnit& unit : batch.units) {
      for (const thought::Thought& thought : unit.thoughts) cids_.insert(thought.cid);
      for (const thought::Connection& edge : unit.connections) cids_.insert(cid_of(edge));
      ++commits_;
    }
  }
  std::size_t commits() const {
    const std::scoped_lock lock(mutex_);
    return commits_;
  }
  // The log of now: a later one begins with it.
  void note_log(const store::Store& store) { check_log(store); }

  // Nothing acknowledged is missing, nothing is there twice, every chain is whole, the log begins
  // with what it was, and `weft verify` is content. Nobody writes meanwhile.
  void check(const std::string& url) {
    const auto store = store::open_store(url, store::Create::no);
    ASSERT_TRUE(store) << store.error().message;
    check(**store);
  }
  void check(const store::Store& store) {
    check_thoughts(store);
    check_log(store);
    check_chains(store);
    check_verify(store);
  }

 private:
  void check_thoughts(const store::Store& store) {
    const store::Scan all = store::scan(store);
    EXPECT_TRUE(all.status) << all.status.error().message;
    EXPECT_TRUE(all.broken.empty()) << all.broken.size() << " thoughts cannot be read";
    EXPECT_TRUE(all.dangling.empty()) << all.dangling.size() << " are referred to and not there";
    std::set<Cid> there;
    std::size_t twice = 0;
    for (const thought::Thought& thought : all.thoughts) twice += !there.insert(thought.cid).second;
    for (const auto& [cid, edge] : all.connections) twice += !there.insert(cid).second;
    EXPECT_EQ(twice, 0u);
    const std::scoped_lock lock(mutex_);
    const auto is_missing = [&](const Cid& cid) { return !there.contains(cid); };
    EXPECT_EQ(std::ranges::count_if(cids_, is_missing), 0) << "of " << cids_.size();
  }

  void check_log(const store::Store& store) {
    const Result<std::vector<Cid>> log = store.audit().checkpoint_log();
    ASSERT_TRUE(log) << log.error().message;
    const std::scoped_lock lock(mutex_);
    ASSERT_GE(log->size(), log_.size());
    EXPECT_TRUE(std::equal(log_.begin(), log_.end(), log->begin())) << "the log is another one";
    EXPECT_EQ(std::set<Cid>(log->begin(), log->end()).size(), log->size());
    log_ = *log;
  }

  // From the newest checkpoint back to the first: all that the log has of the conversation.
  void check_chains(const store::Store& store) {
    std::map<Cid, std::size_t> in_log;
    for (const Cid& cid : log_) {
      const auto checkpoint = checkpoint_of(store, cid);
      if (checkpoint) ++in_log[checkpoint->conversation];
    }
    for (const auto& [conversation, all] : in_log) {
      const auto row = store.conversation(conversation);
      ASSERT_TRUE(row) << row.error().message;
      std::size_t length = 0;
      for (std::optional<Cid> at = row->checkpoint; at && length <= all; ++length) {
        const auto checkpoint = checkpoint_of(store, *at);
        ASSERT_TRUE(checkpoint) << "the chain of " << conversation.str() << " is cut";
        at = checkpoint->previous;
      }
      EXPECT_EQ(length, all) << "checkpoints of " << conversation.str();
    }
  }
  static std::optional<thought::Checkpoint> checkpoint_of(const store::Store& store,
                                                          const Cid& cid) {
    const auto thought = store.get_without_path(cid);
    EXPECT_TRUE(thought) << thought.error().message;
    if (!thought) return std::nullopt;
    const auto checkpoint = thought::to_checkpoint(*thought);
    EXPECT_TRUE(checkpoint) << checkpoint.error().message;
    return checkpoint ? std::optional(*checkpoint) : std::nullopt;
  }

  static void check_verify(const store::Store& store) {
    const auto answer = query::verify(store, nullptr, {});
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->at("verdict"), "consistent") << pretty_json(*answer);
  }

  mutable std::mutex mutex_;
  std::set<Cid> cids_;
  std::size_t commits_ = 0;
  std::vector<Cid> log_;  // as it was when it was looked at last
};

}  // namespace weft::test

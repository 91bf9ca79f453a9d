// The fixture of the contract tests of forgetting: talks that fork, and a forget that is signed.
#pragma once

#include <gmock/gmock.h>
#include <zstd.h>

#include <fstream>
#include <string>
#include <vector>

#include "weft/store/body.hpp"
#include "weft/store/contract/contract_for_test.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::store {

class Forgetful : public StoreContract {
 protected:
  thought::Thought signed_by_ada(std::string_view type, json::object content) {
    thought::Thought thought;
    thought.type = type;
    thought.content = std::move(content);
    thought.created_by = ada_.identity.cid;
    thought.created_at = 1'800'000'000'000;
    thought.cid = cid_of(thought);
    sign(thought, ada_.key);
    return thought;
  }

  // As whoever holds ada's key prepares it.
  ForgetRequest prepared(const std::vector<Cid>& conversations) {
    Result<ForgetPlan> what = store_->forgetting().plan(conversations, ada_.identity.cid);
    EXPECT_TRUE(what) << what.error().message;
    ForgetRequest forget{.plan = what.value_or(ForgetPlan{}), .owner = ada_.identity};
    std::vector<Cid> sorted = conversations;
    std::ranges::sort(sorted);
    forget.tombstone = signed_by_ada(
        thought::kTombstoneType,
        to_content(thought::Tombstone{sorted, forget.plan.spoken_of, forget.plan.thoughts}));
    for (const ForgetPlan::Orphans& orphans : forget.plan.orphans) {
      forget.checkpoints.emplace_back();
      if (orphans.created_by != ada_.identity.cid) continue;
      thought::Checkpoint checkpoint = to_checkpoint(get(orphans.checkpoint)).value();
      checkpoint.previous = orphans.checkpoint;
      checkpoint.leaves = orphans.leaves().size();
      checkpoint.root = thought::Tree(orphans.leaves()).root();
      checkpoint.version = thought::kCheckpointVersion;
      forget.checkpoints.back() = signed_by_ada(thought::kCheckpointType, to_content(checkpoint));
    }
    for (std::size_t i = 0; i < conversations.size(); ++i) {
      forget.headings.push_back(Talk::key(1000 + i));
    }
    return forget;
  }
  ForgetResult forget(const std::vector<Cid>& conversations) {
    Result<ForgetResult> done = store_->forgetting().forget(prepared(conversations));
    EXPECT_TRUE(done) << done.error().message;
    return done.value_or(ForgetResult{});
  }
  ErrorCode code_of_get(const Cid& cid) {
    const Result<thought::Thought> thought = store_->get(cid);
    return thought ? ErrorCode::internal : thought.error().code;
  }
  thought::Connection edge(const Cid& from, std::string_view relation) {
    return store_->connections(from, relation, Direction::from).value().front();
  }
  // Every piece of structure of a conversation is signed by a tree that is there.
  void expect_well_signed(const Cid& conversation) {
    for (const thought::Thought& thought : all_of(*store_, conversation)) {
      if (std::holds_alternative<thought::TreeSignature>(thought.signature)) {
        expect_tree_signed(thought);
      }
    }
  }
  bool files_hold(std::string_view words) {
    for (const auto& entry : std::filesystem::directory_iterator(scratch_.path())) {
      std::ifstream in(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(in), {}};
      if (bytes.find(words) != std::string::npos) return true;
      // Bodies that are packed, too: a byte for the dictionary, then a frame.
      const std::string magic = "\x28\xb5\x2f\xfd";
      for (auto at = bytes.find(magic, 1); at != std::string::npos;
           at = bytes.find(magic, at + 1)) {
        const std::size_t frame =
            ZSTD_findFrameCompressedSize(bytes.data() + at, bytes.size() - at);
        if (ZSTD_isError(frame)) continue;
        std::string room;
        const auto plain = unpack_text(std::string_view(bytes).substr(at - 1, frame + 1), room);
        if (plain && plain->find(words) != std::string_view::npos) return true;
      }
    }
    return false;
  }

  // A conversation that holds two blocks of another, and the edge between them.
  struct Fork {
    Talk origin, fork;
    Cid first, second;
    thought::Connection cause;
  };
  enum class ForkVersion { newest, first };
  Fork fork_units(const std::string& owner = "ada", ForkVersion version = ForkVersion::newest) {
    Fork it{.origin = Talk("origin", owner), .fork = Talk("fork", owner)};
    if (version == ForkVersion::first) it.fork.uses_version_1();
    it.first = it.origin.says("first");
    it.second = it.origin.says("second");
    it.origin.says("only the origin's");
    commit(it.origin);
    it.cause = edge(it.first, "causes");
    for (const Cid& cid : {it.first, it.second}) {
      it.fork.brings(get(cid));
      it.fork.shares(cid);
    }
    it.fork.brings(it.cause);
    it.fork.says("only the fork's");
    it.fork.connect("continues", it.fork.cid(), it.origin.cid());
    commit(it.fork);
    return it;
  }

  const Speaker ada_ = speaker("ada");
};

}  // namespace weft::store

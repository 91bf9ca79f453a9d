#include "weft/thought/verify.hpp"

#include <gtest/gtest.h>

#include "weft/crypto/blake3.hpp"
#include "weft/thought/tree.hpp"
#include "weft/weave/loom_for_test.hpp"

namespace weft::weave {
namespace {

// A small web with every kind of signature in it, all committed at once.
struct Web : Loom {
  Web() {
    human("why?");
    thinks("hm", {"short"});
    calls("t1");
    prints("t1", "x");
    says("so.");
  }
  // The thought with its tree path, as a store shows it.
  thought::Thought shown(const Cid& cid) const {
    thought::Thought thought = this->thought(cid);
    if (auto* tree = std::get_if<thought::TreeSignature>(&thought.signature)) {
      for (const CommitUnit& unit : all_units) {
        if (unit.checkpoint == tree->checkpoint)
          tree->path = thought::Tree(unit.leaves).path(tree->index);
      }
    }
    return thought;
  }
  // Everything that is wrong with one thought, given the web's identities.
  Status check(const thought::Thought& thought, const crypto::Keyring* with = nullptr) const {
    thought::Witnesses witnesses(with);
    for (const auto& [cid, other] : known_web.thoughts) {
      if (is_identity(other)) std::ignore = witnesses.add(other);
    }
    if (is_identity(thought)) {
      Result<thought::Verdict> verdict = witnesses.add(thought);
      return verdict ? Status() : fail(verdict.error());
    }
    Result<thought::Verdict> verdict = witnesses.check(thought);
    if (!verdict) return fail(verdict.error());
    const auto* tree = std::get_if<thought::TreeSignature>(&thought.signature);
    if (tree == nullptr) return {};
    if (!known_web.has(tree->checkpoint).value())
      return fail(ErrorCode::not_found, "no checkpoint");
    return check_tree_signature(thought, this->thought(tree->checkpoint));
  }
};

TEST(Verify, EveryThoughtOfAWovenWebHolds) {
  Web web;
  for (const auto& [cid, thought] : web.known_web.thoughts) {
    const Status status = web.check(web.shown(cid));
    EXPECT_TRUE(status) << thought.type << ": " << status.error().message;
  }
}

TEST(Verify, AnyByteOfAThoughtFlippedIsCaught) {
  Web web;
  std::size_t flips = 0;
  for (const auto& [cid, original] : web.known_web.thoughts) {
    const std::string text = canonical_json(to_json(web.shown(cid)));
    for (std::size_t i = 0; i < text.size(); i += 3) {
      std::string changed = text;
      changed[i] = static_cast<char>(changed[i] ^ 1);
      const Result<ParsedJson> parsed = parse_json(changed);
      if (!parsed) continue;
      const Result<thought::Thought> thought = thought::parse_thought(parsed->value);
      if (!thought || *thought == web.shown(cid)) continue;
      EXPECT_FALSE(web.check(*thought)) << original.type << " byte " << i << ": " << changed;
      ++flips;
    }
  }
  EXPECT_GT(flips, 1'000u);
}

TEST(Verify, WithTheOwnersKeyringItsOwnAreValidAndOthersForeign) {
  Web web;
  thought::Witnesses ours(&web.keyring);
  const crypto::Keyring stranger =
      *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking);
  thought::Witnesses theirs(&stranger);
  for (const auto& [cid, thought] : web.known_web.thoughts) {
    if (!is_identity(thought)) continue;
    EXPECT_EQ(ours.add(thought), thought::Verdict::valid);
    EXPECT_EQ(theirs.add(thought), thought::Verdict::foreign);
  }
}

TEST(Verify, IdentityInAnothersNameIsForeign) {
  Web web;
  const crypto::SigningKey forged(crypto::Key::random());
  thought::Witnesses witnesses(&web.keyring);
  EXPECT_EQ(witnesses.add(thought::make_identity(
                {.kind = "model", .name = "claude-x", .provider = "anthropic"}, forged, "claimed",
                1'000)),
            thought::Verdict::foreign);
  EXPECT_EQ(witnesses.add(thought::make_identity({.kind = "human", .name = "Ada"}, forged,
                                                 "verified", 1'000)),
            thought::Verdict::foreign);
}

TEST(Verify, ForgedTurnThroughAStrangersCheckpointIsCaught) {
  Web web;
  Loom stranger;
  stranger.human("hi");
  const Cid their_turn = stranger.of_type("anthropic/turn").at(0);
  thought::Thought forged = stranger.thought(their_turn);
  forged.created_by = web.identities.owner().cid;
  forged.cid = cid_of(forged);
  const thought::Thought checkpoint = stranger.thought(stranger.of_type("checkpoint").at(0));
  const Status status = check_tree_signature(forged, checkpoint);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::corrupt);
  EXPECT_NE(status.error().message.find("somebody else"), std::string::npos);
}

TEST(Verify, OnlyStructureMayBeSignedByATree) {
  Web web;
  thought::Thought response = web.thought(web.of_type("anthropic/response").at(0));
  const Cid turn = web.of_type("anthropic/turn").at(0);
  response.signature = web.shown(turn).signature;
  EXPECT_EQ(web.check(response).error().code, ErrorCode::corrupt);
}

TEST(Verify, StructureMayNotBeSignedOnItsOwn) {
  Web web;
  thought::Thought turn = web.thought(web.of_type("anthropic/turn").at(0));
  turn.signature = web.keyring.owner_signing_key().sign(crypto::bytes_of(turn.cid.digest()));
  EXPECT_EQ(web.check(turn).error().code, ErrorCode::corrupt);
}

TEST(Checkpoint, IsReadOnlyIfItIsWholeAndNothingMore) {
  Web web;
  const thought::Thought good = web.thought(web.of_type("checkpoint").at(1));
  ASSERT_TRUE(to_checkpoint(good));
  thought::Thought more = good;
  more.content["mood"] = "good";
  EXPECT_EQ(to_checkpoint(more).error().code, ErrorCode::invalid_input);
  thought::Thought odd = good;
  odd.content["previous"] = 7;
  EXPECT_EQ(to_checkpoint(odd).error().code, ErrorCode::invalid_input);
  thought::Thought empty = good;
  empty.content["leaves"] = 0;
  EXPECT_EQ(to_checkpoint(empty).error().code, ErrorCode::invalid_input);
}

TEST(Checkpoint, ChainsAndCountsTheBlocksOfAllCommits) {
  Web web;
  const auto checkpoints = web.of_type("checkpoint");
  ASSERT_EQ(checkpoints.size(), 5u);
  Digest head{};
  std::optional<Cid> previous;
  std::uint64_t blocks = 0;
  for (std::size_t i = 0; i < checkpoints.size(); ++i) {
    const thought::Checkpoint checkpoint = *to_checkpoint(web.thought(checkpoints[i]));
    EXPECT_EQ(checkpoint.previous, previous);
    for (const thought::Connection& connection : web.all_units[i].connections) {
      if (connection.relation != "contains" ||
          !web.thought(connection.from).type.ends_with("/turn"))
        continue;
      head = thought::next_head(head, connection.to);
      ++blocks;
    }
    EXPECT_EQ(checkpoint.blocks, blocks);
    EXPECT_EQ(checkpoint.head, head);
    EXPECT_EQ(checkpoint.root, thought::Tree(web.all_units[i].leaves).root());
    EXPECT_EQ(checkpoint.leaves, web.all_units[i].leaves.size());
    previous = checkpoints[i];
  }
}

}  // namespace
}  // namespace weft::weave

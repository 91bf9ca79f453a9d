// What is collected holds, of conversations that an older weft wove and of such that lean on what
// was forgotten.
#include "weft/query/proof/collect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "weft/query/proof/part_checker.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/talk_for_test.hpp"
#include "weft/thought/attestation.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::query {
namespace {

using store::Talk;
using testing::HasSubstr;
using thought::Thought;

// A block by somebody who is not the owner, as words of models are.
Thought block_by(const store::Speaker& who, const std::string& text,
                 const std::vector<Cid>& because) {
  Thought block;
  block.type = "test/response";
  block.content = {{"text", text}};
  for (const Cid& cid : because) block.because.push_back({.thought = cid});
  block.created_by = who.identity.cid;
  block.created_at = 2000;
  return block;
}

class Collect : public testing::Test {
 protected:
  // Brings the words of others into a talk, signed by their own keys.
  Cid says(Talk& talk, const store::Speaker& who, const std::string& text,
           const std::vector<Cid>& because) {
    Thought block = block_by(who, text, because);
    block.cid = thought::cid_of(block);
    store::sign(block, who.key);
    talk.brings(who.identity);
    talk.brings(block);
    return talk.shares(block.cid);
  }
  void commit(Talk& talk) {
    const auto committed = store_->writer().commit({.units = {talk.take()}});
    ASSERT_TRUE(committed) << committed.error().message;
  }
  // Why the proof of a subject does not hold; empty if it does.
  std::string reason_against(const Cid& subject, const ProofOptions& options, bool is_signed) {
    const Library library{*store_};
    Result<CollectedProof> collected = collect_proof(library, subject, options);
    if (!collected) return collected.error().message;
    Proof& proof = collected->proof;
    proof.is_signed = is_signed;
    const crypto::SigningKey key = store::speaker("ada").key;
    const Result<Proof> read = parse_proof(write_proof(proof, is_signed ? &key : nullptr));
    if (!read) return read.error().message;
    last_ = *read;
    const PartReport report = check_part(*read);
    return report.holds() ? "" : report.bad.front().reason;
  }

  // Forgets a conversation that shares nothing, with a tombstone of ada's.
  void forget(const Cid& conversation) {
    const store::Speaker ada = store::speaker("ada");
    Result<store::ForgetPlan> plan = store_->forgetting().plan({conversation}, ada.identity.cid);
    ASSERT_TRUE(plan) << plan.error().message;
    store::ForgetRequest request{.plan = *std::move(plan), .owner = ada.identity};
    Thought& tombstone = request.tombstone;
    tombstone.type = thought::kTombstoneType;
    tombstone.content = to_content(
        thought::Tombstone{{conversation}, request.plan.spoken_of, request.plan.thoughts});
    tombstone.created_by = ada.identity.cid;
    tombstone.created_at = 1'800'000'000'000;
    tombstone.cid = thought::cid_of(tombstone);
    store::sign(tombstone, ada.key);
    request.checkpoints.resize(request.plan.orphans.size());  // what is left of it is not asked for
    request.headings.push_back(Talk::key(++forgotten_));
    const auto done = store_->forgetting().forget(request);
    ASSERT_TRUE(done) << done.error().message;
  }

  store::Scratch dir_;
  std::unique_ptr<store::Store> store_ =
      store::open_store((dir_.path() / "weft.db").string(), store::Create::yes).value();
  Proof last_;
  std::uint64_t forgotten_ = 1000;
};

// No checkpoint of version 1 covers an identity, so nothing in a proof of stubs leads to theirs but
// the owner's signature over the whole.
TEST_F(Collect, StubsOfAnOlderWeftHoldIfTheOwnerSignsWhoseTheyAre) {
  for (const bool is_old : {true, false}) {
    Talk talk(is_old ? "old" : "new");
    if (is_old) talk.uses_version_1();
    const store::Speaker model = store::speaker(is_old ? "old model" : "model");
    const Cid asked = talk.says("why?");
    const Cid first = says(talk, model, "hm", {asked});
    const Cid answer = says(talk, store::speaker("other"), "because", {first});
    commit(talk);
    EXPECT_EQ(reason_against(answer, {}, false), "");
    EXPECT_EQ(reason_against(answer, {.hidden = {first}}, true), "") << is_old;
    EXPECT_EQ(last_.stubs.size(), 1u);
    const std::string unsigned_reason = reason_against(answer, {.hidden = {first}}, false);
    if (is_old) EXPECT_THAT(unsigned_reason, HasSubstr("nothing that the owner signed leads"));
    else EXPECT_EQ(unsigned_reason, "");
  }
}

TEST_F(Collect, ACauseThatWasForgottenIsNamedByItsTombstone) {
  for (const bool is_old : {true, false}) {
    Talk gone(is_old ? "gone of old" : "gone"), stays(is_old ? "stays of old" : "stays");
    if (is_old) gone.uses_version_1(), stays.uses_version_1();
    const Cid cause = gone.says("a heron");
    commit(gone);
    const Cid asked = stays.says("which bird?");
    const Cid answer = says(stays, store::speaker("model"), "the heron", {asked, cause});
    commit(stays);
    forget(gone.cid());
    for (const bool is_signed : {true, false}) {
      EXPECT_EQ(reason_against(answer, {}, is_signed), "");
      const auto stone = std::ranges::find(last_.thoughts, thought::kTombstoneType, &Thought::type);
      ASSERT_NE(stone, last_.thoughts.end());
      Proof without = last_;
      std::erase_if(without.thoughts,
                    [](const Thought& each) { return each.type == thought::kTombstoneType; });
      EXPECT_THAT(check_part(without).bad.front().reason, HasSubstr("is not in the proof"));
      // A stranger's says nothing.
      Proof forged = last_;
      const store::Speaker eve = store::speaker("model");
      Thought& other = *std::ranges::find(forged.thoughts, stone->cid, &Thought::cid);
      other.created_by = eve.identity.cid;
      other.cid = thought::cid_of(other);
      store::sign(other, eve.key);
      EXPECT_FALSE(check_part(forged).holds());
    }
  }
}

// What record heard of an answer is in its proof, though the rest of what it heard is not.
TEST_F(Collect, WhatWasWitnessedIsSaidByTheOwnerAlone) {
  Talk talk("heard");
  const Cid asked = talk.says("why?");
  const Cid answer = says(talk, store::speaker("model"), "because", {asked});
  const Cid beside = says(talk, store::speaker("model"), "a call", {asked});
  commit(talk);
  const auto attest = [&](const std::string& who) {
    const store::Speaker speaker = store::speaker(who);
    Thought statement =
        thought::make_attestation({.on = {answer, beside}, .via = "record", .level = "witnessed"},
                                  {}, speaker.identity.cid, 3000);
    store::sign(statement, speaker.key);
    ASSERT_TRUE(store_->writer().import({speaker.identity, statement}, {}));
  };
  attest("stranger");
  EXPECT_EQ(reason_against(answer, {}, true), "");
  EXPECT_EQ(check_part(last_).witnessed, 0u);
  attest("ada");
  EXPECT_EQ(reason_against(answer, {}, true), "");
  EXPECT_EQ(check_part(last_).witnessed, 1u);

  // By a stranger, or about what is not there, it is refused.
  Proof forged = last_;
  const auto at = std::ranges::find(forged.thoughts, "attestation", &Thought::type);
  Thought statement = *at;
  forged.thoughts.erase(at);
  const store::Speaker eve = store::speaker("model");
  statement.created_by = eve.identity.cid;
  statement.cid = thought::cid_of(statement);
  store::sign(statement, eve.key);
  forged.thoughts.push_back(statement);
  EXPECT_THAT(check_part(forged).bad.front().reason, HasSubstr("not the owner"));
}

}  // namespace
}  // namespace weft::query

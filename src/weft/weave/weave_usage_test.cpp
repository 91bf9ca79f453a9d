// Model requests become one usage thought a commit, and each is stated once.
#include <gtest/gtest.h>

#include "weft/thought/structure.hpp"
#include "weft/thought/usage.hpp"
#include "weft/weave/loom_for_test.hpp"

namespace weft::weave {
namespace {

using transcript::Request;

Request request(std::string message, std::int64_t output) {
  return {.message_id = std::move(message),
          .request_id = "req",
          .model = "claude-x",
          .time = 3'000,
          .tokens = {.input = 10, .output = output}};
}

std::vector<thought::Thought> usages(const Loom& loom) {
  std::vector<thought::Thought> found;
  for (const Cid& cid : loom.known_web.order) {
    const thought::Thought& thought = loom.thought(cid);
    if (thought::kind_of(thought.type) == "usage") found.push_back(thought);
  }
  return found;
}

std::vector<thought::CountedRequest> rows(const Loom& loom, const thought::Thought& usage) {
  return thought::parse_usage(open_content(usage, &loom.keyring));
}

TEST(WeaveUsage, ACommitCarriesItsRequestsByTheOwner) {
  Loom loom;
  loom.human("why?");
  EXPECT_TRUE(usages(loom).empty());  // a commit without requests has no such thought
  loom.hold_commits = true;
  loom.weaver->request(request("m1", 1));
  loom.weaver->request(request("m2", 2));
  loom.weaver->request(request("m1", 700));  // the same message, further on
  loom.says("because");
  loom.hold_commits = false;
  loom.commit();
  ASSERT_EQ(usages(loom).size(), 1u);
  const thought::Thought usage = usages(loom)[0];
  EXPECT_EQ(usage.type, "anthropic/usage");
  EXPECT_EQ(usage.created_by, loom.identities.owner().cid);
  ASSERT_EQ(usage.because.size(), 1u);
  EXPECT_EQ(loom.thought(usage.because[0].thought).type, "anthropic/conversation");
  EXPECT_EQ(thought::subjects_of(usage),
            (std::vector<thought::Subject>{
                {thought::Subject::Kind::conversation, usage.because[0].thought}}));
  std::int64_t output = 0;
  for (const auto& row : rows(loom, usage)) output += row.counts.tokens.output;
  EXPECT_EQ(rows(loom, usage).size(), 2u);
  EXPECT_EQ(output, 702);
  // The checkpoint covers it.
  const std::vector<Cid>& leaves = loom.all_units.back().leaves;
  EXPECT_NE(std::ranges::find(leaves, usage.cid), leaves.end());
}

TEST(WeaveUsage, ASourceThatIsReadAgainAddsNoRequest) {
  Loom loom;
  const auto read = [&] {
    loom.human("why?");
    loom.weaver->request(request("m1", 5));
    loom.says("because");
  };
  read();
  ASSERT_EQ(usages(loom).size(), 1u);
  loom.restart();
  read();
  EXPECT_EQ(usages(loom).size(), 1u);
}

TEST(WeaveUsage, ABetterCountIsStatedAgain) {
  Loom loom;
  loom.human("why?");
  loom.weaver->request(request("m1", 5));
  loom.commit();
  loom.weaver->request(request("m1", 4));
  loom.commit();
  EXPECT_EQ(usages(loom).size(), 1u);
  loom.weaver->request(request("m1", 700));
  loom.commit();
  ASSERT_EQ(usages(loom).size(), 2u);
  const auto first = rows(loom, usages(loom)[0]), second = rows(loom, usages(loom)[1]);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(second[0].key(), first[0].key());
  EXPECT_EQ(second[0].counts.tokens.output, 700);
}

TEST(WeaveUsage, IsSealedAsFactsAre) {
  Loom clear, sealed(crypto::SealMode::all);
  for (Loom* loom : {&clear, &sealed}) {
    loom->human("why?");
    loom->weaver->request(request("m1", 5));
    loom->commit();
    ASSERT_EQ(usages(*loom).size(), 1u);
    EXPECT_EQ(rows(*loom, usages(*loom)[0]).size(), 1u);
  }
  EXPECT_FALSE(usages(clear)[0].layers.metadata);
  EXPECT_TRUE(usages(sealed)[0].layers.metadata);
  EXPECT_TRUE(usages(sealed)[0].content.empty());
}

TEST(WeaveUsage, RequestsAloneBeginAConversation) {
  Loom loom;
  loom.weaver->request(request("m1", 5));
  loom.commit();
  ASSERT_EQ(usages(loom).size(), 1u);
  EXPECT_EQ(loom.thought(usages(loom)[0].because[0].thought).created_at, 3'000);
  EXPECT_EQ(loom.weaver->conversations().size(), 1u);
}

}  // namespace
}  // namespace weft::weave

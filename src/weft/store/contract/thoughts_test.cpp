// The contract of Thoughts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "weft/store/contract/contract_for_test.hpp"
#include "weft/store/scan_for_test.hpp"

namespace weft::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using thought::Thought;

TEST_P(StoreContract, SaysNotFoundForAThoughtItNeverSaw) {
  const Cid never(crypto::blake3("never"));
  EXPECT_FALSE(store_->has(never).value());
  EXPECT_EQ(store_->get(never).error().code, ErrorCode::not_found);
}

TEST_P(StoreContract, GivesBackEveryMemberOfAThought) {
  Talk talk("s1");
  const Cid first = talk.says("so");
  Thought block;
  block.type = "test/response";
  block.content = {{"text", "caf\u00e9 \u2014 \U0001F9F5"},
                   {"n", -1},
                   {"big", UINT64_MAX},
                   {"x", 0.1},
                   {"deep", json::array{json::object{{"a", nullptr}}, true}}};
  block.layers.metadata = crypto::Box{"0123456789abcdef", std::string("\0\1\2", 3)};
  block.layers.content = crypto::Box{"fedcba9876543210", ""};
  block.created_at = -5;
  block.source = first;
  block.because = {{.thought = first},
                   {.thought = talk.cid(),
                    .segment = first,
                    .anchor = thought::Anchor{"so", "", "\n"},
                    .path = "/text",
                    .temporal = std::pair(0.25, 1e300)},
                   {.thought = first}};
  const Cid cid = talk.stands(block);
  const Batch batch = talk.batch();
  commit(batch);
  const Thought stored = get(cid);
  const auto given = std::ranges::find(batch.units[0].thoughts, cid, &Thought::cid);
  EXPECT_EQ(stored, *given);
  EXPECT_EQ(thought::cid_of(stored), cid);
}

TEST_P(StoreContract, GivesBackBodiesOfAnySize) {
  Talk talk("s1");
  std::vector<Cid> cids;
  std::vector<std::string> texts;
  for (const std::size_t size : {0u, 1u, 127u, 128u, 5'000u, 3'000'000u}) {
    std::string text(size, 'a');
    for (std::size_t i = 0; i < size; i += 7) text[i] = static_cast<char>('b' + i * i % 23);
    texts.push_back(text);
    cids.push_back(talk.says(text));
  }
  commit(talk);
  for (std::size_t i = 0; i < cids.size(); ++i) {
    EXPECT_EQ(find_string(get(cids[i]).content, "text"), texts[i]);
  }
}

TEST_P(StoreContract, KeepsSealedLayersByteForByte) {
  Talk talk("s1");
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
  const Cid cid = talk.thinks(every_byte);
  commit(talk);
  EXPECT_EQ(get(cid).layers.content, (crypto::Box{"fedcba9876543210", every_byte}));
  EXPECT_EQ(get(cid).content, json::object());
}

TEST_P(StoreContract, GivesStructureTheTreePathsThatAnyoneCanCheck) {
  Talk talk("s1");
  for (int i = 0; i < 7; ++i) talk.says("block " + std::to_string(i));
  const Batch batch = talk.batch();
  commit(batch);
  for (const Cid& leaf : batch.units[0].leaves) {
    const Thought thought = get(leaf);
    EXPECT_EQ(thought.cid, thought::cid_of(thought));
    if (may_be_tree_signed(thought)) expect_tree_signed(thought);
  }
}

TEST_P(StoreContract, GivesThePathlessAllButTheirPaths) {
  Talk talk("s1");
  const Cid block = talk.says("a");
  talk.says("b");
  commit(talk);
  const Cid turn = neighbours(talk.cid(), "contains", Direction::from).front();
  Thought whole = get(turn);
  auto& tree = std::get<thought::TreeSignature>(whole.signature);
  ASSERT_FALSE(tree.path.empty());
  tree.path.clear();
  EXPECT_EQ(store_->get_without_path(turn).value(), whole);
  EXPECT_EQ(store_->get_without_path(block).value(), get(block));
  EXPECT_EQ(store_->get_without_path(Cid()).error().code, ErrorCode::not_found);
}

TEST_P(StoreContract, GivesBackAConnectionAsAThought) {
  Talk talk("s1");
  const Cid a = talk.says("a");
  const Cid edge = talk.connect("causes", talk.cid(), a, 7, "because I say so");
  const Cid alone = talk.connect_signed("uses_input", talk.owner(), talk.cid());
  commit(talk);
  EXPECT_EQ(get(edge).content, (json::object{{"relation", "causes"},
                                             {"from", talk.cid().str()},
                                             {"to", a.str()},
                                             {"label", "because I say so"},
                                             {"index", 7u}}));
  EXPECT_TRUE(std::holds_alternative<crypto::SignatureBytes>(get(alone).signature));
  EXPECT_EQ(thought::cid_of(get(alone)), alone);
}

TEST_P(StoreContract, FindsStoredNamesByPrefixInOrder) {
  Talk talk("s1");
  std::vector<Cid> cids;
  cids.reserve(300);
  for (int i = 0; i < 300; ++i) cids.push_back(talk.says(std::to_string(i)));
  commit(talk);
  std::ranges::sort(cids);
  const std::string hex = cids[5].brief(64);
  EXPECT_THAT(store_->find_by_prefix(hex, 10).value(), ElementsAre(cids[5]));
  EXPECT_THAT(store_->find_by_prefix(hex.substr(0, 15), 10).value(), ElementsAre(cids[5]));
  const std::vector<Cid> by_digit = store_->find_by_prefix(hex.substr(0, 1), 1000).value();
  EXPECT_TRUE(std::ranges::is_sorted(by_digit));
  EXPECT_GT(by_digit.size(), 20u);
  for (const Cid& cid : by_digit) EXPECT_EQ(cid.brief(1), hex.substr(0, 1));
  EXPECT_THAT(store_->find_by_prefix("", 3).value(), SizeIs(3));
  EXPECT_THAT(store_->find_by_prefix("0123456789abcdef", 3).value(), IsEmpty());
}

TEST_P(StoreContract, KeepsNamesApartThatBeginAlike) {
  // Anyone can find two thoughts whose names share their first bytes.
  std::vector<Thought> alike;
  for (std::uint8_t last = 3; last > 0; --last) {
    Thought thought = speaker("n" + std::to_string(last)).identity;
    Digest digest{};
    digest.fill(7);
    digest[31] = last;
    thought.cid = thought.created_by = Cid(digest);
    alike.push_back(thought);
  }
  ASSERT_TRUE(store_->writer().import({alike[0], alike[2]}, {}));
  EXPECT_FALSE(store_->has(alike[1].cid).value());
  ASSERT_TRUE(store_->writer().import({alike[1]}, {}));
  for (const Thought& thought : alike) EXPECT_EQ(get(thought.cid), thought);
  EXPECT_THAT(store_->find_by_prefix("0707", 9).value(),
              ElementsAre(alike[2].cid, alike[1].cid, alike[0].cid));
}

TEST_P(StoreContract, RefusesAPrefixThatIsNoHexSoThatOneThoughtHasOneName) {
  EXPECT_EQ(store_->find_by_prefix("AB", 1).error().code, ErrorCode::invalid_input);
  EXPECT_EQ(store_->find_by_prefix(std::string(65, 'a'), 1).error().code, ErrorCode::invalid_input);
}

TEST_P(StoreContract, DoesNotFindByPrefixWhatIsOnlySpokenOf) {
  Talk talk("s1");
  const Cid elsewhere(crypto::blake3("elsewhere"));
  talk.shares(elsewhere);
  commit(talk);
  EXPECT_FALSE(store_->has(elsewhere).value());
  EXPECT_EQ(store_->get(elsewhere).error().code, ErrorCode::not_found);
  EXPECT_THAT(store_->find_by_prefix(elsewhere.brief(64), 1).value(), IsEmpty());
  EXPECT_THAT(scan(*store_).dangling, ElementsAre(elsewhere));
}

// --- edges -------------------------------------------------------------------------------

INSTANTIATE_TEST_SUITE_P(Every, StoreContract, testing::ValuesIn(every_backend()), backend_name);

}  // namespace
}  // namespace weft::store

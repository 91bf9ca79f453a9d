#include "weft/store/tables/listed_facts.hpp"

#include <gtest/gtest.h>

namespace weft::store {
namespace {

ListedFacts everything() {
  thought::KnownFacts known;
  known.facts.title = "The early ferry";
  known.facts.summary = "It is cancelled.";
  known.facts.project = "ferries";
  known.facts.cwd = "/home/ada/ferries";
  known.facts.git_branch = "main";
  known.facts.account = "ada@example.org";
  known.facts.tools = {"Bash"};
  known.facts.usage = transcript::Usage{.input = 300, .output = -1, .cache_read = 1LL << 40};
  known.facts.updated_at = 1'770'000'000'123;
  known.facts.internal = true;
  known.models = {"opus", "haiku"};
  ListedFacts facts = listed(std::move(known));
  facts.prompt = "Is the ferry running?";
  return facts;
}

TEST(ListedFacts, AreUnpackedAsTheyWerePacked) {
  for (const ListedFacts& facts : {everything(), listed({}), ListedFacts{.prompt = ""}}) {
    ListedFacts unpacked;
    ASSERT_TRUE(unpack_listed(pack(facts), unpacked));
    EXPECT_EQ(unpacked, facts);
    EXPECT_EQ(unpack_listed_usage(pack(facts)).value(), facts.known.facts.usage);
  }
}

TEST(ListedFacts, LeaveOutWhatNoListShows) {
  EXPECT_TRUE(everything().known.facts.tools.empty());
  EXPECT_FALSE(everything().known.facts.account);
  EXPECT_EQ(pack(listed({})), "");
}

TEST(ListedFacts, OfAnotherPortionReplaceOnlyWhatTheyState) {
  ListedFacts facts = everything();
  ListedFacts other;
  other.known.facts.title = "Another";
  ASSERT_TRUE(unpack_listed(pack(other), facts));
  ListedFacts expected = everything();
  expected.known.facts.title = "Another";
  EXPECT_EQ(facts, expected);
}

TEST(ListedFacts, OfCutBytesAreCorrupt) {
  const std::string whole = pack(everything());
  for (std::size_t size = 1; size < whole.size(); ++size) {
    ListedFacts facts;
    const Status status = unpack_listed(whole.substr(0, size), facts);
    ASSERT_FALSE(status) << size;
    EXPECT_EQ(status.error().code, ErrorCode::corrupt);
  }
}

}  // namespace
}  // namespace weft::store

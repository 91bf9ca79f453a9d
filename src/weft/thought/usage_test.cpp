#include "weft/thought/usage.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft::thought {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using transcript::Request;

crypto::Keyring keys(const char* name) {
  return *crypto::Keyring::create(name, 1'000, crypto::SealMode::thinking);
}

const Request kFull{.message_id = "msg_1",
                    .request_id = "req_1",
                    .model = "claude-opus-4-5",
                    .time = 1'700'000'000'000,
                    .tokens = {.input = 1,
                               .output = 2,
                               .cache_read = 3,
                               .cache_write_5m = 4,
                               .cache_write_1h = 5,
                               .reasoning = 1},
                    .stated_input = 13,
                    .tier = "standard",
                    .speed = "fast",
                    .stated_cost = 120'000'000,
                    .is_sidechain = true};

TEST(Usage, ContentGivesBackItsRequests) {
  const crypto::Keyring keyring = keys("Ada");
  const CountedRequest full = name_request(kFull, keyring);
  const CountedRequest bare = name_request({.message_id = "msg_2"}, keyring);
  const json::object content = to_content({full, bare});
  EXPECT_THAT(parse_usage(content), ElementsAre(full, bare));
  EXPECT_FALSE(to_content({bare}).contains("cache_read"));  // a column of nothing is left out
}

TEST(Usage, NamesAreHashedWithTheOwnersKey) {
  const crypto::Keyring ada = keys("Ada"), bob = keys("Bob");
  const CountedRequest one = name_request(kFull, ada);
  EXPECT_EQ(one.key(), name_request(kFull, ada).key());
  EXPECT_NE(one.key(), name_request(kFull, bob).key());
  EXPECT_EQ(canonical_json(to_content({one})).find("msg_1"), std::string::npos);
  Request other = kFull;
  other.request_id = "req_2";
  EXPECT_EQ(one.message, name_request(other, ada).message);
  EXPECT_NE(one.request, name_request(other, ada).request);
}

TEST(Usage, RequestsWithoutNamesAreToldApartByTimeAndCounts) {
  const crypto::Keyring keyring = keys("Ada");
  const Request one{.time = 1'000, .tokens = {.input = 5}};
  Request later = one;
  later.time = 2'000;
  EXPECT_EQ(name_request(one, keyring).key(), name_request(one, keyring).key());
  EXPECT_NE(name_request(one, keyring).key(), name_request(later, keyring).key());
}

TEST(Usage, TheMostCompleteStatementHolds) {
  const Request begun{.tokens = {.input = 10, .output = 1}};
  Request done = begun, sidechain = begun, costly = begun, fast = begun;
  done.tokens.output = 700;
  EXPECT_TRUE(is_better(done, begun));
  EXPECT_FALSE(is_better(begun, done));
  EXPECT_FALSE(is_better(begun, begun));
  sidechain.is_sidechain = true;
  sidechain.tokens.output = 900;
  EXPECT_FALSE(is_better(sidechain, begun));
  costly.stated_cost = 1;
  EXPECT_TRUE(is_better(costly, begun));
  fast.speed = "fast";
  EXPECT_TRUE(is_better(fast, begun));
}

TEST(Usage, MalformedContentHasNoRows) {
  EXPECT_THAT(parse_usage({}), IsEmpty());
  EXPECT_THAT(parse_usage({{"requests", 1'000'000'000}}), IsEmpty());
  EXPECT_THAT(parse_usage({{"requests", 1}, {"message", json::array{"x", "y"}}}), IsEmpty());
  const auto rows =
      parse_usage({{"requests", 1}, {"message", json::array{7}}, {"input", json::array{-3}}});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].message, 0u);
  EXPECT_EQ(rows[0].counts.tokens.input, 0);
}

}  // namespace
}  // namespace weft::thought

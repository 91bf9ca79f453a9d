#include "weft/store/tables/request_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "weft/store/pages/spaced_hex_for_test.hpp"
#include "weft/store/tables/name_set.hpp"

namespace weft::store {
namespace {

std::vector<RequestEntry> unpacked(std::string_view bytes, ModelNames& models) {
  std::vector<RequestEntry> out;
  const Status status = unpack_requests(bytes, models, out);
  EXPECT_TRUE(status) << status.error().message;
  return out;
}

std::vector<RequestEntry> some_requests(ModelNames& models) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return {{.message = 0x0102030405060708,
           .request = 9,
           .time = 1'770'000'000'000,
           .model = models.number_of("claude-x"),
           .tokens = {.input = 3, .output = 500, .cache_read = 90'000}},
          {.message = 2,
           .time = std::numeric_limits<std::int64_t>::min(),
           .model = models.number_of("gpt"),
           .is_sidechain = true,
           .states_speed = true,
           .tokens = {kMost, kMost, kMost, kMost, kMost, kMost},
           .stated_cost = -7},
          {.message = 3, .time = kMost, .model = models.number_of("claude-x")},
          {.model = models.number_of(""), .stated_cost = 0}};
}

TEST(RequestList, ReadsWhatItPacks) {
  ModelNames models;
  const auto requests = some_requests(models);
  EXPECT_EQ(unpacked(pack(requests, models), models), requests);
  EXPECT_EQ(pack({}, models), "");
  EXPECT_TRUE(unpacked("", models).empty());
}

// Two pages that number their models differently.
TEST(RequestList, ModelsKeepTheirNames) {
  ModelNames models, others;
  others.number_of("gpt");
  const auto requests = some_requests(models);
  const auto read = unpacked(pack(requests, models), others);
  ASSERT_EQ(read.size(), requests.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(others[read[i].model], models[requests[i].model]);
  }
}

// docs/formats/store.md, "Requests".
TEST(RequestList, PacksTheWorkedExample) {
  ModelNames models;
  const std::vector<RequestEntry> requests = {
      {.message = 0x1122334455667788,
       .request = 1,
       .time = 1000,
       .model = models.number_of("gpt"),
       .tokens = {.input = 3, .output = 200}},
      {.message = 2, .time = 1500, .model = 0, .is_sidechain = true, .stated_cost = 5}};
  EXPECT_EQ(sql::spaced_hex(pack(requests, models)),
            "02 01 03 67 70 74 "
            "74 00 88 77 66 55 44 33 22 11 01 00 00 00 00 00 00 00 D0 0F 03 C8 01 "
            "0D 00 02 00 00 00 00 00 00 00 E8 07 0A");
}

TEST(RequestList, EveryCutIsCorrectlyReadOrCorrupt) {
  ModelNames models;
  const std::string bytes = pack(some_requests(models), models);
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    std::vector<RequestEntry> out;
    const Status status = unpack_requests(std::string_view(bytes).substr(0, size), models, out);
    if (!status) {
      EXPECT_EQ(status.error().code, ErrorCode::corrupt);
    }
  }
}

// A stream states a request several times, with more tokens each time.
TEST(RequestList, OfSeveralStatementsTheBestCountsInAnyOrder) {
  ModelNames models;
  const std::uint32_t model = models.number_of("m");
  std::vector<RequestEntry> statements = {
      {.message = 1, .request = 1, .time = 50, .model = model, .tokens = {.output = 1}},
      {.message = 1, .request = 1, .time = 40, .model = model, .tokens = {.output = 9}},
      {.message = 1, .request = 1, .time = 30, .model = model, .tokens = {.output = 9}},
      {.message = 1, .request = 1, .model = model, .is_sidechain = true, .tokens = {.output = 99}},
      {.message = 1, .request = 2, .time = 10, .model = model}};
  std::ranges::sort(statements, {}, &RequestEntry::time);
  do {
    auto merged = statements;
    merge_statements(merged, models);
    ASSERT_EQ(merged.size(), 2u);
    EXPECT_EQ(merged[0].request, 2u);
    EXPECT_EQ(merged[1].time, 30);
    EXPECT_EQ(merged[1].tokens.output, 9);
  } while (std::ranges::next_permutation(statements, {}, [](const RequestEntry& entry) {
             return std::tuple(entry.time, entry.tokens.output);
           }).found);
}

TEST(NameSet, HoldsEachPairOnceHoweverMuchItGrows) {
  const NameMixer mix;
  NameSet names;
  for (const bool is_first : {true, false}) {
    for (std::uint64_t i = 0; i < 100; ++i) {
      EXPECT_EQ(names.insert(mix(i, 0)), is_first);
      EXPECT_EQ(names.insert(mix(0, i)), is_first && i > 0);
      EXPECT_EQ(names.insert(mix(i << 32, ~i)), is_first);
    }
  }
  EXPECT_EQ(names.size(), 299u);
  EXPECT_TRUE(names.contains(mix(3, 0)));
  EXPECT_FALSE(names.contains(mix(3, 1)));
}

// Names that an import chose so that a sum of products falls together.
TEST(NameMixer, NamesThatDifferInTheirHighestBitsAreDifferent) {
  constexpr std::uint64_t kHighest = std::uint64_t{1} << 63;
  const NameMixer mix;
  EXPECT_NE(mix(1, 2), mix(1 + kHighest, 2 + kHighest));
  EXPECT_EQ(mix(1, 2), NameMixer()(1, 2));
}

}  // namespace
}  // namespace weft::store

#include "weft/store/tables/request_sums.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "weft/store/pages/spaced_hex_for_test.hpp"

namespace weft::store {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

RequestSums unpacked(std::string_view bytes, ModelNames& models) {
  RequestSums out;
  const Status status = unpack_sums(bytes, models, out);
  EXPECT_TRUE(status) << status.error().message;
  return out;
}

std::vector<RequestEntry> some_requests(ModelNames& models) {
  const auto gpt = models.number_of("gpt"), claude = models.number_of("claude");
  return {{.message = 0x1122334455667788, .time = 1000, .model = gpt, .tokens = {.input = 3}},
          {.message = 2, .time = 1500, .model = gpt, .tokens = {.input = 5, .output = 200}},
          {.message = 3, .time = 1600, .model = claude, .tokens = {.cache_read = 200'001}},
          {.message = 4, .time = 3'600'000, .model = gpt, .stated_cost = -7},
          {.message = 5, .model = gpt},
          {.message = 6, .time = kMost, .model = gpt, .tokens = {.input = kMost}},
          {.message = 7, .time = kLeast, .model = gpt, .stated_cost = kMost}};
}

TEST(RequestSums, AddUpByHourModelAndSizeOfThePrompt) {
  ModelNames models;
  const std::uint32_t model = models.number_of("m");
  const auto at = [&](Millis time, std::int64_t input) {
    return RequestEntry{.message = 1, .time = time, .model = model, .tokens = {.input = input}};
  };
  const auto sums_of = [&](std::vector<RequestEntry> requests) { return add_up(requests).sums; };
  EXPECT_EQ(sums_of({at(-1, 7), at(0, 100), at(3'599'999, 300)}),
            (std::vector<RequestSum>{{.requests = 1,
                                      .first = -1,
                                      .last = -1,
                                      .least_prompt = 7,
                                      .most_prompt = 7,
                                      .tokens = {.input = 7}},
                                     {.requests = 2,
                                      .first = 0,
                                      .last = 3'599'999,
                                      .least_prompt = 100,
                                      .most_prompt = 300,
                                      .tokens = {.input = 400}}}));
  EXPECT_EQ(sums_of({at(0, 200'000), at(1, 200'001)}).size(), 2u);
  auto stated = at(0, 1), other = at(0, 1);
  stated.stated_cost = 5;
  other.model = models.number_of("n");
  EXPECT_EQ(sums_of({at(0, 1), stated, other}).size(), 3u);
}

TEST(RequestSums, ReadWhatTheyPack) {
  ModelNames models;
  const RequestSums sums = add_up(some_requests(models));
  EXPECT_EQ(sums.names.size(), 7u);
  EXPECT_EQ(unpacked(pack(sums, models), models), sums);
  EXPECT_EQ(pack(RequestSums(), models), "");
  EXPECT_EQ(unpacked("", models), RequestSums());
  // Whatever numbers its models have.
  ModelNames others;
  others.number_of("claude");
  EXPECT_EQ(pack(add_up(some_requests(others)), others), pack(sums, models));
}

// docs/formats/store.md, "Sums of requests".
TEST(RequestSums, PackTheWorkedExample) {
  ModelNames models;
  auto requests = some_requests(models);
  requests.resize(2);
  EXPECT_EQ(sql::spaced_hex(pack(add_up(requests), models)),
            "02 88 77 66 55 02 00 00 00 01 03 67 70 74 0D 00 02 06 04 D0 0F E8 07 10 90 03");
}

TEST(RequestSums, EveryCutIsCorrectlyReadOrCorrupt) {
  ModelNames models;
  const std::string bytes = pack(add_up(some_requests(models)), models);
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    RequestSums out;
    const Status status = unpack_sums(std::string_view(bytes).substr(0, size), models, out);
    if (!status) {
      EXPECT_EQ(status.error().code, ErrorCode::corrupt);
    }
  }
}

TEST(RepeatedNames, AreThoseThatComeTwiceInOneConversationOrInTwo) {
  constexpr std::uint32_t kConversations = 5'000;
  RepeatedNames names(kConversations);
  for (std::uint32_t i = 0; i < kConversations; ++i) names.add(i * 0x10001, i);
  names.add(7 * 0x10001, 7);
  names.add(9 * 0x10001, 4'000);
  names.add(9 * 0x10001, 4'001);
  for (std::uint32_t i = 0; i < kConversations; ++i) {
    EXPECT_EQ(names.is_repeated(i), i == 7 || i == 9 || i == 4'000 || i == 4'001) << i;
  }
}

}  // namespace
}  // namespace weft::store

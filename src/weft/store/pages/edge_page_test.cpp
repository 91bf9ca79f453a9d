#include "weft/store/pages/edge_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "weft/base/file.hpp"
#include "weft/store/pages/spaced_hex_for_test.hpp"

namespace weft::store::sql {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<Edge> unpacked(std::string_view page, Id first) {
  std::vector<Edge> edges;
  const Status status = unpack_edges(page, first, edges);
  EXPECT_TRUE(status) << status.error().message;
  return edges;
}

// What a turn of `blocks` blocks brings, as it is woven: each stands in it and follows the last.
std::vector<Edge> turn(Id first, Id turn, Id block, int blocks) {
  std::vector<Edge> edges;
  for (int i = 0; i < blocks; ++i, ++block) {
    const Millis time = 1'738'417'334'720 + 4'000 * i;
    edges.push_back({.id = first++,
                     .relation = 5,
                     .from = turn,
                     .to = block,
                     .position = i,
                     .created_by = 1,
                     .created_at = time});
    edges.push_back({.id = first++,
                     .relation = 8,
                     .from = block - 1,
                     .to = block,
                     .label = 9,
                     .created_by = 1,
                     .created_at = time});
  }
  return edges;
}

TEST(EdgePage, GivesBackWhatWasPutOnIt) {
  constexpr Id kLeast = std::numeric_limits<Id>::min(), kMost = std::numeric_limits<Id>::max();
  const std::vector<Edge> edges = {
      {.id = kLeast, .relation = kMost, .from = kMost, .to = kLeast, .created_at = kMost},
      {.id = -1, .relation = kLeast, .from = kLeast, .to = kMost, .label = kLeast},
      {.id = 0, .label = 0, .position = 0, .signature = std::string("\0", 1)},
      {.id = 1, .label = 0, .position = kMost, .created_at = kLeast, .signature = "s"},
      {.id = 2, .label = 0, .position = kLeast, .signature = std::string(200, 's')},
      {.id = 1'000, .position = -1, .created_by = kLeast},
      {.id = kMost, .relation = 3, .from = 4, .to = 5, .created_by = 6, .created_at = 7}};
  EXPECT_EQ(unpacked(pack_edges(edges, kLeast), kLeast), edges);
  const std::vector<Edge> tail(edges.begin() + 3, edges.end());
  EXPECT_EQ(unpacked(pack_edges(tail, -7), -7), tail) << "the first may be gone";
  EXPECT_THAT(unpacked("", 1), IsEmpty());
}

TEST(EdgePage, OfTheWorkedExampleIsAsThePageSays) {
  const std::string doc =
      read_file(std::string(WEFT_SOURCE_DIR) + "/docs/formats/store.md").value();
  constexpr Millis kTime = 1'738'417'334'720;
  std::vector<Edge> edges;
  std::string before;
  const auto says = [&](const Edge& edge) {
    edges.push_back(edge);
    const std::string page = pack_edges(edges, 641);
    const std::string added = spaced_hex(page.substr(before.size()));
    EXPECT_NE(doc.find(" " + added + " "), std::string::npos) << added;
    before = page;
  };
  says({.id = 641,
        .relation = 5,
        .from = 600,
        .to = 612,
        .position = 0,
        .created_by = 1,
        .created_at = kTime});
  says({.id = 642,
        .relation = 5,
        .from = 600,
        .to = 613,
        .position = 1,
        .created_by = 1,
        .created_at = kTime + 4'000});
  says({.id = 645,
        .relation = 8,
        .from = 612,
        .to = 613,
        .label = 9,
        .created_by = 1,
        .created_at = kTime + 4'000});
}

TEST(EdgePage, TakesFiveOrSixBytesForAConnection) {
  const std::vector<Edge> edges = turn(70'000, 69'990, 69'900, 64);
  const std::string page = pack_edges(edges, edges.front().id);
  EXPECT_LT(page.size(), 6 * edges.size());
  EXPECT_EQ(unpacked(page, edges.front().id), edges);
}

TEST(EdgePage, UsesItsReadersMemoryAgainAndLeavesNothingInIt) {
  std::vector<Edge> edges = turn(1, 500, 600, 50);
  for (Edge& edge : edges) edge.signature = "signed";
  const std::vector<Edge> one = {{.id = 9, .relation = 1, .from = 2, .to = 3}};
  ASSERT_TRUE(unpack_edges(pack_edges(one, 9), 9, edges));
  EXPECT_EQ(edges, one);
}

TEST(EdgePage, DamagedInAnyByteIsReadInOrderOrNotAtAll) {
  std::vector<Edge> edges = turn(300, 290, 200, 6);
  edges[3].signature = "a signature";
  const std::string page = pack_edges(edges, 300);
  std::size_t refused = 0;
  std::vector<Edge> read;
  const auto try_one = [&](std::string_view damaged) {
    const Status status = unpack_edges(damaged, 300, read);
    if (!status) {
      EXPECT_EQ(status.error().code, ErrorCode::corrupt);
      EXPECT_THAT(read, IsEmpty());
      ++refused;
      return;
    }
    EXPECT_TRUE(std::ranges::is_sorted(read, std::ranges::less_equal{}, &Edge::id));
    EXPECT_NE(read, edges);
  };
  for (std::size_t at = 0; at < page.size(); ++at) {
    try_one(std::string_view(page).substr(0, at));
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = page;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      try_one(damaged);
    }
  }
  EXPECT_GT(refused, 0u);
}

TEST(EdgePage, OfNoiseIsReadInOrderOrNotAtAll) {
  std::mt19937 random(17);
  std::vector<Edge> read;
  for (int i = 0; i < 20'000; ++i) {
    std::string noise(random() % 40, '\0');
    for (char& byte : noise) byte = static_cast<char>(random() % (i % 2 == 0 ? 8 : 256));
    if (!unpack_edges(noise, 1, read)) continue;
    EXPECT_TRUE(std::ranges::is_sorted(read, std::ranges::less_equal{}, &Edge::id));
    std::vector<Edge> again;
    ASSERT_TRUE(unpack_edges(pack_edges(read, 1), 1, again));
    EXPECT_EQ(again, read);
  }
}

}  // namespace
}  // namespace weft::store::sql

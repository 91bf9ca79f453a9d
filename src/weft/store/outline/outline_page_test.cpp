// Pages of outlines: what is packed comes back, and damaged bytes are refused.
#include "weft/store/outline/outline_page.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace weft::store {
namespace {

// Pages of any content, from a seed.
class AnyPage {
 public:
  explicit AnyPage(unsigned seed) : random_(seed) {}

  OutlinePage make() {
    OutlinePage page;
    for (std::size_t i = below(5); i > 0; --i) {
      TurnItem turn{.turn = number(),
                    .sequence = static_cast<std::uint64_t>(number()),
                    .created_at = number(),
                    .names_parent = is()};
      if (is()) turn.position = number();
      if (turn.names_parent && is()) turn.parent = number();
      page.turns.push_back(turn);
    }
    for (std::size_t i = below(40); i > 0; --i) page.blocks.push_back(block(page));
    return page;
  }

 private:
  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }
  bool is() { return below(2) == 0; }
  std::int64_t number() {
    switch (below(8)) {
      case 0: return std::numeric_limits<std::int64_t>::min();
      case 1: return std::numeric_limits<std::int64_t>::max();
      case 2: return static_cast<std::int64_t>(below(1u << 30)) * 4096;
      default: return static_cast<std::int64_t>(below(300));
    }
  }
  StatedFacts facts() {
    StatedFacts facts{.is_error = is(), .is_withheld = is()};
    if (is()) facts.duration_ms = number();
    if (is()) facts.chars = static_cast<std::uint64_t>(number());
    if (is()) facts.tool = std::string(below(3) * 20, 'x');
    return facts;
  }
  PageBlock block(const OutlinePage& page) {
    PageBlock block;
    block.item = {.turn = page.turns.empty() || is() ? number() : page.turns.front().turn,
                  .block = number(),
                  .is_summary = below(4) == 0,
                  .is_superseded = below(4) == 0};
    if (is()) block.item.position = number();
    block.record.type = number();
    block.record.created_at = number();
    for (std::size_t i = below(3); i > 0; --i) {
      const bool is_here = !page.blocks.empty() && is();
      block.record.causes.push_back(is_here ? page.blocks[below(page.blocks.size())].item.block
                                            : number());
    }
    block.item.has_cause = !block.record.causes.empty();
    Statement& says = block.record.statement;
    says.stated[0] = facts();
    for (const Portion portion : {Portion::metadata, Portion::content}) {
      says.layer(portion) = static_cast<LayerState>(below(3));
      if (says.layer(portion) != LayerState::open) continue;
      says.stated[static_cast<std::size_t>(portion)] = facts();
    }
    return block;
  }

  std::mt19937 random_;
};

TEST(OutlinePage, ComesBackAsItWas) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const OutlinePage page = AnyPage(seed).make();
    const PageColumns columns = pack(page);
    const auto back = unpack_page(columns);
    ASSERT_TRUE(back) << seed << ": " << back.error().message;
    EXPECT_EQ(back->turns, page.turns) << seed;
    EXPECT_EQ(back->blocks, page.blocks) << seed;
    OutlineItems items;
    ASSERT_TRUE(unpack_items(columns[0], items)) << seed;
    EXPECT_EQ(items.turns, page.turns) << seed;
    ASSERT_EQ(items.blocks.size(), page.blocks.size()) << seed;
    for (std::size_t i = 0; i < items.blocks.size(); ++i) {
      EXPECT_EQ(items.blocks[i], page.blocks[i].item) << seed;
    }
  }
}

TEST(OutlinePage, KeepsWhatALayerStatesOutOfTheClear) {
  OutlinePage page;
  page.blocks.resize(2);
  for (PageBlock& block : page.blocks) {
    block.record.statement.metadata = LayerState::open;
    block.record.statement.stated[1].tool = "a-tool-that-nobody-may-see";
  }
  PageColumns columns = pack(page);
  EXPECT_EQ(columns[0].find("nobody"), std::string::npos);
  EXPECT_NE(columns[1].find("nobody"), std::string::npos);
  EXPECT_TRUE(columns[2].empty()) << "no block has this layer";
  columns[1].clear();
  const auto closed = unpack_page(columns);
  ASSERT_TRUE(closed) << closed.error().message;
  EXPECT_FALSE(closed->blocks[0].record.statement.stated[1].tool);
  EXPECT_EQ(closed->blocks[0].record.statement.metadata, LayerState::open);
}

TEST(OutlinePage, RefusesEveryBeginningOfItself) {
  const PageColumns columns = pack(AnyPage(4).make());
  for (std::size_t size = 0; size < columns[0].size(); ++size) {
    PageColumns cut = columns;
    cut[0].resize(size);
    const auto page = unpack_page(cut);
    ASSERT_FALSE(page) << size;
    EXPECT_EQ(page.error().code, ErrorCode::corrupt);
  }
}

TEST(OutlinePage, SurvivesEveryFlippedByte) {
  const PageColumns columns = pack(AnyPage(5).make());
  for (std::size_t portion = 0; portion < kPortions; ++portion) {
    for (std::size_t at = 0; at < columns[portion].size(); ++at) {
      PageColumns flipped = columns;
      flipped[portion][at] = static_cast<char>(~flipped[portion][at]);
      const auto page = unpack_page(flipped);
      if (!page) EXPECT_EQ(page.error().code, ErrorCode::corrupt);
    }
  }
}

}  // namespace
}  // namespace weft::store

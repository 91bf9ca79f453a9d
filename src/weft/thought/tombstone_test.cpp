#include "weft/thought/tombstone.hpp"

#include <gtest/gtest.h>

namespace weft::thought {
namespace {

Cid cid(std::uint8_t first) {
  Digest digest{};
  digest[0] = first;
  return Cid(digest);
}

Thought stone(json::object content) {
  Thought thought;
  thought.type = kTombstoneType;
  thought.content = std::move(content);
  return thought;
}

const Tombstone kStone{.conversations = {cid(1), cid(3)}, .forgotten = {cid(2)}, .thoughts = 7};

TEST(Tombstone, ReadsBackWhatItWrites) {
  const Result<Tombstone> read = to_tombstone(stone(to_content(kStone)));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, kStone);
}

TEST(Tombstone, ListsConversationsAndWhatWentWithThem) {
  for (const Cid& listed : {cid(1), cid(2), cid(3)}) EXPECT_TRUE(kStone.lists(listed));
  EXPECT_FALSE(kStone.lists(cid(4)));
}

TEST(Tombstone, HasOneSpelling) {
  const auto refuses = [](const char* key, json::value value) {
    json::object content = to_content(kStone);
    content[key] = std::move(value);
    const Result<Tombstone> read = to_tombstone(stone(std::move(content)));
    return !read && read.error().code == ErrorCode::invalid_input;
  };
  EXPECT_FALSE(refuses("thoughts", 8));
  EXPECT_TRUE(refuses("thoughts", -1));
  EXPECT_TRUE(refuses("thoughts", "7"));
  EXPECT_TRUE(refuses("conversations", json::array{}));
  EXPECT_TRUE(refuses("conversations", json::array{cid(3).str(), cid(1).str()}));
  EXPECT_TRUE(refuses("conversations", json::array{cid(1).str(), cid(1).str()}));
  EXPECT_TRUE(refuses("forgotten", json::array{"2"}));
  EXPECT_TRUE(refuses("forgotten", nullptr));
  EXPECT_TRUE(refuses("more", 1));
  Thought other = stone(to_content(kStone));
  other.because = {{.thought = cid(9)}};
  EXPECT_FALSE(to_tombstone(other));
  other = stone(to_content(kStone));
  other.type = "anthropic/tombstone";
  EXPECT_FALSE(to_tombstone(other));
}

}  // namespace
}  // namespace weft::thought

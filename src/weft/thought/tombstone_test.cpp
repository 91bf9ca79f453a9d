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

const Tombstone kSealed{
    .forgotten = {cid(2), cid(4)}, .thoughts = 2, .sealed_as = {cid(9), cid(5)}};

TEST(Tombstone, OfVersion2SaysWhichThoughtStandsForOneThatWasSealed) {
  const Result<Tombstone> read = to_tombstone(stone(to_content(kSealed)));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, kSealed);
  EXPECT_EQ(read->find_sealed(cid(2)), cid(9));
  EXPECT_EQ(read->find_sealed(cid(4)), cid(5));
  EXPECT_EQ(read->find_sealed(cid(3)), std::nullopt);
  EXPECT_EQ(kStone.find_sealed(cid(2)), std::nullopt) << "that was forgotten";
}

TEST(Tombstone, OfVersion2NamesAsManyThoughtsAsItSealedAndNoConversation) {
  const auto refuses = [](const char* key, json::value value) {
    json::object content = to_content(kSealed);
    content[key] = std::move(value);
    return !to_tombstone(stone(std::move(content)));
  };
  EXPECT_FALSE(refuses("thoughts", 3));
  EXPECT_TRUE(refuses("sealed_as", json::array{cid(9).str()}));
  EXPECT_TRUE(refuses("conversations", json::array{cid(1).str()}));
  EXPECT_TRUE(refuses("version", 3));
  EXPECT_TRUE(refuses("version", 1));
  json::object content = to_content(kSealed);
  content.erase("version");
  EXPECT_FALSE(to_tombstone(stone(content)));
  content = to_content(kStone);
  content["sealed_as"] = json::array{};
  EXPECT_FALSE(to_tombstone(stone(content)));
}

}  // namespace
}  // namespace weft::thought

#include "weft/thought/resumption.hpp"

#include <gtest/gtest.h>

namespace weft::thought {
namespace {

Cid cid_of_byte(std::uint8_t byte) {
  Digest digest{};
  digest.fill(byte);
  return Cid(digest);
}

Thought thought_of(const Resumption& resumption) {
  Thought thought;
  thought.type = kResumptionType;
  thought.content = to_content(resumption);
  return thought;
}

const Resumption kOne{
    .conversation = cid_of_byte(1),
    .format = "codex",
    .session_id = "s",
    .copies = {{.key = {1, 2}, .block = cid_of_byte(2)}, {.key = {3}, .block = cid_of_byte(2)}}};

TEST(Resumption, ReadsBackWhatItWrote) {
  const auto read = to_resumption(thought_of(kOne));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, kOne);
}

TEST(Resumption, RefusesEveryOtherContent) {
  const auto refused = [](auto change) {
    Thought thought = thought_of(kOne);
    change(thought);
    const auto read = to_resumption(thought);
    return !read && read.error().code == ErrorCode::invalid_input;
  };
  EXPECT_TRUE(refused([](Thought& thought) { thought.type = "tombstone"; }));
  EXPECT_TRUE(refused([](Thought& thought) { thought.content["more"] = 1; }));
  EXPECT_TRUE(refused([](Thought& thought) { thought.content["keys"] = "00"; }));
  EXPECT_TRUE(refused([](Thought& thought) { thought.content["blocks"].as_array().pop_back(); }));
  EXPECT_TRUE(refused([](Thought& thought) { thought.content["blocks"].as_array()[0] = 7; }));
  for (const char* key : {"continues", "format", "session_id", "keys", "blocks"}) {
    EXPECT_TRUE(refused([&](Thought& thought) { thought.content.erase(key); })) << key;
  }
}

}  // namespace
}  // namespace weft::thought

// The texts of schemas are hashed into every web: another word there is another CID, and the webs
// of two versions of weft no longer meet. So their bytes are pinned here.
#include "weft/thought/schema.hpp"

#include <gtest/gtest.h>

#include <string>

#include "weft/base/hex.hpp"
#include "weft/base/json.hpp"
#include "weft/crypto/blake3.hpp"

namespace weft::thought {
namespace {

std::string hash_of(const std::string& text) { return to_hex(crypto::blake3(text)).substr(0, 16); }

TEST(Schemas, OfConversationsStayToTheByte) {
  std::string text;
  for (const char* family : {"anthropic", "openai", "google", "openclaw", "opencode", "moonshot"}) {
    text += canonical_json(conversation_schema(family)) + "\n";
  }
  EXPECT_EQ(hash_of(text), "f8d237df916a33ae");
}

TEST(Schemas, OfInputsStayToTheByte) {
  std::string text;
  for (const char* input : {"anthropic_model", "anthropic_thinking", "human_chat", "tool_execution",
                            "openai_model", "openai_thinking"}) {
    text += canonical_json(input_schema(input)) + "\n";
  }
  EXPECT_EQ(hash_of(text), "9b786a3e128e18ac");
}

TEST(Schemas, OfRelationsStayToTheByte) {
  constexpr std::size_t kFirst = 9;  // later ones were added behind them
  ASSERT_GT(relations().size(), kFirst);
  std::string text, later;
  for (std::size_t i = 0; i < relations().size(); ++i) {
    const std::string_view relation = relations()[i];
    (i < kFirst ? text : later) +=
        std::string(relation) + canonical_json(relation_schema(relation)) + "\n";
  }
  EXPECT_EQ(hash_of(text), "460e58af0371ecfc");
  EXPECT_EQ(hash_of(later), "f40458656db0a531");
}

}  // namespace
}  // namespace weft::thought

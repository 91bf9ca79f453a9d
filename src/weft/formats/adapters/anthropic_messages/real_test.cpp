// What the API and the SDK really said, read by hand: what must come out is counted in the files
// themselves.
#include <gtest/gtest.h>

#include <algorithm>

#include "weft/base/utf8.hpp"
#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

using transcript::Text;

class MessagesReal : public RealFiles {
 protected:
  MessagesReal() : RealFiles("anthropic-messages", "anthropic-api") {}
  fs::path bodies_ = "vercel__ai/packages/anthropic/src/__fixtures__";
};

TEST_F(MessagesReal, FifteenStreamsInOneFile) {
  const Collector collector =
      read((bodies_ / "anthropic-programmatic-tool-calling.1.chunks.jsonl").string());
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto& conversation = collector.conversations[0];
  EXPECT_EQ(conversation.heading.session_id, "msg_01ERcBqAvLTHWQDk9c9qJLWC");
  ASSERT_EQ(conversation.turns.size(), 1u);
  EXPECT_EQ(kinds_of(conversation), (Counts{{"text", 2}, {"call", 1 + 1 + 13}, {"result", 1}}));
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{3369 + 4551, 725 + 197, 0, 0}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"ping", 2}}));
  const std::vector<Block> blocks = blocks_of(conversation);
  EXPECT_EQ(count_code_points(std::get<Text>(blocks.front().body).text), 157u);
  EXPECT_EQ(count_code_points(std::get<Text>(blocks.back().body).text), 675u);
  EXPECT_EQ(blocks.back().message_id, "msg_01CfmDducyrt61n4Q7QS8VFK");
  EXPECT_EQ(blocks.back().model, "claude-sonnet-4-5-20250929");
  // The result of the code comes in the last message, its call in the first.
  EXPECT_EQ(std::get<ToolResult>(blocks[blocks.size() - 2].body).call_id,
            std::get<ToolCall>(blocks[1].body).id);
}

TEST_F(MessagesReal, ASearchWithItsCitations) {
  const Collector collector = read((bodies_ / "anthropic-web-search-tool.1.chunks.jsonl").string());
  const auto& conversation = collector.conversations.at(0);
  EXPECT_EQ(kinds_of(conversation), (Counts{{"call", 1}, {"result", 1}, {"text", 19}}));
  std::map<std::uint32_t, std::size_t> citations;
  for (const Block& block : blocks_of(conversation)) {
    const auto* text = std::get_if<Text>(&block.body);
    if (text != nullptr && !text->citations.empty()) {
      citations[block.index] = text->citations.size();
    }
  }
  EXPECT_EQ(citations,
            (std::map<std::uint32_t, std::size_t>{
                {3, 3}, {5, 2}, {7, 1}, {9, 1}, {11, 2}, {13, 1}, {15, 1}, {17, 1}, {19, 2}}));
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{15665, 795, 0, 0}));
  EXPECT_TRUE(collector.skipped.empty());
}

TEST_F(MessagesReal, ACompactionAndWhatItCost) {
  const Collector collector = read((bodies_ / "anthropic-compaction.1.chunks.jsonl").string());
  const auto& conversation = collector.conversations.at(0);
  EXPECT_EQ(kinds_of(conversation), (Counts{{"compaction", 1}, {"text", 1}}));
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{60385 + 612, 522 + 2819, 0, 0}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"ping", 2}}));
}

TEST_F(MessagesReal, ASignedThought) {
  const Collector collector =
      read((bodies_ / "anthropic-combined-context-editing.1.chunks.jsonl").string());
  const auto blocks = blocks_of(collector.conversations.at(0));
  ASSERT_EQ(blocks.size(), 2u);
  const auto& thinking = std::get<transcript::Thinking>(blocks[0].body);
  EXPECT_TRUE(thinking.signature.value_or("").starts_with("EtQFCkYICxgC"));
  EXPECT_FALSE(thinking.cut_off);
  EXPECT_TRUE(thinking.text.starts_with("I"));
  EXPECT_EQ(collector.conversations[0].facts.usage, (transcript::Usage{50, 485, 0, 0}));
}

TEST_F(MessagesReal, ARefusalInTheMiddleOfAStream) {
  const Collector collector = read(
      "anthropics__anthropic-sdk-typescript/tests/fixtures/fable-fallback/"
      "stream-a-toolrefusal.sse");
  const auto& conversation = collector.conversations.at(0);
  EXPECT_EQ(conversation.heading.session_id, "msg_fixture_atool_0001");
  const auto blocks = blocks_of(conversation);
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(std::get<ToolCall>(blocks[0].body).input,
            (json::value{{"query", "solar eclipse viewing safety news 2026"}}));
  EXPECT_EQ(blocks[1].author, Author::tool);
  EXPECT_EQ(std::get<Text>(blocks[2].body).text,
            "Here's a summary of this year's solar eclipses and how");
  EXPECT_EQ(std::get<transcript::Failure>(blocks[3].body).text, "refusal");
  EXPECT_TRUE(collector.skipped.empty());
}

TEST_F(MessagesReal, ARefusalWithNothingSaid) {
  const Collector collector = read((bodies_ / "anthropic-refusal.json").string());
  const auto blocks = blocks_of(collector.conversations.at(0));
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_TRUE(std::get<transcript::Failure>(blocks[0].body)
                  .text.starts_with("This request triggered restrictions"));
  EXPECT_TRUE(collector.skipped.empty());
}

TEST_F(MessagesReal, SkipsNothingButPings) {
  int files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root_)) {
    const std::string path = entry.path().string();
    if (!entry.is_regular_file() || path.ends_with(".md") ||
        (path.find("/skills/") != std::string::npos))
      continue;
    const std::string bytes = read_file(entry.path()).value();
    int pings = 0;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
      const std::string_view line = std::string_view(bytes).substr(at, end - at);
      if (line.find("\"ping\"") != std::string_view::npos && line.size() < 40) ++pings;
      at = end;
    }
    const Collector collector = read_with("anthropic-messages", bytes);
    EXPECT_EQ(reasons_of(collector.skipped), (pings == 0 ? Counts{} : Counts{{"ping", pings}}))
        << path;
    EXPECT_EQ(collector.conversations.size(), 1u) << path;
    ++files;
  }
  EXPECT_EQ(files, 43);
}

// What is filed under the two formats is claimed, all else is not.
TEST_F(MessagesReal, ClaimsItsOwnAndNothingElse) {
  const auto is_of = [](const std::string& path, std::string_view folder) {
    return path.find("/fixtures/" + std::string(folder) + "/") != std::string::npos;
  };
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(real_fixtures())) {
    if (!entry.is_regular_file()) continue;
    const std::string path = entry.path().string(), bytes = read_file(entry.path()).value();
    const bool is_text = path.ends_with(".md");
    const bool is_log =
        is_of(path, "anthropic-api") && !is_text && !(path.find("/skills/") != std::string::npos);
    const bool is_stream = is_of(path, "claude-agent-sdk") && !is_text &&
                           !(path.find("failed_deserializations") != std::string::npos);
    const std::string_view head = head_of(bytes);
    const auto sure = [&](std::string_view name) { return find_adapter(name)->recognises(head); };
    EXPECT_EQ(sure("anthropic-messages"), is_log ? Confidence::yes : Confidence::no) << path;
    EXPECT_EQ(sure("claude-agent-sdk"), is_stream ? Confidence::yes : Confidence::no) << path;
  }
}

}  // namespace
}  // namespace weft::formats

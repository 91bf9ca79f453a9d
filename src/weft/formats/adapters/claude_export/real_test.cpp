// Chats as others have them, beside the tree. What is expected was read off the files by hand;
// of their words only the lengths, in bytes, are written here.
#include <filesystem>
#include <set>

#include "weft/base/file.hpp"
#include "weft/formats/adapters/claude_export/claude_export_for_test.hpp"
#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats::claude_export {
namespace {

using transcript::Attachment;
using transcript::Text;
using transcript::Thinking;
using transcript::Turn;
using transcript::Unknown;

class ClaudeExportReal : public RealFiles {
 protected:
  ClaudeExportReal() : RealFiles("claude-export", "claude-ai-export/osteele__claude-chat-viewer") {}

  // A file of one chat, with nothing skipped.
  Conversation read_sample(std::string_view name) const {
    const Collector collector = read(name);
    EXPECT_EQ(collector.skipped, std::vector<Skipped>());
    EXPECT_EQ(collector.repairs, 0u);
    EXPECT_EQ(collector.conversations.size(), 1u);
    return collector.conversations.empty() ? Conversation() : collector.conversations[0];
  }
};

// "human a: t12 | assistant b: t5 k7 c u": texts and thinking with their lengths, calls,
// attachments (f) and unknown blocks.
std::string shape(const Conversation& conversation) {
  std::string out;
  for (const Turn& turn : conversation.turns) {
    if (!out.empty()) out += " | ";
    out += std::string(to_string(turn.head.role)) + " " + turn.head.source_id + ":";
    EXPECT_EQ(turn.head.parent, std::nullopt);
    EXPECT_FALSE(turn.head.counted);
    for (const Block& block : turn.blocks) {
      const auto* text = std::get_if<Text>(&block.body);
      const auto* thinking = std::get_if<Thinking>(&block.body);
      if (text != nullptr) out += " t" + std::to_string(text->text.size());
      if (thinking != nullptr) out += " k" + std::to_string(thinking->text.size());
      if (std::holds_alternative<ToolCall>(block.body)) out += " c";
      if (std::holds_alternative<Attachment>(block.body)) out += " f";
      if (std::holds_alternative<Unknown>(block.body)) out += " u";
    }
  }
  return out;
}

std::vector<Block> all_blocks(const Conversation& conversation) {
  std::vector<Block> all;
  for (const Turn& turn : conversation.turns) {
    all.insert(all.end(), turn.blocks.begin(), turn.blocks.end());
  }
  return all;
}

// A true chat of 2024: a tree that is a line, an image, thinking aloud before each artifact.
TEST_F(ClaudeExportReal, Bakery) {
  const Conversation chat = read_sample("testdata/claude-bakery-chat.json");
  EXPECT_EQ(chat.heading.session_id, "8006a434-8b0b-43df-8e6d-c0a7aeb2e6b3");
  EXPECT_EQ(chat.facts.title.value_or("").size(), 43u);
  EXPECT_EQ(chat.facts.summary, std::nullopt);
  EXPECT_EQ(chat.facts.account, std::nullopt);
  EXPECT_EQ(chat.facts.usage, std::nullopt);
  EXPECT_EQ(chat.facts.updated_at, parse_iso8601("2024-10-29T16:02:16.623Z"));
  EXPECT_EQ(shape(chat),
            "human 667337e6-aede-4ba4-8ff8-1c04b37cfd98: t119 f | "
            "assistant 50eba0d1-d2a6-4db1-854e-f86810ff923d: t171 k250 t3460 | "
            "human d13456d0-c7e8-4150-ac48-ed89327ec025: t39 | "
            "assistant 47e6dd5f-0e09-4063-8ab3-f155765ac9a1: t117 k227 t8741");
  EXPECT_EQ(
      std::get<Attachment>(chat.turns[0].blocks[1].body),
      (Attachment{
          .kind = "image", .name = "image", .reference = "0e0981c2-1224-4b1c-aeab-42529485a35e"}));
  for (const std::size_t answer : {1u, 3u}) {
    const auto& blocks = chat.turns[answer].blocks;
    const std::string& rest = std::get<Text>(blocks[2].body).text;
    EXPECT_TRUE(rest.starts_with("\n\n<antArtifact identifier="));
    EXPECT_TRUE(rest.contains("</antArtifact>"));
    for (std::uint32_t i = 0; i < 3; ++i) {
      EXPECT_EQ(blocks[i].index, i);
      EXPECT_EQ(blocks[i].author, Author::model);
      EXPECT_EQ(blocks[i].model, "claude-3-5-sonnet-20240620");
    }
  }
  const auto asked = parse_iso8601("2024-10-29T15:59:38.340Z");
  const auto extended = parse_iso8601("2024-10-29T16:02:16.623Z");
  for (std::size_t turn = 0; turn < 4; ++turn) {
    for (const Block& block : chat.turns[turn].blocks) {
      EXPECT_EQ(block.recorded, turn < 2 ? asked : extended);
      EXPECT_EQ(block.start, std::nullopt);
      EXPECT_EQ(block.author, turn % 2 == 0 ? Author::human : Author::model);
    }
  }
}

// Made to be wrong in eight ways: no content, no text, text of no string, and so on.
TEST_F(ClaudeExportReal, WithErrors) {
  const Conversation chat = read_sample("testdata/conversation-with-errors.json");
  EXPECT_EQ(chat.heading.session_id, "test-conv-with-errors");
  EXPECT_EQ(chat.facts.summary.value_or("").size(), 45u);
  EXPECT_EQ(chat.facts.updated_at, parse_iso8601("2024-01-15T11:00:00Z"));
  EXPECT_EQ(shape(chat),
            "human msg-1: t54 | assistant msg-2: t112 | human msg-3: t67 | "
            "assistant msg-4: t42 k62 t232 | human msg-6: t41 | assistant msg-7: u u c t19");
  const std::vector<Block> blocks = all_blocks(chat);
  std::vector<std::string> sources;
  for (const Block& block : blocks) sources.push_back(block.source_id);
  EXPECT_EQ(sources, (std::vector<std::string>{"msg-1", "msg-2", "msg-3", "msg-4", "msg-5", "msg-5",
                                               "msg-6", "msg-7", "msg-8", "msg-9", "msg-10"}));
  EXPECT_EQ(std::get<Unknown>(blocks[7].body).block_type, "unknown_type");
  EXPECT_EQ(std::get<Unknown>(blocks[8].body).raw,
            (json::value{{"type", "text"}, {"text", 12345}}));
  const auto& call = std::get<ToolCall>(blocks[9].body);
  EXPECT_EQ(call.id, "");
  EXPECT_EQ(call.name, "create_artifact");
  EXPECT_EQ(call.input.at("command"), "create");
  EXPECT_EQ(blocks[10].recorded, parse_iso8601("2024-01-15T10:09:00Z"));
  EXPECT_EQ(blocks[10].model, std::nullopt);
}

TEST_F(ClaudeExportReal, Cooking) {
  const Conversation chat = read_sample("src/data/sampleConversations/cooking.json");
  EXPECT_EQ(chat.heading.session_id, "sample-cooking");
  EXPECT_EQ(chat.facts.title.value_or("").size(), 25u);
  EXPECT_EQ(chat.facts.summary.value_or("").size(), 64u);
  EXPECT_EQ(chat.facts.updated_at, parse_iso8601("2024-03-18T19:35:00Z"));
  EXPECT_EQ(shape(chat),
            "human msg-1: t99 | assistant msg-2: t197 c | human msg-3: t115 | "
            "assistant msg-4: t4407 | human msg-5: t63 | assistant msg-6: t160 c");
  const auto& first = std::get<ToolCall>(chat.turns[1].blocks[1].body);
  const auto& second = std::get<ToolCall>(chat.turns[5].blocks[1].body);
  EXPECT_EQ(first.name, "artifacts");
  EXPECT_EQ(first.input.at("id"), "vegetarian-pad-thai-recipe");
  EXPECT_EQ(first.input.as_object().size(), 7u);
  EXPECT_EQ(second.input.at("id"), "versatile-sauce-recipes");
  EXPECT_EQ(chat.turns[5].blocks[1].recorded, parse_iso8601("2024-03-18T19:35:00Z"));
}

// Its index has a gap, and its last block says twice of which type it is: no value can hold
// that, so its text is kept.
TEST_F(ClaudeExportReal, BusinessStrategy) {
  const Conversation chat = read_sample("src/data/sampleConversations/business-strategy.json");
  EXPECT_EQ(shape(chat),
            "human msg-1: t98 | assistant msg-2: t247 c | human msg-3: t118 | "
            "assistant msg-4: t5537 | human msg-5: t64 | assistant msg-6: t173 u");
  const auto& last = std::get<Unknown>(chat.turns[5].blocks[1].body);
  EXPECT_TRUE(last.raw.is_null());
  ASSERT_TRUE(last.raw_text);
  EXPECT_TRUE(last.raw_text->starts_with("{\n"));
  EXPECT_TRUE(last.raw_text->ends_with("}"));
  EXPECT_TRUE(last.raw_text->contains(R"("type": "anythingllm:artifact",)"));
  EXPECT_TRUE(last.raw_text->contains(R"("type": "text/markdown",)"));
  EXPECT_EQ(chat.turns[5].blocks[1].index, 1u);
}

TEST_F(ClaudeExportReal, RefusesAFileThatIsNoChat) {
  const Collector collector = read("testdata/simple-invalid.json");
  EXPECT_TRUE(collector.conversations.empty());
  EXPECT_EQ(collector.skipped,
            (std::vector<Skipped>{{1, "malformed: neither a chat nor a project"}}));
}

// Whatever a message is, it is told or it is listed.
TEST_F(ClaudeExportReal, MapsOrSkipsEveryMessage) {
  std::size_t messages = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root_)) {
    if (entry.path().extension() != ".json") continue;
    const std::string bytes = read_file(entry.path()).value();
    const Result<ParsedJson> parsed = parse_json(bytes);
    ASSERT_TRUE(parsed) << entry.path();
    const json::array* list = find_array(parsed->value.get_object(), "chat_messages");
    const Collector collector = claude_export::read(bytes);
    std::set<std::string> mapped;
    for (const Conversation& conversation : collector.conversations) {
      for (const Block& block : all_blocks(conversation)) mapped.insert(block.source_id);
    }
    const std::size_t expected = list == nullptr ? 1 : list->size();
    EXPECT_EQ(mapped.size() + collector.skipped.size(), expected) << entry.path();
    messages += mapped.size();
  }
  EXPECT_EQ(messages, 48u);
}

}  // namespace
}  // namespace weft::formats::claude_export

// What real answers of several vendors say, counted by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "weft/base/utf8.hpp"
#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

using transcript::Text;

class OpenAiReal : public RealFiles {
 protected:
  OpenAiReal() : RealFiles("openai", "openai-api/vercel__ai/packages") {}
  std::string responses_ = "openai/src/responses/__fixtures__/";
};

const Text& text_of(const Block& block) { return std::get<Text>(block.body); }

TEST_F(OpenAiReal, AChatStreamOfDeepSeek) {
  const Collector collector = read("deepseek/src/chat/__fixtures__/deepseek-text.chunks.jsonl");
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto& conversation = collector.conversations[0];
  EXPECT_EQ(conversation.heading.session_id, "f6117a0b-129d-46fa-b239-78f01c2c5df9");
  EXPECT_EQ(conversation.heading.provider, "");
  EXPECT_EQ(kinds_of(conversation), (Counts{{"text", 1}}));
  const auto blocks = blocks_of(conversation);
  EXPECT_EQ(count_code_points(text_of(blocks[0]).text), 1855u);
  EXPECT_TRUE(text_of(blocks[0]).text.ends_with("of silent looking at"));
  EXPECT_EQ(blocks[0].model, "deepseek-chat");
  EXPECT_EQ(blocks[0].recorded, 1764657993000);
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{13, 400, 0, 0}));
  EXPECT_TRUE(collector.skipped.empty());
}

TEST_F(OpenAiReal, AThoughtOfDeepSeek) {
  const Collector collector = read("deepseek/src/chat/__fixtures__/deepseek-json.json");
  const auto& conversation = collector.conversations.at(0);
  EXPECT_EQ(kinds_of(conversation), (Counts{{"thinking", 1}, {"text", 1}}));
  EXPECT_EQ(text_of(blocks_of(conversation)[1]).text.size(), 78u);
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{495, 144, 320, 0}));
}

TEST_F(OpenAiReal, AChatStreamOfGroqThatSaysItsUsageTwice) {
  const Collector collector = read("groq/src/__fixtures__/groq-text.chunks.jsonl");
  const auto& conversation = collector.conversations.at(0);
  EXPECT_EQ(count_code_points(text_of(blocks_of(conversation).at(0)).text), 3189u);
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{45, 662, 0, 0}));
  EXPECT_TRUE(collector.skipped.empty());
}

TEST_F(OpenAiReal, AChatStreamWithAFilterBeforeItAndItsUsageBehindIt) {
  const Collector collector =
      read("openai/src/chat/__fixtures__/azure-model-router.1.chunks.jsonl");
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto& conversation = collector.conversations[0];
  EXPECT_EQ(outline(conversation),
            "assistant chatcmpl-CYPS1lijGoK8gd9lYzY3r9Sx50nbt: Capital of Denmark.");
  EXPECT_EQ(conversation.heading.provider, "openai");
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{15, 78, 0, 0}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"prompt filter", 1}}));
  EXPECT_EQ(collector.skipped[0].line, 1u);
}

TEST_F(OpenAiReal, FourResponsesInOneFile) {
  const Collector collector =
      read("azure/src/__fixtures__/azure-reasoning-encrypted-content.1.chunks.jsonl");
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto& conversation = collector.conversations[0];
  EXPECT_EQ(conversation.heading.session_id,
            "resp_0ca3f598125653cf01693c1f21bf8c819596a078608d16a52d");
  ASSERT_EQ(conversation.turns.size(), 1u);
  EXPECT_EQ(kinds_of(conversation), (Counts{{"thinking", 1}, {"call", 3}, {"text", 1}}));
  const auto blocks = blocks_of(conversation);
  const auto& thinking = std::get<transcript::Thinking>(blocks[0].body);
  EXPECT_EQ(thinking.summaries.size(), 1u);
  EXPECT_TRUE(thinking.signature.has_value());
  EXPECT_EQ(std::get<ToolCall>(blocks[1].body).id, "call_UdvUeOElp5zdU0DKr6IoyhjE");
  EXPECT_EQ(std::get<ToolCall>(blocks[3].body).id, "call_axaLIcwBQwyb49kT8613pJxW");
  EXPECT_TRUE(std::get<ToolCall>(blocks[3].body).input.is_object());
  EXPECT_EQ(text_of(blocks[4]).text.size(), 28u);
  EXPECT_EQ(blocks[0].message_id, blocks[1].message_id);
  EXPECT_NE(blocks[1].message_id, blocks[2].message_id);
  EXPECT_EQ(blocks[4].recorded, 1765547818000);
  EXPECT_EQ(conversation.facts.usage,
            (transcript::Usage{137 + 237 + 276 + 315, 28 + 26 + 26 + 12, 0, 0}));
  EXPECT_EQ(conversation.facts.tools, (std::vector<std::string>{"calculator"}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"progress", 4}}));
}

TEST_F(OpenAiReal, SearchesWithTheirCitations) {
  const Collector collector = read(responses_ + "openai-web-search-tool.1.chunks.jsonl");
  const auto& conversation = collector.conversations.at(0);
  EXPECT_EQ(kinds_of(conversation), (Counts{{"call", 6}, {"result", 6}, {"text", 1}}));
  const auto blocks = blocks_of(conversation);
  EXPECT_EQ(text_of(blocks.back()).citations.size(), 12u);
  EXPECT_EQ(count_code_points(text_of(blocks.back()).text), 3645u);
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{31073, 4416, 3712, 0}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"progress", 1 + 6 + 6 + 6}}));
}

TEST_F(OpenAiReal, CodeAndWhatItPrinted) {
  const Collector collector = read(responses_ + "openai-code-interpreter-tool.1.json");
  const auto& conversation = collector.conversations.at(0);
  EXPECT_EQ(kinds_of(conversation), (Counts{{"call", 3}, {"result", 3}, {"text", 1}}));
  const auto blocks = blocks_of(conversation);
  EXPECT_EQ(std::get<ToolResult>(blocks[1].body).text, "(10000, 70024)");
  EXPECT_EQ(std::get<ToolResult>(blocks[3].body).text, "");
  EXPECT_EQ(std::get<ToolResult>(blocks[5].body).text,
            "(21680, '/mnt/data/two_dice_sums_10000.txt')");
  ASSERT_EQ(text_of(blocks[6]).citations.size(), 1u);
  EXPECT_EQ(text_of(blocks[6]).citations[0].title, "two_dice_sums_10000.txt");
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{2283, 1928, 0, 0}));
}

TEST_F(OpenAiReal, ShellsThatRanElsewhere) {
  const Collector collector = read(responses_ + "openai-shell-skills.1.chunks.jsonl");
  const auto& conversation = collector.conversations.at(0);
  EXPECT_EQ(kinds_of(conversation), (Counts{{"call", 2}, {"result", 2}, {"text", 1}}));
  const auto blocks = blocks_of(conversation);
  EXPECT_EQ(std::get<ToolCall>(blocks[0].body).id, std::get<ToolResult>(blocks[1].body).call_id);
  EXPECT_FALSE(std::get<ToolResult>(blocks[1].body).is_error);
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{1501, 314, 1024, 0}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"progress", 1 + 2 + 2}}));
}

TEST_F(OpenAiReal, AToolOfAServerThatWasApproved) {
  const Collector collector = read(responses_ + "openai-mcp-tool-approval.4.json");
  const auto& conversation = collector.conversations.at(0);
  EXPECT_EQ(kinds_of(conversation), (Counts{{"call", 1}, {"result", 1}, {"text", 1}}));
  const auto blocks = blocks_of(conversation);
  EXPECT_EQ(std::get<ToolCall>(blocks[0].body).name, "mcp__zip1__create_short_url");
  EXPECT_EQ(std::get<ToolCall>(blocks[0].body).input.at("max_clicks"), 100);
  EXPECT_NE(std::get<ToolResult>(blocks[1].body).text.find("https://zip1.io/oMAchr"),
            std::string::npos);
  const auto& tools = conversation.facts.tools;
  EXPECT_NE(std::ranges::find(tools, "mcp__zip1__get_url_stats"), tools.end());
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{765, 74, 0, 0}));
}

TEST_F(OpenAiReal, AnImage) {
  const Collector collector = read(responses_ + "openai-image-generation-tool.1.json");
  const auto& conversation = collector.conversations.at(0);
  EXPECT_EQ(kinds_of(conversation), (Counts{{"call", 1}, {"result", 1}, {"attachment", 1}}));
  const auto blocks = blocks_of(conversation);
  const auto& image = std::get<transcript::Attachment>(blocks[2].body);
  EXPECT_EQ(image.mime, "image/webp");
  EXPECT_TRUE(image.data.value_or("").starts_with("UklGRoitEQBXRUJQ"));
}

TEST_F(OpenAiReal, AGatewayThatGivesEveryEventAnotherId) {
  const Collector collector = read(responses_ + "github-copilot-id-rotation.1.chunks.jsonl");
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto& conversation = collector.conversations[0];
  EXPECT_EQ(conversation.heading.session_id, "capture-id-69");
  EXPECT_EQ(kinds_of(conversation), (Counts{{"thinking", 1}, {"text", 1}}));
  const auto blocks = blocks_of(conversation);
  EXPECT_EQ(std::get<transcript::Thinking>(blocks[0].body).summaries,
            (std::vector<std::string>{"**Counting character occurrences**"}));
  EXPECT_EQ(count_code_points(text_of(blocks[1]).text), 138u);
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{19, 105, 0, 0}));
}

TEST_F(OpenAiReal, ThoughtsOfALocalModel) {
  const Collector collector =
      read("open-responses/src/responses/__fixtures__/lmstudio-tool-call.1.chunks.jsonl");
  const auto& conversation = collector.conversations.at(0);
  EXPECT_EQ(kinds_of(conversation), (Counts{{"thinking", 1}, {"text", 1}, {"call", 1}}));
  const auto blocks = blocks_of(conversation);
  EXPECT_FALSE(std::get<transcript::Thinking>(blocks[0].body).text.empty());
  EXPECT_EQ(std::get<ToolCall>(blocks[2].body).id, "call_2025306790300011");
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{182, 61, 2, 0}));
}

TEST_F(OpenAiReal, AnErrorThatAStreamSaysTwice) {
  const Collector collector = read(responses_ + "openai-error.1.chunks.jsonl");
  const auto& conversation = collector.conversations.at(0);
  EXPECT_EQ(kinds_of(conversation), (Counts{{"failure", 1}}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"progress", 1}}));
}

bool is_other_endpoint(const std::string& path) {
  for (const char* folder : {"/embedding/", "/image/", "/transcription/", "/skills/",
                             "/completion/", "/speech-translation/"}) {
    if (path.find(folder) != std::string::npos) return true;
  }
  return path.ends_with(".md");
}

// Every line is part of an answer, or says only how far it has come.
TEST_F(OpenAiReal, SkipsNothingButProgress) {
  int files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root_)) {
    const std::string path = entry.path().string();
    if (!entry.is_regular_file() || is_other_endpoint(path)) continue;
    const std::string bytes = read_file(entry.path()).value();
    std::map<std::string, int> expected;
    for (std::size_t at = 0; path.ends_with(".jsonl") && at < bytes.size(); ++at) {
      const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
      const auto line = parse_json(std::string_view(bytes).substr(at, end - at));
      at = end;
      if (!line) continue;
      const std::string type(find_string(line->value.get_object(), "type").value_or(""));
      const bool is_tools = type.ends_with("_call.completed") || type.ends_with("_tools.completed");
      const bool is_step = type.ends_with(".in_progress") || type.ends_with(".searching") ||
                           type.ends_with(".interpreting") || type.ends_with(".generating") ||
                           type.ends_with(".partial_image") ||
                           type.starts_with("response.shell_call_output_content");
      if (is_tools || is_step) ++expected["progress"];
      if (line->value.get_object().contains("prompt_filter_results")) ++expected["prompt filter"];
    }
    const Collector collector = read_with("openai", bytes);
    EXPECT_EQ(reasons_of(collector.skipped), expected) << path;
    ASSERT_EQ(collector.conversations.size(), 1u) << path;
    EXPECT_EQ(kinds_of(collector.conversations[0]).count("unknown"), 0u) << path;
    ++files;
  }
  EXPECT_EQ(files, 62);
}

// What is filed under the format is claimed, but for other endpoints; all else is not.
TEST_F(OpenAiReal, ClaimsItsOwnAndNothingElse) {
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(real_fixtures())) {
    if (!entry.is_regular_file()) continue;
    const std::string path = entry.path().string(), bytes = read_file(entry.path()).value();
    const bool is_own =
        path.find("/fixtures/openai-api/") != std::string::npos && !is_other_endpoint(path);
    EXPECT_EQ(find_adapter("openai")->recognises(head_of(bytes)),
              is_own ? Confidence::yes : Confidence::no)
        << path;
  }
}

}  // namespace
}  // namespace weft::formats

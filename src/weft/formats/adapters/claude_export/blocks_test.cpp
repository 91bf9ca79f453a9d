#include "weft/formats/adapters/claude_export/claude_export_for_test.hpp"

namespace weft::formats::claude_export {
namespace {

using transcript::Attachment;
using transcript::Author;
using transcript::Text;
using transcript::Thinking;
using transcript::ToolCall;
using transcript::ToolResult;
using transcript::Unknown;

TEST(ClaudeExportBlocks, TakesContentOverText) {
  EXPECT_EQ(outline(read_one(says("human", "a", words("said")))), "human a: said");
  EXPECT_EQ(outline(read_one(says("human", "a", "\"said\""))), "human a: said");
  EXPECT_EQ(outline(read_one(says("human", "a", R"({"type":"text","text":"said"})"))),
            "human a: said");
  for (const std::string_view nothing :
       {"null", "[]", "\"\"", "[null]", R"([{"type":"text","text":null}])",
        R"([{"type":"text","text":""},{"type":"text"}])"}) {
    EXPECT_EQ(outline(read_one(says("human", "a", nothing))), "human a: flat") << nothing;
  }
  EXPECT_EQ(outline(read_one(R"({"uuid":"a","sender":"human","text":"flat"})")), "human a: flat");
  EXPECT_EQ(blocks_of("human", "[null]")[0].index, 0u);  // as if it had no content
}

TEST(ClaudeExportBlocks, SkipsWhatSaysNothingWithItsReason) {
  const std::string placeholder =
      R"(\n```\nThis block is not supported on your current device yet.\n```\n)";
  const std::pair<std::string, std::string> cases[] = {
      {R"({"uuid":"x","sender":"human","text":"","content":[],"files":[]})", "empty"},
      {R"({"uuid":"x","sender":"assistant","content":[{"type":"text","text":""}]})", "empty"},
      {"null", "empty"},
      {says("assistant", "x", "[]") + "," + says("assistant", "x", "[]"), "duplicate"},
      {R"({"uuid":"x","sender":"assistant","content":)" + words(placeholder + placeholder) + "}",
       "placeholder"},
      {R"({"uuid":"x","sender":"assistant","text":")" + placeholder + R"(","content":[]})",
       "placeholder"},
      {R"({"uuid":"x","sender":"assistant","text":"","content":[{"type":"token_budget"}]})",
       "token budget"},
      {R"({"uuid":"x","text":"who?"})", "malformed: a message without a sender"},
      {"3", "malformed: not a message"},
  };
  for (const auto& [message, reason] : cases) {
    const Collector collector = read(chat(says("human", "a", words("1")) + ",\n" + message));
    EXPECT_EQ(collector.skipped, (std::vector<Skipped>{{2, reason}})) << message;
  }
}

TEST(ClaudeExportBlocks, KeepsTheTextOfBlocksThatNoValueHolds) {
  const std::string raw = R"({"type":"tool_use","name":"t","input":{"a":1,"a":1e999}})";
  const std::vector<Block> blocks =
      blocks_of("assistant", "[" + raw + R"(,{"type":"text","text":"x"}])");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(std::get<Unknown>(blocks[0].body),
            (Unknown{.block_type = "tool_use", .raw_text = raw}));
  EXPECT_EQ(std::get<Text>(blocks[1].body).text, "x");
}

TEST(ClaudeExportBlocks, TimesBlocksByThemselvesAndByTheirMessage) {
  const Block block = blocks_of("assistant",
                                R"([{"type":"text","text":"x",)"
                                R"("start_timestamp":"2026-01-01T00:00:01Z",)"
                                R"("stop_timestamp":"2026-01-01T00:00:03Z"}])",
                                R"(,"created_at":"2026-01-01T00:00:04Z")")
                          .at(0);
  EXPECT_EQ(block.start, parse_iso8601("2026-01-01T00:00:01Z"));
  EXPECT_EQ(block.stop, parse_iso8601("2026-01-01T00:00:03Z"));
  EXPECT_EQ(block.recorded, parse_iso8601("2026-01-01T00:00:04Z"));
}

TEST(ClaudeExportBlocks, KeepsCallsAndResultsWithoutIdsInTheirMessage) {
  const std::vector<Block> blocks = blocks_of(
      "assistant",
      R"([{"type":"tool_use","id":null,"name":"repl","input":{"code":"1"},"message":"Running"},)"
      R"({"type":"tool_result","tool_use_id":null,"name":"repl","is_error":true,)"
      R"("content":[{"type":"text","text":"no","uuid":"r"}]}])");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(std::get<ToolCall>(blocks[0].body),
            (ToolCall{.name = "repl", .input = {{"code", "1"}}, .display_text = "Running"}));
  EXPECT_EQ(blocks[1].author, Author::tool);
  EXPECT_EQ(std::get<ToolResult>(blocks[1].body),
            (ToolResult{.name = "repl", .text = "no", .is_error = true, .uuid = "r"}));
}

TEST(ClaudeExportBlocks, FindsTheWordsOfSearchHits) {
  const std::vector<Block> blocks = blocks_of(
      "assistant", R"([{"type":"tool_result","name":"web_search","content":[)"
                   R"({"type":"knowledge","title":"T","url":"https://e.org","text":"hit"},)"
                   R"({"type":"text","text":"and more"},{"type":"image","file_uuid":"f"}]},)"
                   R"({"type":"text","text":"so","citations":[{"start_index":0,"end_index":2,)"
                   R"("details":{"url":"https://e.org"}},{"url":"https://other.org"}]}])");
  const auto& result = std::get<ToolResult>(blocks.at(0).body);
  EXPECT_EQ(result.text, "T\nhttps://e.org\nhit\nand more");
  EXPECT_EQ(result.parts->size(), 3u);
  const std::vector<transcript::Citation> cited = {
      {.url = "https://e.org", .title = "T", .indices = {{0, 2}}}, {.url = "https://other.org"}};
  EXPECT_EQ(std::get<Text>(blocks.at(1).body).citations, cited);
}

TEST(ClaudeExportBlocks, KeepsWhatWasShownOfAResultThatSaysNothingElse) {
  const std::vector<Block> blocks =
      blocks_of("assistant", R"([{"type":"tool_result","name":"t","content":[],)"
                             R"("display_content":{"type":"json_block","json_block":"{}"}}])");
  EXPECT_EQ(std::get<ToolResult>(blocks.at(0).body).details,
            (json::value{{"type", "json_block"}, {"json_block", "{}"}}));
}

TEST(ClaudeExportBlocks, KeepsThinkingWithItsSummaries) {
  const std::vector<Block> blocks =
      blocks_of("assistant", R"([{"type":"thinking","thinking":"hm","summaries":[{"summary":"s"}],)"
                             R"("cut_off":false,"truncated":true,"signature":null}])");
  EXPECT_EQ(std::get<Thinking>(blocks.at(0).body),
            (Thinking{.text = "hm", .summaries = {"s"}, .cut_off = true}));
}

TEST(ClaudeExportBlocks, KnowsTheBlocksOfTheWebAppAlone) {
  const std::vector<Block> blocks = blocks_of(
      "human", R"([{"type":"injected_prompt_block","prompt":"It is Monday."},)"
               R"({"type":"voice_note","title":"Walk","text":"Three miles"},)"
               R"({"type":"flag","flag":"x"},{"type":"token_budget","left":3},{"type":"new"}])");
  ASSERT_EQ(blocks.size(), 5u);
  EXPECT_EQ(blocks[0].author, Author::program);
  EXPECT_EQ(std::get<Text>(blocks[0].body).text, "It is Monday.");
  EXPECT_EQ(blocks[1].author, Author::human);
  EXPECT_EQ(std::get<Text>(blocks[1].body).text, "Walk\nThree miles");
  EXPECT_EQ(blocks[2].author, Author::program);
  EXPECT_EQ(std::get<Unknown>(blocks[2].body).block_type, "flag");
  EXPECT_EQ(std::get<Unknown>(blocks[3].body).block_type, "token_budget");
  EXPECT_EQ(std::get<Unknown>(blocks[4].body).raw, (json::value{{"type", "new"}}));
}

TEST(ClaudeExportBlocks, TellsAFileOnceWithAllThatIsSaidOfIt) {
  const Collector collector = read(chat(says(
      "human", "m", "[]",
      R"(,"attachments":[{"file_name":"a.txt","file_size":3,"file_type":"txt",)"
      R"("extracted_content":"abc"},{"file_name":"","file_type":"text/plain",)"
      R"("extracted_content":"pasted"},{}],)"
      R"("files":[{"file_name":"a.txt","file_uuid":"f1"},{"file_name":"b"},{"file_name":"b"},"c"],)"
      R"("files_v2":[{"file_kind":"image","file_name":"b","file_uuid":"f2"},)"
      R"({"file_kind":"blob","file_name":"d","file_uuid":"f3"}])")));
  EXPECT_EQ(collector.skipped, (std::vector<Skipped>{{1, "empty block"}}));
  std::vector<Attachment> files;
  for (const Block& block : collector.conversations.at(0).turns.at(0).blocks) {
    EXPECT_EQ(block.author, Author::human);
    if (block.body.index() != 0) files.push_back(std::get<Attachment>(block.body));
  }
  const std::vector<Attachment> expected = {
      {.kind = "document",
       .name = "a.txt",
       .text = "abc",
       .reference = "f1",
       .size = 3,
       .extra = json::object{{"file_type", "txt"}}},
      {.kind = "document", .mime = "text/plain", .text = "pasted"},
      {.kind = "image", .name = "b", .reference = "f2"},
      {.kind = "file", .name = "b"},
      {.kind = "file", .name = "c"},
      {.kind = "file", .name = "d", .reference = "f3"},
  };
  EXPECT_EQ(files, expected);
}

TEST(ClaudeExportBlocks, KeepsAMessageOfFilesAlone) {
  const Conversation conversation = read_one(
      R"({"uuid":"a","sender":"human","text":"","content":[],"files":[{"file_name":"x.png"}]})");
  EXPECT_EQ(outline(conversation), "human a: (5)");
}

}  // namespace
}  // namespace weft::formats::claude_export

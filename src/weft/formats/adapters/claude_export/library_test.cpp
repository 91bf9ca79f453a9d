// Projects, memories and design chats.
#include "weft/formats/adapters/claude_export/claude_export_for_test.hpp"

namespace weft::formats::claude_export {
namespace {

using transcript::Attachment;
using transcript::Author;
using transcript::Compaction;
using transcript::Facts;
using transcript::Failure;
using transcript::Text;
using transcript::ToolCall;
using transcript::ToolResult;
using transcript::Unknown;

constexpr std::string_view kProject =
    R"({"uuid":"p","name":"N","description":"D","prompt_template":"Be brief.",)"
    R"("created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-03T00:00:00Z",)"
    R"("creator":{"uuid":"a","full_name":"F"},)"
    R"("docs":[{"uuid":"d1","filename":"a.md","content":"A","created_at":"2026-01-02T00:00:00Z"},)"
    R"({"filename":"b.md","content":"B"}]})";

TEST(ClaudeExportLibrary, MakesAProjectAConversation) {
  for (const std::string& bytes : {std::string(kProject), "[" + std::string(kProject) + "]"}) {
    const Collector collector = read(bytes);
    ASSERT_EQ(collector.conversations.size(), 1u);
    const Conversation& project = collector.conversations[0];
    EXPECT_EQ(project.heading.session_id, "p");
    EXPECT_EQ(project.facts, (Facts{.title = "N",
                                    .summary = "D",
                                    .project = "N",
                                    .account = "a",
                                    .updated_at = parse_iso8601("2026-01-03T00:00:00Z")}));
    EXPECT_EQ(outline(project), "system p: Be brief. | human d1: (5) (5)");
    EXPECT_EQ(project.turns[0].blocks[0].author, Author::program);
    const Block& document = project.turns[1].blocks[0];
    EXPECT_EQ(document.author, Author::human);
    EXPECT_EQ(document.recorded, parse_iso8601("2026-01-02T00:00:00Z"));
    EXPECT_EQ(std::get<Attachment>(document.body),
              (Attachment{.kind = "document", .name = "a.md", .text = "A"}));
    EXPECT_EQ(project.turns[1].blocks[1].source_id, "#2");
  }
}

TEST(ClaudeExportLibrary, SkipsProjectsWithNothingInThem) {
  const Collector collector = read(
      "[{\"uuid\":\"p\",\"name\":\"N\",\"prompt_template\":\"\",\"docs\":[]},\n"
      "{\"uuid\":\"q\",\"name\":\"N\",\"prompt_template\":\"x\",\"docs\":[null,\n{},7]}]");
  EXPECT_EQ(collector.conversations.size(), 1u);
  EXPECT_EQ(collector.skipped,
            (std::vector<Skipped>{
                {1, "empty"}, {2, "empty"}, {3, "empty"}, {3, "malformed: not a document"}}));
}

TEST(ClaudeExportLibrary, MakesMemoriesAConversationOfTheirAccount) {
  const Collector collector =
      read(R"([{"conversations_memory":"Likes tea.","project_memories":{"p":"Brass.","q":""},)"
           R"("memory_files":[{"path":"/n.md","content":"C"}],"account_uuid":"a"}])");
  ASSERT_EQ(collector.conversations.size(), 1u);
  const Conversation& memories = collector.conversations[0];
  EXPECT_EQ(memories.heading.session_id, "memories:a");
  EXPECT_EQ(memories.facts, (Facts{.account = "a"}));
  EXPECT_EQ(outline(memories), "system conversations_memory: (5) (5) (5)");
  const std::vector<Block>& blocks = memories.turns[0].blocks;
  EXPECT_EQ(blocks[0].author, Author::program);
  EXPECT_EQ(std::get<Attachment>(blocks[1].body),
            (Attachment{.kind = "document", .name = "project_memories/p", .text = "Brass."}));
  EXPECT_EQ(blocks[1].source_id, "project_memories/p");
  EXPECT_EQ(blocks[2].source_id, "/n.md");
  EXPECT_EQ(read(R"({"conversations_memory":"","account_uuid":"a"})").skipped,
            (std::vector<Skipped>{{1, "empty"}}));
}

// A design chat around the content objects of its messages.
std::string design(std::initializer_list<std::pair<std::string_view, std::string_view>> messages) {
  std::string list;
  std::size_t number = 0;
  for (const auto& [role, content] : messages) {
    list += std::string(list.empty() ? "" : ",\n") + R"({"uuid":"m)" + std::to_string(number++) +
            R"(","role":")" + std::string(role) +
            R"(","created_at":"2026-01-01T00:00:00Z","content":)" + std::string(content) + "}";
  }
  return R"({"uuid":"d","title":"T","project":{"uuid":"x","name":"P"},"messages":[)" + list + "]}";
}

TEST(ClaudeExportDesign, ReadsWhatBothSidesSay) {
  const Collector collector = read(design({
      {"user", R"({"content":"a box","authorAccountUuid":"a","attachments":[)"
               R"({"type":"comment","name":"div","content":"bigger","filePath":"x.html"},)"
               R"({"type":"image","name":"s.png","path":"up/s.png"}]})"},
      {"assistant", R"({"content":"unused","contentBlocks":[{"type":"thinking","text":"hm"},)"
                    R"({"type":"tool_call","toolCall":{"id":"t","name":"w","input":{"p":1},)"
                    R"("output":"ok"}},{"type":"tool_call","toolCall":{"name":"v"}},)"
                    R"({"type":"text","text":"done"},{"type":"error","message":"oh"}]})"},
  }));
  ASSERT_EQ(collector.conversations.size(), 1u);
  const Conversation& chat = collector.conversations[0];
  EXPECT_EQ(chat.facts, (Facts{.title = "T", .project = "P", .account = "a"}));
  EXPECT_EQ(outline(chat), "human m0: a box (5) (5) | assistant m1: (1) (3) (4) (3) done (8)");
  EXPECT_EQ(std::get<Attachment>(chat.turns[0].blocks[1].body),
            (Attachment{.kind = "document",
                        .name = "div",
                        .text = "bigger",
                        .extra = json::object{{"filePath", "x.html"}, {"type", "comment"}}}));
  EXPECT_EQ(std::get<Attachment>(chat.turns[0].blocks[2].body),
            (Attachment{.kind = "image", .name = "s.png", .reference = "up/s.png"}));
  const std::vector<Block>& blocks = chat.turns[1].blocks;
  EXPECT_EQ(std::get<ToolCall>(blocks[1].body),
            (ToolCall{.id = "t", .name = "w", .input = {{"p", 1}}}));
  EXPECT_EQ(std::get<ToolResult>(blocks[2].body),
            (ToolResult{.call_id = "t", .name = "w", .text = "ok"}));
  EXPECT_EQ(std::get<Failure>(blocks[5].body).text, "oh");
}

TEST(ClaudeExportDesign, BeginsATurnWhereAPersonBreaksIn) {
  const Conversation chat =
      read(design({{"user", R"({"content":"1"})"},
                   {"assistant", R"({"contentBlocks":[{"type":"text","text":"2"},)"
                                 R"({"type":"user_interjection","message":{"content":"3"}},)"
                                 R"({"type":"text","text":"4"}]})"},
                   {"user", R"({"content":"5"})"}}))
          .conversations.at(0);
  EXPECT_EQ(outline(chat),
            "human m0: 1 | assistant m1: 2 | human m1.1: 3 | assistant m1.2: 4 | "
            "human m2: 5");
}

TEST(ClaudeExportDesign, KeepsNoticesQuestionsAndSummariesApartFromWords) {
  const Collector collector =
      read(design({{"user", R"({"content":"1","kind":"chat"})"},
                   {"user", R"({"content":"Checked","pill":true,"attachments":[)"
                            R"({"name":"r","hidden":true,"content":"ok"}]})"},
                   {"assistant", R"({"content":"","kind":"question-record","q":1})"},
                   {"assistant", R"({"content":"so far","kind":"chat-summary"})"},
                   {"assistant", R"({"content":"","kind":"chat"})"}}));
  const Conversation& chat = collector.conversations.at(0);
  EXPECT_EQ(outline(chat), "human m0: 1 | assistant m1: Checked (5) (9) (6)");
  const std::vector<Block>& blocks = chat.turns[1].blocks;
  EXPECT_EQ(blocks[0].author, Author::program);
  EXPECT_EQ(blocks[1].author, Author::program);
  EXPECT_EQ(std::get<Unknown>(blocks[2].body).block_type, "question-record");
  EXPECT_EQ(std::get<Compaction>(blocks[3].body).summary, "so far");
  EXPECT_EQ(collector.skipped, (std::vector<Skipped>{{5, "empty"}}));
}

}  // namespace
}  // namespace weft::formats::claude_export

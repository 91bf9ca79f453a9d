#include "weft/base/hex.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/formats/adapters/claude_export/claude_export_for_test.hpp"

namespace weft::formats::claude_export {
namespace {

TEST(ClaudeExport, TellsWhatAnExportSaysOfAChat) {
  const Collector collector = read(
      R"([{"uuid":"c-1","name":"Title","summary":"Sum","created_at":"2026-01-01T00:00:00Z",)"
      R"("updated_at":"2026-01-02T00:00:00.5Z","account":{"uuid":"a-1"},"project":{"name":"P"},)"
      R"("chat_messages":[{"uuid":"m","sender":"human","text":"hi",)"
      R"("created_at":"2026-01-01T00:00:01.234567+00:00"}]}])");
  ASSERT_EQ(collector.conversations.size(), 1u);
  const Conversation& conversation = collector.conversations[0];
  EXPECT_EQ(conversation.heading,
            (transcript::Heading{"claude-export", "anthropic", "claude.ai", "anthropic", "c-1"}));
  EXPECT_EQ(conversation.facts,
            (transcript::Facts{.title = "Title",
                               .summary = "Sum",
                               .project = "P",
                               .account = "a-1",
                               .updated_at = parse_iso8601("2026-01-02T00:00:00.500Z")}));
  EXPECT_EQ(outline(conversation), "human m: hi");
  EXPECT_FALSE(conversation.turns[0].head.counted);
  const Block& block = conversation.turns[0].blocks[0];
  EXPECT_EQ(block.recorded, parse_iso8601("2026-01-01T00:00:01.234Z"));
  EXPECT_EQ(block.message_id, std::nullopt);  // results within it are news for what follows
}

TEST(ClaudeExport, TakesNoEmptyNameForATitle) {
  const Collector collector =
      read(R"([{"uuid":"c","name":"","summary":"","account":{},"chat_messages":[)" +
           says("human", "m", words("hi")) + "]}]");
  EXPECT_EQ(collector.conversations.at(0).facts, transcript::Facts());
}

TEST(ClaudeExport, NamesAChatWithoutAUuid) {
  EXPECT_EQ(
      read(R"({"conversation_id":"x","chat_messages":[)" + says("human", "m", words("a")) + "]}")
          .conversations.at(0)
          .heading.session_id,
      "x");
  const std::string bare = R"({"chat_messages":[)" + says("human", "m", words("a")) + "]}";
  const Digest digest = crypto::blake3(bare);
  EXPECT_EQ(read("[" + bare + "]").conversations.at(0).heading.session_id,
            "b3:" + to_hex(std::span(digest).first(8)));
}

TEST(ClaudeExport, ReadsTheSameChatInEveryWrapper) {
  const std::string one =
      chat(says("human", "a", words("hi")) + "," + says("assistant", "b", words("ho")));
  const Conversation bare = read(one).conversations.at(0);
  EXPECT_EQ(outline(bare), "human a: hi | assistant b: ho");
  for (const std::string& bytes : {"[" + one + "]", "\xEF\xBB\xBF" + one, "\n\n" + one + "\n",
                                   R"({"conversations":[)" + one + "]}",
                                   R"({"conversations":[)" + one + R"(],"version":1})"}) {
    EXPECT_EQ(read(bytes).conversations, std::vector{bare}) << bytes;
  }
  // One in each line: the second goes on with the first, for it has its name.
  EXPECT_EQ(read(one + "\n" + one + "\n").conversations.size(), 1u);
}

TEST(ClaudeExport, ListsWhatStandsBesideTheChatsOfAWrapper) {
  const Collector collector = read("{\"version\":1,\n\"projects\":[],\"conversations\":[" +
                                   chat(says("human", "a", words("hi"))) + "]}");
  EXPECT_EQ(collector.skipped, (std::vector<Skipped>{{1, "unmapped member"}}));
}

TEST(ClaudeExport, JoinsWhatOneSideSaysWithNothingBetween) {
  EXPECT_EQ(outline(read_one(says("human", "a", words("1")) + "," + says("human", "b", words("2")) +
                             "," + says("assistant", "c", words("3")) + "," +
                             says("assistant", "d", words("4")))),
            "human a: 1 2 | assistant c: 3 4");
}

TEST(ClaudeExport, CallsAPersonHumanUnderBothNames) {
  EXPECT_EQ(outline(read_one(says("user", "a", words("1")))), "human a: 1");
}

TEST(ClaudeExport, PutsWhatAProgramSaysFirstIntoASystemTurn) {
  EXPECT_EQ(
      outline(read_one(says("system", "s", words("0")) + "," + says("human", "a", words("1")) +
                       "," + says("system", "t", words("2")))),
      "system s: 0 | human a: 1 | assistant t: 2");
}

TEST(ClaudeExport, MakesEditsAndSecondAnswersBranches) {
  EXPECT_EQ(outline(read_one(says("human", "h1", words("1"), after("root")) + "," +
                             says("assistant", "a1", words("2"), after("h1")) + "," +
                             says("assistant", "a2", words("3"), after("h1")) + "," +
                             says("human", "h2", words("4"), after("a1")) + "," +
                             says("assistant", "a3", words("5"), after("h2")) + "," +
                             says("human", "h3", words("6"), after("a3")))),
            "human h1: 1 | assistant a1: 2 | assistant a2<h1: 3 | human h2<a1: 4 | "
            "assistant a3: 5 | human h3: 6");
}

// Its parent is no message: that of the first is neither.
TEST(ClaudeExport, BeginsATurnWithAnEditOfTheFirstPrompt) {
  constexpr std::string_view kRoot = "00000000-0000-4000-8000-000000000000";
  EXPECT_EQ(outline(read_one(says("human", "h1", words("1"), after(kRoot)) + "," +
                             says("human", "h2", words("2"), after(kRoot)) + "," +
                             says("assistant", "a", words("3"), after("h2")))),
            "human h1: 1 | human h2<: 2 | assistant a: 3");
}

TEST(ClaudeExport, SurvivesTreesThatAreNone) {
  // A cycle, a parent that comes later, one that never comes, and a message that is its own.
  EXPECT_EQ(outline(read_one(says("human", "a", words("1"), after("b")) + "," +
                             says("assistant", "b", words("2"), after("a")) + "," +
                             says("human", "c", words("3"), after("d")) + "," +
                             says("human", "d", words("4"), after("never")) + "," +
                             says("human", "e", words("5"), after("e")))),
            "human a: 1 | assistant b: 2 | human c<: 3 | human d<: 4 | human e<: 5");
}

TEST(ClaudeExport, LetsAMessageThatIsLeftOutStandForItsParent) {
  const Collector collector = read(chat(
      says("human", "h1", words("1"), after("root")) + "," +
      R"({"uuid":"a1","sender":"assistant","text":"","content":[],"parent_message_uuid":"h1"},)" +
      says("human", "h2", words("2"), after("a1")) + "," +
      says("assistant", "a2", words("3"), after("h2")) + "," +
      says("human", "h3", words("4"), after("a1"))));
  EXPECT_EQ(outline(collector.conversations.at(0)),
            "human h1: 1 2 | assistant a2: 3 | human h3<h1: 4");
  EXPECT_EQ(collector.skipped, (std::vector<Skipped>{{1, "empty"}}));
}

TEST(ClaudeExport, OrdersByIndexOnlyWhereThereIsNoTree) {
  const std::string late = says("assistant", "b", words("2"), R"(,"index":1)");
  const std::string early = says("human", "a", words("1"), R"(,"index":0)");
  EXPECT_EQ(outline(read_one(late + "," + early)), "human a: 1 | assistant b: 2");
  const std::string unnumbered = says("human", "c", words("3"));
  EXPECT_EQ(outline(read_one(late + "," + early + "," + unnumbered)),
            "assistant b: 2 | human a: 1 3");
  const std::string placed = says("human", "c", words("3"), R"(,"index":-1)" + after("a"));
  EXPECT_EQ(outline(read_one(late + "," + early + "," + placed)), "assistant b: 2 | human a: 1 3");
}

TEST(ClaudeExport, CountsMessagesWithoutANameByTheirPlace) {
  const Conversation conversation =
      read_one(R"({"sender":"human","text":"1"},{"sender":"assistant","text":"2"})");
  EXPECT_EQ(outline(conversation), "human #1: 1 | assistant #2: 2");
  EXPECT_TRUE(conversation.turns[0].head.counted);
  EXPECT_EQ(conversation.turns[1].blocks[0].source_id, "#2");
}

TEST(ClaudeExport, TellsAMessageOnce) {
  const Collector collector =
      read(chat(says("human", "a", words("1")) + ",\n" + says("assistant", "b", words("2")) +
                ",\n" + says("human", "a", words("3"))));
  EXPECT_EQ(outline(collector.conversations.at(0)), "human a: 1 | assistant b: 2");
  EXPECT_EQ(collector.skipped, (std::vector<Skipped>{{3, "duplicate"}}));
}

TEST(ClaudeExport, SkipsChatsWithoutMessages) {
  const Collector collector = read(
      "[{\"uuid\":\"a\",\"chat_messages\":[]},\n{\"uuid\":\"b\",\"chat_messages\":null},\nnull,\n"
      "{\"uuid\":\"c\"},\n{\"uuid\":\"d\",\"email_address\":\"e\"},\n{\"mapping\":{}}]");
  EXPECT_TRUE(collector.conversations.empty());
  EXPECT_EQ(collector.skipped, (std::vector<Skipped>{{1, "empty"},
                                                     {2, "empty"},
                                                     {3, "empty"},
                                                     {4, "malformed: neither a chat nor a project"},
                                                     {5, "account"},
                                                     {6, "malformed: of another format"}}));
}

TEST(ClaudeExport, TakesTheRestWhereAMessageIsBroken) {
  const Collector collector = read(
      chat(says("human", "a", words("1")) +
           ",\n{\"uuid\":\"b\",\"sender\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":"
           "\"2\"},\n{\"type\":\"text\",\"text\":nope},{\"type\":\"text\",\"text\":\"3\"}]},\n" +
           says("human", "c", words("4"))));
  EXPECT_EQ(outline(collector.conversations.at(0)), "human a: 1 | assistant b: 2 3 | human c: 4");
  EXPECT_EQ(collector.conversations[0].turns[1].blocks[1].index, 2u);
  EXPECT_EQ(collector.skipped, (std::vector<Skipped>{{3, "malformed: unexpected character"}}));
}

TEST(ClaudeExport, TakesTheWholeMessagesOfATornFile) {
  const std::string bytes =
      "[" + chat(says("human", "a", words("1")) + ",\n" + says("assistant", "b", words("2"))) + "]";
  const std::size_t second = bytes.find("assistant");
  const Collector in_message = read(bytes.substr(0, second));
  EXPECT_EQ(outline(in_message.conversations.at(0)), "human a: 1");
  EXPECT_EQ(in_message.skipped, (std::vector<Skipped>{{2, "malformed: ends early"}}));
  const Collector between = read(bytes.substr(0, bytes.find('\n')));
  EXPECT_EQ(outline(between.conversations.at(0)), "human a: 1");
  EXPECT_EQ(between.skipped, (std::vector<Skipped>{{1, "malformed: ends early"}}));
}

TEST(ClaudeExport, RepairsCharacters) {
  const Collector collector = read(chat(says("human", "a", words("\\ud83d \xFF"))));
  EXPECT_EQ(outline(collector.conversations.at(0)), "human a: \uFFFD \uFFFD");
  EXPECT_EQ(collector.repairs, 2u);
}

TEST(ClaudeExport, AsksTheMessageThenTheChatThenTheUserForTheModel) {
  const auto model = [](std::string_view of_chat, std::string_view of_message) {
    const Collector collector =
        read(R"({"uuid":"c")" + std::string(of_chat) + R"(,"chat_messages":[)" +
                 says("assistant", "m", words("x"), of_message) + "]}",
             {.model = "user's"});
    return collector.conversations.at(0).turns[0].blocks[0].model;
  };
  EXPECT_EQ(model(R"(,"model":"chat's")", R"(,"model":"own")"), "own");
  EXPECT_EQ(model(R"(,"model":"chat's")", ""), "chat's");
  EXPECT_EQ(model("", ""), "user's");
  EXPECT_EQ(read(chat(says("human", "m", words("x"))), {.model = "user's"})
                .conversations.at(0)
                .turns[0]
                .blocks[0]
                .model,
            std::nullopt);
}

TEST(ClaudeExport, PutsResultsThatAPersonSendsIntoTheAssistantsTurn) {
  EXPECT_EQ(outline(read_one(says("human", "a", words("1")) + "," +
                             says("assistant", "b", R"([{"type":"tool_use","name":"t"}])") + "," +
                             says("human", "c",
                                  R"([{"type":"tool_result","content":"r"},)"
                                  R"({"type":"text","text":"2"}])"))),
            "human a: 1 | assistant b: (3) (4) | human c.1: 2");
}

}  // namespace
}  // namespace weft::formats::claude_export

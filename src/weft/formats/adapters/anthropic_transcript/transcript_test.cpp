#include <gtest/gtest.h>

#include "weft/base/file.hpp"
#include "weft/base/hex.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/formats/adapter.hpp"

namespace weft::formats {
namespace {

using transcript::Author;
using transcript::Block;
using transcript::Collector;
using transcript::Conversation;
using transcript::Role;
using transcript::Skipped;
using transcript::Text;
using transcript::Turn;
using transcript::Unknown;

const Adapter& adapter() { return *find_adapter("anthropic-transcript"); }

Collector read(std::string_view bytes, const SourceInfo& info = {}) {
  Collector collector;
  read_all(adapter(), info, bytes, collector);
  return collector;
}

Conversation read_one(std::string_view bytes, const SourceInfo& info = {}) {
  const Collector collector = read(bytes, info);
  EXPECT_EQ(collector.conversations.size(), 1u);
  return collector.conversations.empty() ? Conversation() : collector.conversations[0];
}

// A block of text, and sections of the text form around blocks.
std::string text(std::string_view words) {
  return R"({"type":"text","text":")" + std::string(words) + R"("})";
}
std::string section(std::string_view role, std::string_view blocks) {
  return std::string(role) + ":\nContent:\n[" + std::string(blocks) + "]\n\n==========\n";
}
std::string result(std::string_view id) {
  return R"({"type":"tool_result","tool_use_id":")" + std::string(id) + R"(","content":"r"})";
}

// "human #0: words | assistant #1: words, (result)".
std::string outline(const Conversation& conversation) {
  std::string out;
  for (const Turn& turn : conversation.turns) {
    if (!out.empty()) out += " | ";
    out += std::string(to_string(turn.head.role)) + " " + turn.head.source_id + ":";
    for (const Block& block : turn.blocks) {
      const auto* authored = std::get_if<Text>(&block.body);
      out += " " + (authored != nullptr ? authored->text
                                        : "(" + std::to_string(block.body.index()) + ")");
    }
  }
  return out;
}

TEST(AnthropicTranscript, ReadsTheFormThatTheSeedShows) {
  const Conversation conversation =
      read_one("Human:\nContent:\n[" + text("hi") + "]\n\n" + std::string(80, '=') +
               "\nAssistant:\nContent:\n[" + text("hello") + "]\n\n" + std::string(80, '=') + "\n");
  EXPECT_EQ(outline(conversation), "human #0: hi | assistant #1: hello");
  EXPECT_EQ(conversation.heading.format, "anthropic-transcript");
  EXPECT_EQ(conversation.heading.family, "anthropic");
  EXPECT_EQ(conversation.heading.program, "anthropic-transcript");
  EXPECT_EQ(conversation.heading.provider, "anthropic");
  EXPECT_EQ(conversation.heading.source, "primary");
  EXPECT_TRUE(conversation.turns[0].head.counted);
  EXPECT_EQ(conversation.turns[0].blocks[0].author, Author::human);
  EXPECT_EQ(conversation.turns[1].blocks[0].author, Author::model);
}

TEST(AnthropicTranscript, NamesASessionWithoutANameByItsFirstRecord) {
  const std::string first = "Human:\nContent:\n[" + text("hi") + "]";
  const Digest digest = crypto::blake3(first);
  const std::string name = "b3:" + to_hex(std::span(digest).first(8));
  EXPECT_EQ(read_one(first + "\n==========\n").heading.session_id, name);
  // The name stays while the file grows, and whatever comes before it is blank.
  EXPECT_EQ(read_one("\n\n" + first + "\n\n==========\n" + section("Assistant", text("x")))
                .heading.session_id,
            name);
  const std::string turn = R"({"role":"human","content":"hi"})";
  const Digest json_digest = crypto::blake3(turn);
  EXPECT_EQ(read_one("[" + turn + "]").heading.session_id,
            "b3:" + to_hex(std::span(json_digest).first(8)));
}

TEST(AnthropicTranscript, TakesMetadataBeforeTheFirstTurn) {
  const std::string body = section("Human", text("hi")) + section("Assistant", text("ho"));
  const std::string metadata =
      "TITLE: A: b\nmodel: m\nSession: s\nProject: p\nAccount: a\nGit-Branch: g\n";
  for (const std::string_view separator : {"", "==========\n"}) {
    const Conversation conversation =
        read_one(std::string(metadata).append(separator).append(body));
    EXPECT_EQ(conversation.heading.session_id, "s");
    EXPECT_EQ(
        conversation.facts,
        (transcript::Facts{.title = "A: b", .project = "p", .git_branch = "g", .account = "a"}));
    EXPECT_EQ(conversation.turns[0].blocks[0].model, std::nullopt);
    EXPECT_EQ(conversation.turns[1].blocks[0].model, "m");
  }
}

TEST(AnthropicTranscript, ListsMetadataThatItDoesNotMap) {
  const Collector collector = read("Weather: fine\n" + section("Human", text("hi")));
  EXPECT_EQ(collector.skipped, (std::vector<Skipped>{{1, "unmapped metadata"}}));
}

TEST(AnthropicTranscript, DoesNotListEndlessMetadata) {
  std::string lines;
  for (int i = 0; i < 100'000; ++i) lines += "a: b\n";
  const Collector collector = read(lines + section("Human", text("hi")));
  EXPECT_EQ(collector.skipped.size(), 100u);
  EXPECT_EQ(outline(collector.conversations.at(0)), "human #0: hi");
}

TEST(AnthropicTranscript, AsksTheBlockThenTheSectionThenTheFileThenTheUserForTheModel) {
  const std::string blocks = text("a") + R"(,{"type":"text","text":"b","model":"of-block"})";
  const std::string with_model = "Assistant:\nModel: of-section\nContent:\n[" + blocks + "]";
  const auto models = [](const Conversation& conversation) {
    std::vector<std::string> names;
    for (const Block& block : conversation.turns[0].blocks)
      names.push_back(block.model.value_or("-"));
    return names;
  };
  using Names = std::vector<std::string>;
  const SourceInfo user{.model = "of-user"};
  EXPECT_EQ(models(read_one(with_model, user)), (Names{"of-section", "of-block"}));
  EXPECT_EQ(models(read_one("Model: of-file\n" + section("Assistant", blocks), user)),
            (Names{"of-file", "of-block"}));
  EXPECT_EQ(models(read_one(section("Assistant", blocks), user)), (Names{"of-user", "of-block"}));
  EXPECT_EQ(models(read_one(section("Assistant", blocks))), (Names{"-", "of-block"}));
}

TEST(AnthropicTranscript, MakesOneTurnOfWordsWithNothingBetween) {
  EXPECT_EQ(outline(read_one(section("Human", text("a")) + section("Human", text("b")))),
            "human #0: a b");
  EXPECT_EQ(outline(read_one(section("Assistant", text("a")) + section("Assistant", text("b")))),
            "assistant #0: a b");
}

TEST(AnthropicTranscript, LeavesToolResultsInTheAssistantsTurn) {
  const std::string start = section("Human", text("q")) + section("Assistant", text("a"));
  EXPECT_EQ(
      outline(read_one(start + section("Human", result("1")) + section("Assistant", text("b")))),
      "human #0: q | assistant #1: a (4) b");
  EXPECT_EQ(outline(read_one(start + section("Human", text("w") + "," + result("1")))),
            "human #0: q | assistant #1: a (4) | human #2: w");
  EXPECT_EQ(outline(read_one(section("Human", result("1") + "," + text("w")))),
            "assistant #0: (4) | human #0.1: w");
}

TEST(AnthropicTranscript, TakesWhatAProgramSaysFirstForASystemTurn) {
  const Conversation conversation =
      read_one(section("System", text("be kind")) + section("System", text("be brief")) +
               section("Human", text("q")) + section("Assistant", text("a")) +
               section("System", text("resumed")) + section("Assistant", text("b")) +
               section("Human", text("w")) + section("System", text("note")));
  EXPECT_EQ(outline(conversation),
            "system #0: be kind be brief | human #2: q | assistant #3: a resumed b | "
            "human #6: w | assistant #7: note");
  EXPECT_EQ(conversation.turns[0].blocks[0].author, Author::program);
  EXPECT_EQ(conversation.turns[2].blocks[1].author, Author::program);
}

TEST(AnthropicTranscript, SaysWhoSpeaksInEachBlock) {
  const std::string image = R"({"type":"image","source":{"type":"url","url":"u"}})";
  const std::string blocks = image + R"(,{"type":"novel"},)" + text("t");
  const Conversation conversation =
      read_one(section("Human", blocks) + section("Assistant", blocks + "," + result("1")));
  const auto authors = [](const Turn& turn) {
    std::vector<Author> found;
    found.reserve(turn.blocks.size());
    for (const Block& block : turn.blocks) found.push_back(block.author);
    return found;
  };
  EXPECT_EQ(authors(conversation.turns[0]),
            (std::vector{Author::human, Author::program, Author::human}));
  EXPECT_EQ(authors(conversation.turns[1]),
            (std::vector{Author::model, Author::model, Author::model, Author::tool}));
}

TEST(AnthropicTranscript, KeepsPlacesWhileTheFileGrows) {
  const std::string start = section("Human", text("a") + "," + text("b"));
  const Conversation before = read_one(start + "Assistant:\nContent:\n[" + text("c"));
  const Conversation after = read_one(start + section("Assistant", text("c") + "," + text("d")));
  ASSERT_EQ(after.turns.size(), 2u);
  EXPECT_EQ(before.turns[0], after.turns[0]);
  EXPECT_EQ(before.turns[1].blocks[0], after.turns[1].blocks[0]);
  EXPECT_EQ(after.turns[1].blocks[1].source_id, "#1");
  EXPECT_EQ(after.turns[1].blocks[1].index, 1u);
}

TEST(AnthropicTranscript, ReadsTurnsThatNoSeparatorParts) {
  EXPECT_EQ(outline(read_one("Human:\nContent:\n[" + text("a") + "]\nAssistant:\nContent:\n[" +
                             text("b") + "]\n")),
            "human #0: a | assistant #1: b");
}

TEST(AnthropicTranscript, ReportsWhatIsMalformedWithItsLineAndTakesTheRest) {
  const std::string path = std::string(WEFT_SOURCE_DIR) + "/tests/fixtures/anthropic_transcript/";
  const Collector broken = read(read_file(path + "broken-elements.txt").value());
  EXPECT_EQ(broken.skipped, (std::vector<Skipped>{
                                {4, "malformed: unexpected character"},
                                {7, "malformed: unknown role"},
                                {13, "empty"},
                                {17, "malformed: unexpected character"},
                                {19, "malformed: no role"},
                                {23, "malformed: unexpected character"},
                            }));
  EXPECT_EQ(outline(broken.conversations.at(0)), "human #0: one three | assistant #4: five");
  EXPECT_EQ(broken.conversations[0].turns[0].blocks[1].index, 2u);

  const Collector cut = read(read_file(path + "broken-cut.txt").value());
  EXPECT_EQ(cut.skipped, (std::vector<Skipped>{{8, "malformed: the text ends too early"}}));
  EXPECT_EQ(outline(cut.conversations.at(0)), "human #0: whole | assistant #1: also whole");

  const Collector turns = read(read_file(path + "broken-turns.json").value());
  EXPECT_EQ(turns.skipped, (std::vector<Skipped>{
                               {1, "malformed: unexpected character"},
                               {2, "malformed: unknown role"},
                               {3, "malformed: no role"},
                               {4, "malformed: a turn must be an object"},
                               {6, "malformed: the text ends too early"},
                           }));
  EXPECT_EQ(outline(turns.conversations.at(0)), "human #0: one | assistant #4: two three");
}

TEST(AnthropicTranscript, ReportsAnArrayThatIsCutBetweenItsElements) {
  for (const std::string end : {"", ",", "]]"}) {
    const Collector collector = read("Human:\nContent:\n[" + text("a") + end);
    ASSERT_EQ(collector.skipped.size(), 1u) << end;
    EXPECT_TRUE(collector.skipped[0].reason.starts_with("malformed: ")) << end;
    EXPECT_EQ(outline(collector.conversations.at(0)), "human #0: a");
  }
}

TEST(AnthropicTranscript, NeverQuotesTheTextInAReason) {
  const std::string path = std::string(WEFT_SOURCE_DIR) + "/tests/fixtures/anthropic_transcript/";
  for (const std::string name : {"broken-elements.txt", "broken-cut.txt", "broken-turns.json"}) {
    for (const Skipped& skipped : read(read_file(path + name).value()).skipped) {
      EXPECT_EQ(skipped.reason.find("heron"), std::string::npos);
    }
  }
}

TEST(AnthropicTranscript, SurvivesJsonOfAnyDepth) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  for (const std::string& bytes :
       {section("Human", text("a") + "," + deep + "," + text("b")),
        "[{\"role\":\"human\",\"content\":[" + text("a") + "," + deep + "," + text("b") + "]}]"}) {
    const Collector collector = read(bytes);
    EXPECT_EQ(collector.skipped.size(), 1u);
    EXPECT_EQ(collector.skipped.at(0).reason, "malformed: nested too deeply");
    EXPECT_EQ(outline(collector.conversations.at(0)), "human #0: a b");
  }
}

TEST(AnthropicTranscript, DoesNotTakeEndlessBlocksInOneTurn) {
  std::string ones = "1";
  for (int i = 0; i < 200'000; ++i) ones += ",1";
  const Collector collector = read(section("Assistant", ones));
  EXPECT_EQ(collector.conversations.at(0).turns.at(0).blocks.size(), 20'000u);
  EXPECT_EQ(collector.skipped.at(0).reason, "too large: more than 20000 blocks in one turn");
}

TEST(AnthropicTranscript, RepairsBrokenCharactersAndCountsThem) {
  const Collector collector = read(section("Human", text("a\xFF"
                                                         "b \\ud83d c")));
  EXPECT_EQ(collector.repairs, 2u);
  EXPECT_EQ(outline(collector.conversations.at(0)), "human #0: a\uFFFDb \uFFFD c");
}

TEST(AnthropicTranscript, KeepsTheTextOfABlockThatNoValueCanHold) {
  const std::string twice = R"({"type":"text", "text":"a","text":"b"})";
  for (const std::string& bytes :
       {section("Assistant", text("x") + ",\n" + twice + "," + text("y")),
        R"([{"role":"assistant","content":[)" + text("x") + ",\n" + twice + "," + text("y") +
            "]}]"}) {
    const Collector collector = read(bytes);
    EXPECT_TRUE(collector.skipped.empty());
    const std::vector<Block>& blocks = collector.conversations.at(0).turns.at(0).blocks;
    ASSERT_EQ(blocks.size(), 3u);
    EXPECT_EQ(blocks[1].body,
              transcript::Body(Unknown{.block_type = "text", .raw = nullptr, .raw_text = twice}));
  }
}

TEST(AnthropicTranscript, ReadsTheObjectFormWhereverItsMembersStand) {
  const Collector collector = read(
      R"({"turns":[{"role":"Human","content":"q"},{"role":"Assistant","content":"a"}],
          "title":"T","model":"m","id":"s","weather":"fine","flags":null})");
  EXPECT_EQ(collector.skipped, (std::vector<Skipped>{{2, "unmapped member"}}));
  const Conversation& conversation = collector.conversations.at(0);
  EXPECT_EQ(outline(conversation), "human #0: q | assistant #1: a");
  EXPECT_EQ(conversation.facts.title, "T");
  EXPECT_EQ(conversation.heading.session_id, "s");
  EXPECT_EQ(conversation.turns[1].blocks[0].model, "m");
}

TEST(AnthropicTranscript, SaysSoWhereThereIsATitleAndNothingElse) {
  EXPECT_EQ(read("Title: x\n").skipped, (std::vector<Skipped>{{0, "no turns"}}));
  EXPECT_EQ(read(R"({"title":"x","turns":[]})").skipped, (std::vector<Skipped>{{0, "no turns"}}));
  EXPECT_TRUE(read("").skipped.empty());
}

TEST(AnthropicTranscript, TellsANewSinkWhereItIsAfterARestart) {
  const auto reader = adapter().open({});
  Collector first, second;
  const std::string one = "Title: t\nAssistant:\nContent:\n[" + text("a") + "]";
  reader->read({.text = one}, first);
  const auto restored = adapter().open({});
  ASSERT_TRUE(restored->restore(reader->save()));
  restored->read({.text = "Assistant:\nContent:\n[" + text("b") + "]"}, second);
  ASSERT_EQ(second.conversations.size(), 1u);
  EXPECT_EQ(second.conversations[0].heading, first.conversations.at(0).heading);
  EXPECT_EQ(outline(second.conversations[0]), "assistant #0: b");
  EXPECT_EQ(second.conversations[0].turns[0].blocks[0].source_id, "#1");
}

}  // namespace
}  // namespace weft::formats

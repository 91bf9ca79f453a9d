#include <gtest/gtest.h>

#include <filesystem>

#include "weft/base/file.hpp"
#include "weft/formats/adapter.hpp"

namespace weft::formats {
namespace {

using transcript::Author;
using transcript::Block;
using transcript::Body;
using transcript::Collector;
using transcript::Conversation;
using transcript::Role;
using transcript::Text;
using transcript::Unknown;

const Adapter& adapter() { return *find_adapter("anthropic-transcript"); }

Conversation read(std::string_view bytes) {
  Collector collector;
  read_all(adapter(), {}, bytes, collector);
  EXPECT_EQ(collector.conversations.size(), 1u);
  return collector.conversations.empty() ? Conversation() : collector.conversations[0];
}

std::string write(const Conversation& conversation) {
  return adapter().write(conversation).value().text;
}

Block authored(Author author, std::string words, std::string source_id) {
  return {
      .author = author, .body = Text{.text = std::move(words)}, .source_id = std::move(source_id)};
}

TEST(AnthropicTranscriptWriter, WritesTheFormThatTheSeedShows) {
  const Conversation conversation = read(
      "Title: Tea\nModel: m\nSession: s\nHuman:\nContent:\n"
      R"([{"type":"text","text":"q","start_timestamp":"2026-02-01T10:00:00Z"}])"
      "\n==========\nAssistant:\nContent:\n[\"a\",\"b\"]\n");
  EXPECT_EQ(
      write(conversation),
      "Title: Tea\nModel: m\nSession: s\n\nHuman:\nContent:\n[\n"
      R"({"start_timestamp":"2026-02-01T10:00:00.000Z","type":"text","text":"q","citations":[]})"
      "\n]\n\n" +
          std::string(80, '=') +
          "\nAssistant:\nContent:\n[\n"
          R"({"type":"text","text":"a","citations":[]},)"
          "\n"
          R"({"type":"text","text":"b","citations":[]})"
          "\n]\n\n" +
          std::string(80, '=') + "\n");
}

TEST(AnthropicTranscriptWriter, EveryTranscriptReadsBackEqual) {
  const auto folder =
      std::filesystem::path(WEFT_SOURCE_DIR) / "tests/fixtures/anthropic_transcript";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const Conversation conversation = read(read_file(entry.path()).value());
    const std::string written = write(conversation);
    EXPECT_EQ(read(written), conversation) << entry.path();
    EXPECT_EQ(adapter().recognises(head_of(written)), Confidence::yes) << entry.path();
  }
}

TEST(AnthropicTranscriptWriter, KeepsWhatABlockSaysBesides) {
  Conversation conversation = read("Human:\nContent:\n[\"q\"]");
  conversation.turns[0].blocks[0].extra = json::object{{"caller", {{"type", "direct"}}}};
  EXPECT_EQ(read(write(conversation)), conversation);
}

TEST(AnthropicTranscriptWriter, QuotesMetadataThatDoesNotFitALine) {
  for (const std::string title : {"", " ", "two\nlines", "\"quoted\"", "trailing ", "a\tb"}) {
    Conversation conversation = read("Human:\nContent:\n[\"q\"]");
    conversation.facts.title = title;
    EXPECT_EQ(read(write(conversation)), conversation) << title;
  }
}

TEST(AnthropicTranscriptWriter, LeavesTheOthersInPlaceWhereSomethingWasSkipped) {
  const Conversation conversation = read(
      "Human:\nContent:\n[\"a\", nonsense, \"b\"]\n==========\nAssistant:\nContent:\n[]\n"
      "==========\nAssistant:\nContent:\n[\"c\"]\n");
  EXPECT_EQ(conversation.turns.at(0).blocks.at(1).index, 2u);
  EXPECT_EQ(conversation.turns.at(1).head.source_id, "#2");
  EXPECT_EQ(read(write(conversation)), conversation);
}

TEST(AnthropicTranscriptWriter, KeepsTheModelsOfBlocksApart) {
  for (const std::string_view assistant : {R"(Model: m
Content:
[{"type":"text","text":"a","model":"n"},{"type":"novel"}])",
                                           R"(Content:
[{"type":"text","text":"a","model":"n"},{"type":"novel"},{"type":"novel","model":"o"}])",
                                           R"(Content:
["a",{"type":"text","text":"b","model":"n"}])"}) {
    const Conversation conversation =
        read("Assistant:\n" + std::string(assistant) +
             "\n==========\nAssistant:\nModel: p\nContent:\n[\"c\",{\"type\":\"novel\"}]");
    EXPECT_EQ(read(write(conversation)), conversation) << assistant;
  }
}

TEST(AnthropicTranscriptWriter, KeepsWordsAndResultsOfOneSectionTogether) {
  const Conversation conversation = read(
      R"([{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"n","input":{}}]},
          {"role":"human","message_id":"m1","created_at":"2026-01-01","content":
            ["wait",{"type":"tool_result","tool_use_id":"t","content":"r"},{"type":"novel"}]}])");
  ASSERT_EQ(conversation.turns.size(), 2u);
  EXPECT_EQ(read(write(conversation)), conversation);
}

TEST(AnthropicTranscriptWriter, WritesConversationsOfOtherFormats) {
  Conversation conversation{.heading = {.format = "claude-code",
                                        .family = "anthropic",
                                        .program = "claude-code",
                                        .session_id = "s",
                                        .source = "subagent:x"}};
  conversation.turns = {
      {.head = {.role = Role::human, .source_id = "u1"},
       .blocks = {authored(Author::human, "q", "u1")}},
      {.head = {.role = Role::assistant, .source_id = "u2"},
       .sequence = 1,
       .blocks = {authored(Author::model, "a", "u2"), authored(Author::model, "b", "u3"),
                  authored(Author::program, "note", "u4")}}};
  conversation.turns[1].blocks[0].message_id = "m1";
  conversation.turns[1].blocks[1].message_id = "m1";
  const Conversation again = read(write(conversation));
  EXPECT_EQ(again.heading.session_id, "s");
  EXPECT_EQ(again.heading.source, "subagent:x");
  ASSERT_EQ(again.turns.size(), 2u);
  ASSERT_EQ(again.turns[1].blocks.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(again.turns[1].blocks[i].body, conversation.turns[1].blocks[i].body);
    EXPECT_EQ(again.turns[1].blocks[i].author, conversation.turns[1].blocks[i].author);
    EXPECT_EQ(again.turns[1].blocks[i].message_id, conversation.turns[1].blocks[i].message_id);
  }
}

}  // namespace
}  // namespace weft::formats

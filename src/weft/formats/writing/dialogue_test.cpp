#include "weft/formats/writing/dialogue.hpp"

#include <gtest/gtest.h>

namespace weft::formats {
namespace {

using transcript::Author;
using transcript::Block;
using transcript::Role;
using transcript::Text;
using transcript::ToolCall;
using transcript::ToolResult;

Block says(Author author, std::string text) {
  return {.author = author, .body = Text{std::move(text)}};
}
Block calls(std::string id, std::string name = "look") {
  return {.body = ToolCall{.id = std::move(id), .name = std::move(name)}};
}
Block answers(std::string id, std::string text, std::string name = "look") {
  return {.author = Author::tool,
          .body = ToolResult{
              .call_id = std::move(id), .name = std::move(name), .text = std::move(text)}};
}

transcript::Conversation of(std::vector<Block> blocks) {
  transcript::Conversation conversation;
  conversation.turns.push_back({.head = {.role = Role::assistant}, .blocks = std::move(blocks)});
  return conversation;
}

DialogueRules rules() {
  return {.side_of = [](const Block& block, Role) {
    if (block.author == Author::human) return Side::user;
    return block.author == Author::program ? Side::apart : Side::assistant;
  }};
}

// "user: Hi. | assistant: a? | user: a=42": calls with "?", results with "=".
std::string outline(const Dialogue& dialogue) {
  std::string out;
  for (const Dialogue::Message& message : dialogue.messages) {
    out += out.empty() ? "" : " | ";
    out += message.side == Side::user        ? "user:"
           : message.side == Side::assistant ? "assistant:"
                                             : "apart:";
    for (const Dialogue::AuthoredBlock& authored : message.blocks) {
      out += " ";
      if (authored.block == nullptr) {
        out += authored.call_id + "=?";
      } else if (const auto* text = std::get_if<Text>(&authored.block->body)) {
        out += text->text;
      } else if (const auto* result = std::get_if<ToolResult>(&authored.block->body)) {
        out += authored.call_id + "=" + result->text;
      } else {
        out += authored.call_id + "?";
      }
    }
  }
  return out;
}

std::string laid_out(std::vector<Block> blocks, const DialogueRules& by = rules()) {
  const transcript::Conversation conversation = of(std::move(blocks));
  return outline(lay_out(conversation, by));
}

TEST(Dialogue, PutsResultsIntoTheNextMessageBeforeAllElse) {
  EXPECT_EQ(
      laid_out({says(Author::human, "Hi."), calls("a"), calls("b"), says(Author::human, "Hurry."),
                answers("b", "2"), answers("a", "1"), says(Author::model, "Done.")}),
      "user: Hi. | assistant: a? b? | user: a=1 b=2 Hurry. | assistant: Done.");
}

TEST(Dialogue, AResultThatComesLateGoesBackToItsCall) {
  EXPECT_EQ(laid_out({calls("a"), calls("b"), answers("a", "1"), says(Author::model, "Well."),
                      answers("b", "2")}),
            "assistant: a? b? | user: a=1 b=2 | assistant: Well.");
}

TEST(Dialogue, ACallWithoutAResultIsClosedAndAResultWithoutACallIsNot) {
  const transcript::Conversation conversation =
      of({calls("a"), says(Author::human, "Stop."), answers("z", "9")});
  const Dialogue dialogue = lay_out(conversation, rules());
  EXPECT_EQ(outline(dialogue), "assistant: a? | user: a=? Stop.");
  EXPECT_EQ(dialogue.unanswered, 1u);
  EXPECT_EQ(dialogue.stray, 1u);
}

TEST(Dialogue, PairsByOrderAndNameWhereThereAreNoIds) {
  EXPECT_EQ(laid_out({calls("", "x"), calls("", "y"), calls("", "y"), answers("", "1", "y"),
                      answers("", "2", "y"), answers("", "3", "x")}),
            "assistant: call_1? call_2? call_3? | user: call_1=3 call_2=1 call_3=2");
}

TEST(Dialogue, MakesIdsValidAndUniqueAndKeepsThoseThatAre) {
  EXPECT_EQ(laid_out({calls("a.b"), answers("a.b", "1"), calls("a.b"), answers("a.b", "2"),
                      calls("call_1"), answers("call_1", "3"), calls("a_b"), answers("a_b", "4")}),
            "assistant: call_2? | user: call_2=1 | assistant: call_3? | user: call_3=2 | "
            "assistant: call_1? | user: call_1=3 | assistant: a_b? | user: a_b=4");
}

TEST(Dialogue, AnIdThatIsUsedTwiceMeansTheLastMessageWithIt) {
  EXPECT_EQ(laid_out({calls("a"), calls("a"), answers("a", "1"), answers("a", "2")}),
            "assistant: a? call_1? | user: a=1 call_1=2");
}

TEST(Dialogue, WhatTheApiRunsItselfStaysInTheMessage) {
  DialogueRules by = rules();
  by.stays = [](const Block& block) { return block.extra.has_value(); };
  Block call = calls("s"), result = answers("s", "found");
  call.extra = result.extra = json::object{{"type", "server"}};
  EXPECT_EQ(laid_out({call, result, calls("a"), answers("a", "1")}, by),
            "assistant: s? s=found a? | user: a=1");
}

TEST(Dialogue, WordsAmidTheOthersStandByThemselves) {
  EXPECT_EQ(laid_out({calls("a"), says(Author::program, "Note."), says(Author::program, "Two."),
                      answers("a", "1"), says(Author::human, "Hi.")}),
            "assistant: a? | user: a=1 | apart: Note. | apart: Two. | user: Hi.");
}

TEST(Dialogue, PlainNamesHaveLettersDigitsAndTwoSigns) {
  EXPECT_EQ(plain_name("mcp.srv/look-it_up9", 64), "mcp_srv_look-it_up9");
  EXPECT_EQ(plain_name("abcdef", 3), "abc");
  EXPECT_EQ(plain_name("é", 64), "__");
}

TEST(Notes, CountByKind) {
  Notes notes;
  notes.count("b");
  notes.count("a", 2);
  notes.count("b");
  notes.count("none", 0);
  EXPECT_EQ(notes.lines(), (std::vector<std::string>{"2 × a", "2 × b"}));
}

}  // namespace
}  // namespace weft::formats

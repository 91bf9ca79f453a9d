// Every row of the table in docs/design.md, "Connections", by name; then times, restated blocks,
// forks and authors.
#include <gtest/gtest.h>

#include "weft/weave/loom_for_test.hpp"

namespace weft::weave {
namespace {

using transcript::Author;
using Cids = std::vector<Cid>;

// --- connections ---------------------------------------------------------------------------

TEST(Weave, ContainsHoldsTurnsAndBlocksAtTheirPositions) {
  Loom loom;
  loom.human("hi");
  loom.thinks("hm");
  loom.says("hello");
  std::set<std::pair<std::string, std::uint64_t>> held;
  for (const auto& [cid, thought] : loom.known_web.thoughts) {
    if (thought.type != thought::kConnectionType) continue;
    const thought::Connection connection = *to_connection(thought);
    if (connection.relation != "contains") continue;
    held.insert({loom.thought(connection.to).type, *connection.index});
  }
  EXPECT_EQ(held, (std::set<std::pair<std::string, std::uint64_t>>{{"anthropic/turn", 0},
                                                                   {"anthropic/turn", 1},
                                                                   {"anthropic/human_input", 0},
                                                                   {"anthropic/thinking", 0},
                                                                   {"anthropic/response", 1}}));
}

TEST(Weave, SequenceJoinsThinkingToTheNextThinking) {
  Loom loom;
  loom.human("go");
  const Cid first = loom.thinks("a");
  loom.calls("t1");
  loom.prints("t1", "x");
  const Cid second = loom.thinks("b");
  EXPECT_EQ(loom.edges("sequence"),
            (std::set<Loom::Triple>{{first, second, "continued reasoning"}}));
}

TEST(Weave, CausesTellsTheWholeStory) {
  Loom loom;
  const Cid prompt = loom.human("go");
  const Cid first = loom.thinks("a");
  const Cid request = loom.calls("t1");
  const Cid result = loom.prints("t1", "x");
  const Cid second = loom.thinks("b");
  const Cid answer = loom.says("done");
  const Cid next = loom.human("thanks");
  EXPECT_EQ(loom.edges("causes"),
            (std::set<Loom::Triple>{{prompt, first, "prompt triggered reasoning"},
                                    {first, request, "reasoning led to tool call"},
                                    {result, second, "result informed next reasoning"},
                                    {second, answer, "reasoning produced response"},
                                    {answer, next, "response prompted next input"}}));
}

TEST(Weave, CausesNamesAPromptThatLedStraightToAnAnswerOrACall) {
  Loom loom;
  const Cid hi = loom.human("hi");
  const Cid hello = loom.says("hello");
  const Cid run = loom.human("run");
  const Cid call = loom.calls("t1");
  const Cid result = loom.prints("t1", "x");
  const Cid done = loom.says("done");
  const auto causes = loom.edges("causes");
  EXPECT_TRUE(causes.contains({hi, hello, "prompt triggered response"}));
  EXPECT_TRUE(causes.contains({run, call, "prompt triggered tool call"}));
  EXPECT_TRUE(causes.contains({result, done, "result informed response"}));
}

TEST(Weave, ReworkAndRequestAttentionAreWoven) {
  Loom loom;
  loom.human("go");
  const Cid thinking = loom.thinks("long", {"short"});
  const Cid request = loom.calls("t1", "Grep");
  const Cid summary = loom.of_type("anthropic/thinking_summary").at(0);
  EXPECT_EQ(loom.edges("rework"), (std::set<Loom::Triple>{{summary, thinking, ""}}));
  const auto attention = loom.edges("request_attention");
  ASSERT_EQ(attention.size(), 1u);
  EXPECT_EQ(std::get<0>(*attention.begin()), request);
  EXPECT_EQ(find_string(loom.thought(std::get<1>(*attention.begin())).content, "name"), "Grep");
}

TEST(Weave, UsesInputIsTheSourceOfWhatAnIdentitySaysAndSignedByIt) {
  Loom loom;
  loom.human("hi");
  const Cid thinking = loom.thinks("hm");
  const thought::Thought& source = loom.thought(loom.thought(thinking).source.value());
  EXPECT_EQ(find_string(source.content, "relation"), "uses_input");
  EXPECT_EQ(source.created_by, loom.thought(thinking).created_by);
  EXPECT_TRUE(std::holds_alternative<crypto::SignatureBytes>(source.signature));
  const thought::Connection connection = *to_connection(source);
  EXPECT_EQ(find_string(loom.thought(connection.to).content, "name"), "input/anthropic_thinking");
}

// --- time ----------------------------------------------------------------------------------

TEST(Weave, TimeIsTheBlocksOwnThenItsRecordsThenTheStopBeforeThenTheLatestKnown) {
  Loom loom;
  const auto emitted_at = [&](std::optional<Millis> start, std::optional<Millis> stop,
                              std::optional<Millis> recorded) {
    transcript::Block block{.body = transcript::Text{"t" + std::to_string(loom.next_index), {}},
                            .source_id = "r",
                            .index = loom.next_index++};
    block.start = start;
    block.stop = stop;
    block.recorded = recorded;
    return loom.thought(loom.emit(std::move(block))).created_at;
  };
  EXPECT_EQ(emitted_at({}, {}, {}), 0);
  EXPECT_EQ(emitted_at(100, 150, 90), 100);
  EXPECT_EQ(emitted_at({}, {}, {}), 150) << "the stop of the block before";
  EXPECT_EQ(emitted_at({}, {}, 120), 120) << "its record's";
  EXPECT_EQ(emitted_at({}, {}, {}), 150) << "the latest known";
}

TEST(Weave, ConnectionTakesTheLaterTimeOfItsEnds) {
  Loom loom;
  const Cid prompt = loom.human("hi");
  const Cid answer = loom.says("hello");
  for (const auto& [cid, thought] : loom.known_web.thoughts) {
    if (thought.type != thought::kConnectionType) continue;
    const thought::Connection connection = *to_connection(thought);
    if (connection.from == prompt && connection.to == answer) {
      EXPECT_EQ(connection.created_at, loom.thought(answer).created_at);
    }
  }
}

// --- the same bytes, the same web ----------------------------------------------------------

TEST(Weave, ToldAgainItAddsNothing) {
  Loom loom;
  const auto story = [&] {
    loom.human("go");
    loom.thinks("a", {"s"});
    loom.calls("t1");
    loom.prints("t1", "x");
    loom.says("done", {{.url = "https://example.org"}});
  };
  story();
  const auto before = loom.known_web.order;
  loom.restart();
  story();
  EXPECT_EQ(loom.known_web.order, before);
  loom.human("and more");
  EXPECT_GT(loom.known_web.order.size(), before.size());
}

TEST(Weave, BlockRestatedOtherwiseSupersedesTheOldOne) {
  Loom loom;
  loom.human("go");
  transcript::Block block{.body = transcript::Text{"draft", {}}, .source_id = "a1"};
  block.start = 5'000;
  const Cid draft = loom.emit(block);
  block.stop = 6'000;
  EXPECT_EQ(loom.emit(block), Cid()) << "equal but for time: adds nothing";
  block.body = transcript::Text{"final", {}};
  const Cid final = loom.emit(block);
  EXPECT_EQ(loom.edges("supersedes"), (std::set<Loom::Triple>{{final, draft, ""}}));
  for (const thought::Thought& held : loom.holding(final))
    EXPECT_EQ(find_int(held.content, "index"), 0);
}

TEST(Weave, BothStatesOfARestatedBlockReadAgainAddNothing) {
  Loom loom;
  const auto story = [&] {
    loom.human("go");
    transcript::Block block{.body = transcript::Text{"draft", {}}, .source_id = "a1"};
    loom.emit(block);
    block.body = transcript::Text{"final", {}};
    loom.emit(block);
    loom.says("and on");
  };
  story();
  const auto before = loom.known_web.order;
  loom.restart();
  story();
  EXPECT_EQ(loom.known_web.order, before);
}

TEST(Weave, OneAuthorIsOneIdentityAcrossConversations) {
  Loom loom;
  loom.human("hi");
  const Cid first = loom.says("hello");
  loom.heading({.session_id = "s2"});
  loom.role.reset();
  loom.human("hi again");
  const Cid second = loom.says("hello again");
  EXPECT_EQ(loom.thought(first).created_by, loom.thought(second).created_by);
  EXPECT_EQ(loom.thought(first).source, loom.thought(second).source);
}

TEST(Weave, ForkSharesItsOriginsThoughtsAndStructure) {
  Loom loom;
  const auto told = [&] {
    loom.next_index = 0;
    loom.next_time = 2'000;
    loom.role.reset();
    return std::vector<Cid>{loom.human("go"), loom.thinks("a"), loom.says("done")};
  };
  const auto origin = told();
  const auto causes = loom.edges("causes");
  loom.heading({.session_id = "fork"});
  told();
  EXPECT_EQ(loom.edges("causes"), causes);
  EXPECT_EQ(loom.of_type("anthropic/response"), Cids{origin[2]});
  EXPECT_EQ(loom.of_type("anthropic/conversation").size(), 2u);
}

TEST(Weave, ForkWovenInTheSameCommitSharesToo) {
  Loom loom;
  loom.hold_commits = true;
  for (const std::string session : {"s1", "fork"}) {
    loom.heading({.session_id = session});
    loom.role.reset();
    loom.next_index = 0;
    loom.next_time = 2'000;
    loom.human("go");
    loom.thinks("a", {"s"});
    loom.says("done");
  }
  loom.hold_commits = false;
  loom.commit();
  EXPECT_EQ(loom.of_type("anthropic/response").size(), 1u);
  EXPECT_EQ(loom.of_type("anthropic/conversation").size(), 2u);
}

TEST(Weave, EqualBlocksInTwoCommitsShareTheirEdges) {
  Loom loom;
  const auto told = [&] {
    transcript::Block block{
        .author = Author::human, .body = transcript::Text{"yes", {}}, .source_id = "r"};
    block.index = loom.next_index++;
    block.start = 5;
    loom.emit(std::move(block));
  };
  told();
  loom.says("ok");
  told();
  loom.says("ok");
  told();
  EXPECT_GE(loom.of_type("anthropic/human_input").size(), 2u);
}

TEST(Weave, SummaryThatComesLaterIsAdded) {
  Loom loom;
  loom.human("go");
  loom.thinks("long");
  loom.restart();
  loom.human("go");
  loom.thinks("long", {"short"});
  EXPECT_EQ(loom.of_type("anthropic/thinking").size(), 1u);
  EXPECT_EQ(loom.of_type("anthropic/thinking_summary").size(), 1u);
}

TEST(Weave, SealModeAllLeavesNoQuotedTextInABecause) {
  Loom loom(crypto::SealMode::all);
  loom.human("who?");
  const Cid answer =
      loom.says("secret words", {{.url = "https://example.org/a", .indices = std::pair{0u, 6u}}});
  EXPECT_EQ(thought::canonical_form(loom.thought(answer)).find("secret"), std::string::npos);
}

TEST(Weave, ConversationOfAnotherOwnerIsLeftAloneAndOursBeginsBesideIt) {
  Loom theirs;
  theirs.human("go");
  Loom ours;
  ours.known_web = theirs.known_web;
  ours.restart();
  ours.human("go");
  const Cids conversations = ours.of_type("anthropic/conversation");
  ASSERT_EQ(conversations.size(), 2u);
  EXPECT_EQ(ours.thought(conversations[1]).created_by, ours.identities.owner().cid);
  EXPECT_FALSE(ours.all_units.at(0).previous);
}

TEST(Weave, HumanNamedByTheIngesterIsClaimedAndNotTheOwner) {
  Loom loom;
  thought::Identities identities(loom.keyring, "Grace");
  Weaver weaver(identities, loom.known_web);
  EXPECT_NE(identities.human().identity.cid, identities.owner().cid);
  EXPECT_EQ(find_string(identities.human().identity.content, "provenance"), "claimed");
  EXPECT_EQ(find_string(loom.identities.human().identity.content, "provenance"), "verified");
}

TEST(Weave, UnnamedModelIsUnknownAndNoFactIsInvented) {
  Loom loom;
  const thought::Voice& voice = loom.identities.model("", "", "input/anthropic_model");
  EXPECT_EQ(find_string(voice.identity.content, "name"), "unknown");
  EXPECT_FALSE(voice.identity.content.contains("provider"));
  EXPECT_FALSE(voice.identity.content.contains("model_family"));
}

}  // namespace
}  // namespace weft::weave

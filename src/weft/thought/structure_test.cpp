#include "weft/thought/structure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/crypto/blake3.hpp"
#include "weft/thought/checkpoint.hpp"

namespace weft::thought {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using enum Subject::Kind;

Cid named(std::string_view name) { return Cid(crypto::blake3(name)); }

Thought of_type(std::string type, json::object content = {}) {
  Thought thought;
  thought.cid = named(type);
  thought.type = std::move(type);
  thought.content = std::move(content);
  return thought;
}

Connection edge(std::string relation) {
  return {.relation = std::move(relation), .from = named("from"), .to = named("to")};
}

TEST(Structure, OfAConnectionIsAboutTheEndThatItChanges) {
  EXPECT_THAT(subjects_of(edge("contains")), ElementsAre(Subject{container, named("from")}));
  EXPECT_THAT(subjects_of(edge("supersedes")), ElementsAre(Subject{block, named("to")}));
  EXPECT_THAT(subjects_of(edge("rework")), ElementsAre(Subject{block, named("to")}));
  EXPECT_THAT(subjects_of(edge("continues")), ElementsAre(Subject{conversation, named("from")}));
  EXPECT_THAT(subjects_of(edge("spawns")),
              ElementsAre(Subject{block, named("from")}, Subject{conversation, named("to")}));
  EXPECT_THAT(subjects_of(edge("returns")),
              ElementsAre(Subject{block, named("from")}, Subject{block, named("to")}));
  EXPECT_THAT(subjects_of(edge("summarizes")),
              ElementsAre(Subject{block, named("from")}, Subject{conversation, named("to")}));
  EXPECT_THAT(subjects_of(to_thought(edge("contains"))), subjects_of(edge("contains")));
  for (const char* comment : {"causes", "sequence", "request_attention", "uses_input"}) {
    EXPECT_THAT(subjects_of(edge(comment)), IsEmpty()) << comment;
  }
}

TEST(Structure, OnlyTheResultOfASubagentMayBeElsewhere) {
  EXPECT_TRUE(may_end_elsewhere(edge("returns")));
  for (const char* other : {"spawns", "continues", "summarizes", "supersedes", "contains"}) {
    EXPECT_FALSE(may_end_elsewhere(edge(other))) << other;
  }
}

TEST(Structure, OfAThoughtIsAboutTheConversationThatItNames) {
  const Cid talk = named("talk");
  const Subject about{conversation, talk};
  EXPECT_THAT(subjects_of(of_type("test/turn", {{"conversation", talk.str()}})),
              ElementsAre(about));
  Thought facts = of_type("test/conversation_facts");
  EXPECT_THAT(subjects_of(facts), IsEmpty());
  facts.because = {{.thought = talk}};
  EXPECT_THAT(subjects_of(facts), ElementsAre(about));
  EXPECT_THAT(subjects_of(of_type("checkpoint", to_content(Checkpoint{.conversation = talk}))),
              ElementsAre(about));
  EXPECT_THAT(subjects_of(of_type("test/turn", {{"conversation", "no CID"}})), IsEmpty());
  EXPECT_THAT(subjects_of(of_type("test/response", {{"conversation", talk.str()}})), IsEmpty());
}

TEST(Security7, NoChainOfContainsLeadsBack) {
  const Thought talk = of_type("test/conversation"), other = of_type("other/conversation");
  const Thought turn = of_type("test/turn", {{"conversation", talk.cid.str()}});
  const Thought response = of_type("test/response");
  EXPECT_TRUE(may_contain(talk, turn));
  EXPECT_TRUE(may_contain(turn, response));
  EXPECT_FALSE(may_contain(other, turn)) << "a turn is of one conversation";
  EXPECT_FALSE(may_contain(talk, response));
  EXPECT_FALSE(may_contain(talk, talk));
  EXPECT_FALSE(may_contain(turn, turn));
  EXPECT_FALSE(may_contain(turn, talk));
  EXPECT_FALSE(may_contain(response, turn));
  EXPECT_FALSE(may_contain(response, response));
  EXPECT_FALSE(may_contain(turn, to_thought(edge("causes"))));
}

}  // namespace
}  // namespace weft::thought

// The tools that read sessions turn by turn.
#include <fstream>

#include "weft/mcp/answers/garden_for_test.hpp"

namespace weft::mcp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string text(const json::object& object, std::string_view member) {
  return std::string(find_string(object, member).value_or("(none)"));
}
std::vector<std::string> members(const json::object& object) {
  std::vector<std::string> names;
  for (const auto& member : object) names.emplace_back(member.key());
  return names;
}

class SessionTools : public testing::Test {
 protected:
  json::object turn(std::string_view session, int number) const {
    const ToolAnswer answer = garden_.call(
        "read_turn", with("session_id", session, "\"turn_number\": " + std::to_string(number)));
    EXPECT_FALSE(answer.is_error) << answer.text;
    return answer.structured;
  }
  Garden garden_;
};

TEST_F(SessionTools, ListHasMainSessionsNewestFirst) {
  const ToolAnswer all = garden_.call("list_conversations", "{}");
  EXPECT_EQ(all.structured.at("total"), 3);
  std::vector<std::string> sessions;
  for (const json::value& row : all.structured.at("conversations").as_array()) {
    sessions.push_back(text(row.as_object(), "session_id"));
  }
  EXPECT_THAT(sessions, ElementsAre(kBeds, kTulips, kHeron));
  const json::object& tulips = all.structured.at("conversations").as_array().at(1).as_object();
  EXPECT_THAT(members(tulips), ElementsAre("session_id", "title", "slug", "summary",
                                           "first_timestamp", "last_timestamp", "turn_count", "cwd",
                                           "git_branch", "project", "conversation_cid"));
  EXPECT_EQ(text(tulips, "title"), "Tulips in the garden");
  EXPECT_TRUE(tulips.at("slug").is_null());
  EXPECT_EQ(text(tulips, "first_timestamp"), "2026-03-01T10:00:01.000Z");
  EXPECT_EQ(text(tulips, "cwd"), "/home/ada/garden");
  EXPECT_EQ(text(tulips, "git_branch"), "main");
  EXPECT_EQ(tulips.at("turn_count"), 1);
  EXPECT_THAT(all.text, HasSubstr("session_id " + std::string(kTulips)));
}

TEST_F(SessionTools, ListNarrowsAndPages) {
  EXPECT_EQ(garden_.call("list_conversations", R"({"project": "garden"})").structured.at("total"),
            2);
  EXPECT_EQ(garden_.call("list_conversations", R"({"project": "nowhere"})").structured.at("total"),
            0);
  const ToolAnswer page = garden_.call("list_conversations", R"({"limit": 1})");
  EXPECT_EQ(page.structured.at("conversations").as_array().size(), 1u);
  EXPECT_EQ(page.structured.at("total"), 3);
  EXPECT_THAT(page.text, HasSubstr(R"(More: list_conversations {"limit":1,"offset":1})"));
  EXPECT_TRUE(garden_.call("list_conversations", R"({"limit": -1})").is_error);
}

TEST_F(SessionTools, ATurnIsWhatAPersonSaysWithTheAnswer) {
  EXPECT_EQ(turn(kTulips, 0),
            parse_json(R"({"session_id": "claude-code:11111111-1111-4111-8111-111111111111",
              "turn_number": 0, "turn": 0, "timestamp": "2026-03-01T10:00:01.000Z",
              "user_text": "where do the tulips stand?",
              "assistant_text": "Seven stand in the south bed.",
              "tools_used": [{"tool": "Bash", "command": "ls beds"},
                             {"tool": "Agent", "task": "look south"}]})")
                ->value.as_object());
  EXPECT_EQ(text(turn(kHeron, 1), "user_text"), "And at night?");
  EXPECT_EQ(text(turn(kHeron, 1), "assistant_text"), "Asleep, too.");
}

TEST_F(SessionTools, CommandsAndTheHarnessAreNoTurns) {
  const json::object first = turn(kBeds, 0);
  EXPECT_EQ(text(first, "user_text"), "what is this?");
  EXPECT_EQ(text(first, "assistant_text"), "A list of beds.");
  EXPECT_EQ(first.at("attachments").as_array().size(), 1u);
  EXPECT_EQ(text(turn(kBeds, 1), "user_text"), "and the roses?");
  EXPECT_EQ(text(turn(kBeds, 1), "assistant_text"), "");
  EXPECT_EQ(text(turn(kBeds, 2), "user_text"), "go on");
  EXPECT_EQ(text(turn(kBeds, 2), "assistant_text"), "Going on.");
  const ToolAnswer beyond =
      garden_.call("read_turn", with("session_id", kBeds, R"("turn_number": 3)"));
  EXPECT_TRUE(beyond.is_error);
  EXPECT_THAT(beyond.text, HasSubstr("its turns are 0 to 2\n"));
  EXPECT_THAT(beyond.text, HasSubstr("read_conversation {"));
}

TEST_F(SessionTools, WhatIsFoundCanBeReadThere) {
  // In the words of a person, an answer, a tool's output, a command and a subagent.
  for (const auto& [query, session, number] : {std::tuple("heron", std::string(kHeron), 0),
                                               {"asleep", std::string(kHeron), 1},
                                               {"north", std::string(kTulips), 0},
                                               {"going", std::string(kBeds), 2},
                                               {"overloaded", std::string(kBeds), 1},
                                               {"pull", std::string(kBeds), 0},
                                               {"matches", std::string(kAgent), 0}}) {
    const ToolAnswer found = garden_.call("search_conversations", with("query", query));
    ASSERT_EQ(found.structured.at("total"), 1) << query;
    const json::object& best = found.structured.at("results").as_array().at(0).as_object();
    EXPECT_EQ(text(best, "session_id"), session) << query;
    EXPECT_EQ(best.at("turn_number"), number) << query;
    const json::object read = turn(text(best, "session_id"), number);
    EXPECT_EQ(text(read, "session_id"), session);
    EXPECT_EQ(text(read, "timestamp"), text(best, "timestamp")) << query;
    EXPECT_THAT(found.text, HasSubstr("read_turn {\"session_id\":\"" + session +
                                      "\",\"turn_number\":" + std::to_string(number) + "}"));
  }
}

// "/model large" and "!git pull" open turns of their own in the web, and none here.
TEST_F(SessionTools, WhatStandsInOneTurnIsOneResult) {
  const ToolAnswer all = garden_.call("search_conversations", R"({"query": "large pull"})");
  EXPECT_EQ(all.structured.at("total"), 1);
  EXPECT_EQ(all.structured.at("results").as_array().size(), 1u);
}

TEST_F(SessionTools, SearchNarrowsAndPages) {
  const std::string in_beds = "\"session_id\": \"" + std::string(kBeds) + "\"";
  const ToolAnswer in_all = garden_.call("search_conversations", R"({"query": "beds"})");
  EXPECT_EQ(in_all.structured.at("total"), 4);
  const ToolAnswer in_one = garden_.call("search_conversations", with("query", "beds", in_beds));
  EXPECT_EQ(in_one.structured.at("total"), 3);
  EXPECT_EQ(garden_.call("search_conversations", R"({"query": "heron", "project": "garden"})")
                .structured.at("total"),
            0);
  const ToolAnswer page =
      garden_.call("search_conversations", R"({"query": "role:human", "limit": 2})");
  EXPECT_EQ(page.structured.at("results").as_array().size(), 2u);
  const ToolAnswer rest =
      garden_.call("search_conversations", R"({"query": "role:human", "limit": 9, "offset": 2})");
  EXPECT_EQ(rest.structured.at("results").as_array().size(), 4u);
  EXPECT_EQ(rest.structured.at("total"), 6);
  const ToolAnswer none =
      garden_.call("search_conversations", R"({"query": "x", "session_id": "nobody"})");
  EXPECT_TRUE(none.is_error);
  EXPECT_THAT(none.text, HasSubstr("list_conversations"));
}

TEST_F(SessionTools, AConversationIsReadInPages) {
  const ToolAnswer page =
      garden_.call("read_conversation", with("session_id", kBeds, R"("offset": 1, "limit": 1)"));
  EXPECT_THAT(members(page.structured),
              ElementsAre("session_id", "title", "project", "cwd", "git_branch", "total_turns",
                          "offset", "limit", "turns", "next_offset"));
  EXPECT_EQ(page.structured.at("total_turns"), 3);
  EXPECT_EQ(page.structured.at("turns").as_array().size(), 1u);
  EXPECT_EQ(page.structured.at("turns").as_array().at(0).at("turn_number"), 1);
  EXPECT_THAT(page.text, HasSubstr("turns: 2 to 2 of 3\n"));
  EXPECT_THAT(page.text, HasSubstr(R"("offset":2,)"));
  const ToolAnswer all = garden_.call("read_conversation", with("session_id", kBeds));
  EXPECT_EQ(all.structured.at("turns").as_array().size(), 3u);
  EXPECT_FALSE(all.structured.contains("next_offset"));
  EXPECT_THAT(all.text, HasSubstr("\nperson:\n  go on\nassistant:\n  Going on.\n"));
  EXPECT_THAT(all.text, Not(HasSubstr("large")));
  const ToolAnswer beyond =
      garden_.call("read_conversation", with("session_id", kBeds, R"("offset": 7)"));
  EXPECT_TRUE(beyond.structured.at("turns").as_array().empty());
}

TEST_F(SessionTools, ABareIdWillDoWhileOneIsMeant) {
  const std::string_view bare = kTulips.substr(kTulips.find(':') + 1);
  EXPECT_EQ(text(turn(bare, 0), "session_id"), kTulips);
  EXPECT_EQ(text(turn(garden_.cid_of(kTulips), 0), "session_id"), kTulips);
  // Another format has a session of that name, too.
  std::ofstream(garden_.dir() / "in" / "other.txt")
      << "Title: Other\nModel: claude-x\nSession: " << bare
      << "\n\nHuman:\nContent:\n[{\"type\":\"text\",\"text\":\"hm\"}]\n\n"
      << std::string(80, '=') << "\n";
  garden_.ingest(garden_.dir() / "in" / "other.txt");
  const ToolAnswer both =
      garden_.call("read_turn", with("session_id", bare, R"("turn_number": 0)"));
  EXPECT_TRUE(both.is_error);
  EXPECT_THAT(both.text, HasSubstr(std::string(kTulips)));
  EXPECT_THAT(both.text, HasSubstr("anthropic-transcript:" + std::string(bare)));
}

TEST_F(SessionTools, ASubagentIsOneTurnOfItsOwn) {
  const json::object agent = turn(std::string(kAgent), 0);
  EXPECT_EQ(text(agent, "user_text"), "");
  EXPECT_EQ(agent.at("tools_used"), parse_json(R"([{"tool": "Grep", "query": "tulip"}])")->value);
  EXPECT_TRUE(garden_
                  .call("read_turn", with("session_id", std::string(kTulips) + "/subagent:none",
                                          R"("turn_number": 0)"))
                  .is_error);
}

TEST_F(SessionTools, CommandsAreToldWhereNothingElseIsSaid) {
  std::ofstream(garden_.dir() / "in" / "33333333-3333-4333-8333-333333333333.jsonl")
      << R"({"parentUuid":null,"isSidechain":false,"sessionId":"33333333-3333-4333-8333-333333333333","cwd":"/home/ada/garden","version":"2.1.300","uuid":"c1","timestamp":"2026-03-01T10:00:01.000Z","type":"user","message":{"role":"user","content":"<command-name>/weed</command-name>"}})"
      << "\n";
  garden_.ingest(garden_.dir() / "in" / "33333333-3333-4333-8333-333333333333.jsonl");
  const json::object only = turn("33333333-3333-4333-8333-333333333333", 0);
  EXPECT_EQ(text(only, "user_text"), "/weed");
}

TEST(SealedSessions, SayThatTheyAreSealed) {
  Garden garden(crypto::SealMode::all);
  garden.use_keys(Keys::metadata);
  const ToolAnswer answer =
      garden.call("read_turn", with("session_id", kTulips, R"("turn_number": 0)"));
  ASSERT_FALSE(answer.is_error) << answer.text;
  EXPECT_TRUE(answer.structured.at("user_text").is_null());
  EXPECT_TRUE(answer.structured.at("assistant_text").is_null());
  EXPECT_EQ(answer.structured.at("sealed"), true);
  EXPECT_EQ(answer.structured.at("tools_used"),
            parse_json(R"([{"tool": "Bash"}, {"tool": "Agent"}])")->value);
  EXPECT_THAT(answer.text, HasSubstr("person: (sealed)\n"));
  EXPECT_THAT(answer.text, HasSubstr("weft keys export --layer content"));
  EXPECT_FALSE(garden.call("read_conversation", with("session_id", kTulips)).is_error);
  EXPECT_FALSE(garden.call("list_conversations", "{}").is_error);
  garden.use_keys(Keys::none);
  EXPECT_FALSE(garden.call("read_conversation", with("session_id", kTulips)).is_error);
  EXPECT_FALSE(garden.call("search_conversations", R"({"query": "tulips"})").is_error);
}

}  // namespace
}  // namespace weft::mcp

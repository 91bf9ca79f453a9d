// What a session of pi is: its name, its facts, what it used and what it comes from.
#include <gtest/gtest.h>

#include "weft/formats/adapters/pi/pi_for_test.hpp"

namespace weft::formats {
namespace {

using pi::answer;
using pi::entry;
using pi::kHeader;
using pi::message;
using pi::read;
using pi::read_one;
using pi::user;

TEST(Pi, TakesItsNameAndItsFolderFromTheHeader) {
  const Conversation session = read_one(kHeader + user("u", "", "hi"), {.project = "p"});
  EXPECT_EQ(session.heading.format, "pi");
  EXPECT_EQ(session.heading.program, "pi");
  EXPECT_EQ(session.heading.provider, "");
  EXPECT_EQ(session.heading.session_id, "s1");
  EXPECT_EQ(session.heading.source, "primary");
  EXPECT_EQ(session.facts.cwd, "/w/p");
  EXPECT_EQ(session.facts.project, "p");
}

TEST(Pi, NamesASessionWithoutHeaderByItsFirstRecord) {
  const Conversation session = read_one(user("u", "", "hi"));
  EXPECT_TRUE(session.heading.session_id.starts_with("b3:"));
  EXPECT_EQ(session.heading.session_id.size(), 19u);
  EXPECT_EQ(outline(session), "human u: hi");
}

TEST(Pi, ASessionThatOnlyHasAHeaderIsAConversationWithoutTurns) {
  const Collector read_so_far = read(kHeader);
  ASSERT_EQ(read_so_far.conversations.size(), 1u);
  EXPECT_TRUE(read_so_far.conversations[0].turns.empty());
}

TEST(Pi, UsageIsTheSumOfAllThatWasSpent) {
  const Conversation session =
      read_one(kHeader +
               message("a", "",
                       R"("role":"assistant","content":"x","usage":{"input":1,"output":2,)"
                       R"("cacheRead":3,"cacheWrite":4,"cost":{"total":0.5}})") +
               message("b", "",
                       R"("role":"assistant","content":"x","usage":{"input":10,)"
                       R"("cache":{"read":30,"write":40}})") +
               message("c", "",
                       R"("role":"assistant","content":"x","usage":{"output":-5,)"
                       R"("cacheCreation":400})") +
               entry("compaction", "d", "", R"("summary":"s","usage":{"input":100})"));
  EXPECT_EQ(session.facts.usage, (transcript::Usage{111, 2, 33, 444}));
}

TEST(Pi, UsageBeyondAllBoundsStaysAtTheBound) {
  const std::string most = R"("usage":{"input":9223372036854775807})";
  const Conversation session =
      read_one(kHeader + message("a", "", R"("role":"assistant","content":"x",)" + most) +
               message("b", "", R"("role":"assistant","content":"x",)" + most));
  EXPECT_EQ(session.facts.usage.value().input, 2 * 1'000'000'000'000);
}

TEST(Pi, TheTitleIsTheLastNameGiven) {
  const std::string line = R"({"type":"title","v":1,"title":"first","pad":"   "})"
                           "\n";
  EXPECT_EQ(read_one(line + kHeader).facts.title, "first");
  EXPECT_EQ(read_one(line + kHeader + entry("session_info", "i", "", R"("name":"second")") +
                     entry("title_change", "j", "", R"("title":"third")"))
                .facts.title,
            "third");
  EXPECT_EQ(read_one(line + kHeader + entry("session_info", "i", "", "")).facts.title, "");
  EXPECT_EQ(read_one(kHeader).facts.title, std::nullopt);
}

TEST(Pi, ATitleWithoutASessionIsReported) {
  const Collector collector = read(R"({"type":"title","v":1,"title":"first"})");
  EXPECT_TRUE(collector.conversations.empty());
  EXPECT_EQ(reasons_of(collector.skipped), (std::map<std::string, int>{{"no header", 1}}));
}

TEST(Pi, ToolsAreThoseActivatedLast) {
  EXPECT_EQ(read_one(kHeader +
                     entry("active_tools_change", "t", "", R"("activeToolNames":["read","bash"])"))
                .facts.tools,
            (std::vector<std::string>{"read", "bash"}));
}

TEST(Pi, GoesOnFromTheSessionThatTheHeaderNames) {
  const auto origins = [](std::string_view member) {
    return read_one(R"({"type":"session","version":3,"id":"s1",)" + std::string(member) + "}")
        .origins;
  };
  const std::vector<Origin> from = {{Origin::Kind::continued, "abc"}};
  EXPECT_EQ(origins(R"("parentSession":"/s/--w--/2026-01-01T00-00-00-000Z_abc.jsonl")"), from);
  EXPECT_EQ(origins(R"("parentSession":"C:\\s\\2026-01-01T00-00-00-000Z_abc.jsonl")"), from);
  EXPECT_EQ(origins(R"("parentSession":"abc")"), from);
  EXPECT_EQ(origins(R"("branchedFrom":"/s/abc.jsonl")"), from);
  EXPECT_TRUE(origins(R"("parentSession":"s1")").empty());
  EXPECT_TRUE(origins(R"("parentSession":"")").empty());
}

TEST(Pi, InASubagentsFolderNobodyIsHuman) {
  const Conversation session =
      read_one(kHeader + user("u", "", "look") + answer("a", "u", "seen"),
               {.name = "Scout.jsonl", .directory = "/s/--w--/2026-07-24T06-21-03-508Z_parent1"});
  EXPECT_EQ(outline(session), "system u: *look | assistant a: seen");
  EXPECT_EQ(session.origins,
            (std::vector<Origin>{
                {.kind = Origin::Kind::spawned, .session_id = "parent1", .agent = "Scout"}}));
}

}  // namespace
}  // namespace weft::formats

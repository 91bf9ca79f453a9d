// A hundred thousand thoughts deep: walked to the root, in memory that does not grow with it.
#include "program.hpp"

namespace weft::test {
namespace {

TEST(Deep, WhyWalksAHundredThousandThoughtsToTheFirstWord) {
  constexpr int kRounds = 50'000;
  const std::string line(80, '=');
  std::string talk;
  for (int i = 0; i < kRounds; ++i) {
    const std::string n = std::to_string(i);
    talk += "Human:\nContent:\n[{\"type\":\"text\",\"text\":\"q" + n + "\"}]\n\n" + line + "\n";
    talk += "Assistant:\nContent:\n[{\"type\":\"text\",\"text\":\"a" + n + "\"}]\n\n" + line + "\n";
  }
  Weft weft;
  const json::object ingested = weft.json({"ingest", weft.write("talk.txt", talk)});
  const std::string conversation =
      text(list(ingested, "conversations").at(0).get_object(), "conversation_cid");
  const json::object last =
      weft.json({"walk", conversation, "--turn", std::to_string(2 * kRounds - 1)});
  const json::object turn = list(last, "turns").at(0).get_object();
  const std::string answer = text(list(turn, "thoughts").at(0).get_object(), "cid");

  const json::object why = weft.json({"why", answer});
  const json::array thoughts = list(why, "thoughts");
  EXPECT_EQ(thoughts.size(), 2u * kRounds);
  EXPECT_EQ(number(thoughts.back().get_object(), "depth"), 2 * kRounds - 1);
  EXPECT_EQ(text(thoughts.back().get_object().at("content").get_object(), "text"), "q0");
  EXPECT_EQ(why.at("truncated"), false);

  const json::object limited = weft.json({"why", answer, "--limit", "10"});
  EXPECT_EQ(list(limited, "thoughts").size(), 10u);
  EXPECT_EQ(limited.at("truncated"), true);
}

// From any response to the first word of a person before it.
TEST(Deep, WhyFromEveryResponseReachesTheFirstHumanInput) {
  Weft weft;
  const std::string fixtures =
      std::string(WEFT_SOURCE_DIR) + "/tests/fixtures/anthropic_transcript/";
  for (const char* name :
       {"two-rounds.txt", "every-block.txt", "turns.json", "results-in-human.txt"}) {
    const json::object ingested = weft.json({"ingest", fixtures + name});
    const std::string conversation =
        text(list(ingested, "conversations").at(0).get_object(), "conversation_cid");
    std::string first_human;
    for (const json::value& turn : list(weft.json({"walk", conversation}), "turns")) {
      for (const json::value& value : list(turn.get_object(), "thoughts")) {
        const json::object& thought = value.get_object();
        if (text(thought, "type") == "anthropic/human_input" && first_human.empty()) {
          first_human = text(thought, "cid");
        }
        if (text(thought, "type") != "anthropic/response" || first_human.empty()) continue;
        bool reached = false;
        for (const json::value& cause :
             list(weft.json({"why", text(thought, "cid")}), "thoughts")) {
          reached = reached || text(cause.get_object(), "cid") == first_human;
        }
        EXPECT_TRUE(reached) << name << " " << text(thought, "cid");
      }
    }
  }
}

}  // namespace
}  // namespace weft::test

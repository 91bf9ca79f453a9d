// Secrets: listed by weft secrets, masked in what goes to agents and in excerpts, and untouched in
// the store.
#include <map>

#include "sources_for_test.hpp"
#include "stdio_client.hpp"

namespace weft::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Valid tokens that no service issued.
constexpr std::string_view kToken = "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";
constexpr std::string_view kAws = "AKIAQ7WZK3LT2MNB5VXC";

class SecretsInSession : public testing::Test {
 protected:
  void SetUp() override {
    Session session(kOne);
    session.human("push with " + std::string(kToken) + " please");
    session.calls_with("c1", "Bash",
                       {{"command", "curl -H 'Authorization: " + std::string(kToken) + "'"}});
    session.prints("c1", "aws_access_key_id = " + std::string(kAws) + "\nthe pier is sound");
    session.says("Pushed.");
    append(place(weft_, kOne), session.text());
    ASSERT_EQ(weft_({"ingest"}).exit, 0);
  }
  Weft weft_;
};

TEST_F(SecretsInSession, EachValueIsListedOnceWithItsPlaces) {
  const Ran ran = weft_({"secrets", "--json"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  const json::object answer = weft_.json({"secrets"});
  const json::array& found = list(answer, "secrets");
  ASSERT_EQ(found.size(), 2u);
  std::map<std::string, json::object> by_rule;
  for (const json::value& one : found) by_rule[text(one.as_object(), "rule")] = one.as_object();
  const json::object& github = by_rule.at("github-token");
  EXPECT_EQ(number(github, "count"), 3) << "the prompt, which is the title, and the call";
  EXPECT_EQ(number(github, "conversations"), 1);
  EXPECT_LT(number(github, "last_seen"), 1'780'000'000'000) << "of a block, not of a commit";
  EXPECT_EQ(text(github, "fingerprint").size(), 64u);
  EXPECT_EQ(list(github, "places").size(), 3u);
  EXPECT_THAT(ran.out, AllOf(Not(HasSubstr(kToken)), Not(HasSubstr(kAws))));
  EXPECT_THAT(weft_({"secrets"}).out, AllOf(HasSubstr("github-token"), HasSubstr("aws-access-key"),
                                            Not(HasSubstr(kToken))));
}

TEST_F(SecretsInSession, ValuesAreShownOnATerminalOnly) {
  const Ran ran = weft_({"secrets", "--reveal"});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(ran.out, IsEmpty());
}

TEST_F(SecretsInSession, ExcerptsOfSearchAreMasked) {
  const Ran ran = weft_({"search", "push", "pier", "--json"});
  EXPECT_THAT(ran.out, AllOf(HasSubstr("[secret github-token #"), Not(HasSubstr(kToken)),
                             Not(HasSubstr(kAws))));
}

TEST_F(SecretsInSession, ThoughtsKeepTheirBytes) {
  EXPECT_THAT(weft_({"walk", kOne, "--json"}).out, AllOf(HasSubstr(kToken), HasSubstr(kAws)));
  EXPECT_EQ(weft_({"verify"}).exit, 0);
}

TEST_F(SecretsInSession, AgentsGetMasks) {
  StdioClient agent(WEFT_BINARY, {"mcp"}, weft_.environment, StdioClient::Stderr::ignored);
  int id = 0;
  for (const auto& [tool, arguments] : std::vector<std::pair<std::string, json::object>>{
           {"wot_walk_sequence", {{"conversation_cid", kOne}}},
           {"wot_thought_search", {{"query", "push pier"}}},
           {"list_conversations", {}}}) {
    agent.send({{"jsonrpc", "2.0"},
                {"id", ++id},
                {"method", "tools/call"},
                {"params", modern_params({{"name", tool}, {"arguments", arguments}})}});
    const std::string answer = canonical_json(agent.answer_to(id));
    EXPECT_THAT(answer, AllOf(Not(HasSubstr(kToken)), Not(HasSubstr(kAws)))) << tool;
    EXPECT_THAT(answer, HasSubstr("[secret ")) << tool;
  }
  agent.close_stdin();
  EXPECT_EQ(agent.wait(), 0);
}

}  // namespace
}  // namespace weft::test

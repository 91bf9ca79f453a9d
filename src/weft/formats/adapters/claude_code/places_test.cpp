#include "weft/formats/adapters/claude_code/places.hpp"

#include "weft/formats/adapters/claude_code/claude_code_for_test.hpp"

namespace weft::formats::claude_code {
namespace {

constexpr std::string_view kSession = "0b5c1f52-94d1-4c0e-8a55-0d1f6f6a7c01";

Environment environment(std::map<std::string, std::string, std::less<>> variables) {
  return [variables](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

TEST(ClaudeCodePlaces, AreInTheHomeOrWhereTheEnvironmentSays) {
  using Paths = std::vector<std::string>;
  EXPECT_EQ(folders(environment({{"HOME", "/h"}})), (Paths{"/h/.claude/projects"}));
  EXPECT_EQ(folders(environment({{"HOME", "/h"}, {"CLAUDE_CONFIG_DIR", "/c"}})),
            (Paths{"/c/projects"}));
  EXPECT_EQ(folders(environment({{"HOME", "/h"}, {"CLAUDE_CONFIG_DIRS", "/a:/b,/h/.claude"}})),
            (Paths{"/h/.claude/projects", "/a/projects", "/b/projects"}));
  EXPECT_TRUE(folders(environment({})).empty());
}

TEST(ClaudeCodePlaces, LeaveAloneWhatIsNoSession) {
  const std::string side = "/c/projects/-p/" + std::string(kSession);
  EXPECT_EQ(ignore_reason(side + ".jsonl"), std::nullopt);
  EXPECT_EQ(ignore_reason(side + "/subagents/agent-a1.jsonl"), std::nullopt);
  EXPECT_EQ(ignore_reason(side + "/subagents/agent-a1.meta.json"), "sidecar");
  EXPECT_EQ(ignore_reason(side + "/subagents/agent-acompact-a1.jsonl"), std::nullopt);
  EXPECT_EQ(ignore_reason(side + "/subagents/workflows/r/journal.jsonl"), "journal");
  EXPECT_EQ(ignore_reason(side + "/tool-results/x.txt"), "tool-result");
  EXPECT_EQ(ignore_reason(side + "/workflows/scripts/x.js"), "script");
  EXPECT_EQ(ignore_reason("/c/projects/-p/sessions-index.json"), "index");
  EXPECT_EQ(ignore_reason("/c/history.jsonl"), "prompt-history");
}

TEST(ClaudeCodePlaces, NameTheProjectByTheFolderThatItsOwnFolderIsCalledAfter) {
  const std::string head =
      "{\"type\":\"mode\"}\n{\"cwd\":\"/home/ada/tea/src\"}\n{\"cwd\":\"/home/ada/tea\"}\n";
  const std::string path = "/c/projects/-home-ada-tea/" + std::string(kSession);
  EXPECT_EQ(project(path + ".jsonl", head), "tea");
  EXPECT_EQ(project(path + "/subagents/agent-x.jsonl", head), "tea");
  EXPECT_EQ(project("/c/projects/elsewhere/x.jsonl", head), "src");
  EXPECT_EQ(project("/c/projects/--tea/x.jsonl", ""), "tea");
  EXPECT_EQ(project("x.jsonl", ""), "");
}

TEST(ClaudeCodePlaces, NameTheProjectOfAPathWithLettersBeyondAscii) {
  EXPECT_EQ(project("/c/projects/-home-t-e/x.jsonl", "{\"cwd\":\"/a\"}\n{\"cwd\":\"/home/tée\"}\n"),
            "tée");
}

TEST(ClaudeCodePlaces, ReadTheFolderFromALineOfWhichOnlyTheBeginningIsThere) {
  EXPECT_EQ(
      project("/c/p/x.jsonl", R"({"parentUuid":null,"cwd":"/home/tea","message":{"content":"ab)"),
      "tea");
}

TEST(ClaudeCodeRecognise, KnowsItsFiles) {
  const std::pair<std::string_view, Confidence> cases[] = {
      {R"({"type":"user","uuid":"u","parentUuid":null,"sessionId":"s","message":{"content":"hi"}})",
       Confidence::yes},
      {R"({"type":"file-history-snapshot","messageId":"m","snapshot":{}})", Confidence::yes},
      {R"({"type":"summary","summary":"x","leafUuid":"y"})", Confidence::yes},
      {R"({"type":"mode","mode":"normal","sessionId":"s"})", Confidence::maybe},
      {R"({"type":"user","message":{"content":"hi"}})", Confidence::maybe},
      {"not json\n"
       R"({"type":"user","message":{"content":"hi"}})",
       Confidence::maybe},
      {R"({"parentUuid":null,"isSidechain":false,"message":{"content":"the line goes on)",
       Confidence::yes},
      {R"({"loglines":[{"type":"user","message":{"content":"hi"}}]})", Confidence::yes},
  };
  for (const auto& [head, confidence] : cases) EXPECT_EQ(recognises(head), confidence) << head;
}

TEST(ClaudeCodeRecognise, LeavesItsLookAlikesToOthers) {
  for (
      const std::string_view head :
      {R"({"type":"user","uuid":"u","parentUuid":null,"sessionId":"s","message":{"parts":[]}})",
       R"({"type":"system","uuid":"u","parentUuid":null,"sessionId":"s","systemPayload":{}})",
       R"({"type":"user","uuid":"u","sessionId":"session-0b5c1f52-94d1-4c0e-8a55-0d1f6f6a7c01","message":{"content":"hi"}})",
       R"({"type":"system","subtype":"init","session_id":"s","uuid":"u"})",
       R"({"type":"user","session_id":"s","message":{"role":"user","content":"hi"}})",
       R"({"role":"user","message":{"content":[]}})", R"({"agentType":"x","toolUseId":"y"})",
       R"({"type":"message","id":"m","message":{"role":"user","content":[]}})", "", "[1]", "{}"}) {
    EXPECT_EQ(recognises(head), Confidence::no) << head;
  }
}

}  // namespace
}  // namespace weft::formats::claude_code

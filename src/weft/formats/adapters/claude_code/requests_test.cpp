// Model requests of Claude Code's sessions.
#include "weft/formats/adapters/claude_code/claude_code_for_test.hpp"

namespace weft::formats::claude_code {
namespace {

using transcript::Request;

// A line of the message `id` with one word and this usage; `more` are further members of the line.
std::string spoken(std::string_view uuid, std::string_view id, std::string_view usage,
                   std::string_view more = "", std::string_view word = "hi") {
  return R"({"type":"assistant","uuid":")" + std::string(uuid) +
         R"(","sessionId":"s1","requestId":"req_1","timestamp":"2026-03-01T10:00:02Z")" +
         std::string(more) + R"(,"message":{"role":"assistant","id":")" + std::string(id) +
         R"(","model":"claude-x","content":[{"type":"text","text":")" + std::string(word) +
         R"("}],"usage":{)" + std::string(usage) + "}}}\n";
}

TEST(ClaudeCodeRequests, HaveCacheWritesByTheirTime) {
  const std::string usage =
      R"("input_tokens":1,"output_tokens":2,"cache_read_input_tokens":30,)"
      R"("cache_creation_input_tokens":999,"cache_creation":{"ephemeral_5m_input_tokens":10,)"
      R"("ephemeral_1h_input_tokens":20},"service_tier":"standard","speed":"fast")";
  const Read all = read(spoken("a", "m1", usage, R"(,"costUSD":0.12,"isSidechain":false)"));
  ASSERT_EQ(all.only().requests.size(), 1u);
  const Request& request = all.only().requests[0];
  EXPECT_EQ(request.message_id, "m1");
  EXPECT_EQ(request.request_id, "req_1");
  EXPECT_EQ(request.model, "claude-x");
  EXPECT_EQ(request.time, parse_iso8601("2026-03-01T10:00:02Z"));
  EXPECT_EQ(
      request.tokens,
      (transcript::Tokens{
          .input = 1, .output = 2, .cache_read = 30, .cache_write_5m = 10, .cache_write_1h = 20}));
  EXPECT_EQ(request.tier, "standard");
  EXPECT_EQ(request.speed, "fast");
  EXPECT_EQ(request.stated_cost, 120'000'000);
  EXPECT_FALSE(request.is_sidechain);
}

TEST(ClaudeCodeRequests, AreEmittedAgainOnlyWithBetterCounts) {
  const Read all = read(spoken("a", "m1", R"("input_tokens":1,"output_tokens":2)", "", "one") +
                        spoken("b", "m1", R"("input_tokens":1,"output_tokens":2)", "", "two") +
                        spoken("c", "m1", R"("input_tokens":1,"output_tokens":700)", "", "three"));
  ASSERT_EQ(all.only().requests.size(), 2u);
  EXPECT_EQ(all.only().requests[1].tokens.output, 700);
}

TEST(ClaudeCodeRequests, OfAdvisorsAreTheirOwn) {
  const std::string usage =
      R"("input_tokens":1,"output_tokens":2,"iterations":[)"
      R"({"type":"message","input_tokens":1,"output_tokens":2},{"type":"advisor_message",)"
      R"("model":"claude-y","input_tokens":50,"output_tokens":5}])";
  const Read all = read(spoken("a", "m1", usage));
  ASSERT_EQ(all.only().requests.size(), 2u);
  EXPECT_EQ(all.only().requests[1].model, "claude-y");
  EXPECT_EQ(all.only().requests[1].message_id, "m1:advisor:0");
  EXPECT_EQ(all.only().requests[1].tokens.input, 50);
}

TEST(ClaudeCodeRequests, AreReadWhereNoWordWasKept) {
  const Read all = read(R"({"timestamp":"2026-01-09T10:00:00.000Z","sessionId":"s1","message":{)"
                        R"("role":"assistant","id":"m1","model":"claude-x","usage":{)"
                        R"("input_tokens":100,"output_tokens":50}},"requestId":"r1"})"
                        "\n");
  ASSERT_EQ(all.only().requests.size(), 1u);
  EXPECT_EQ(all.only().requests[0].tokens.input, 100);
}

}  // namespace
}  // namespace weft::formats::claude_code

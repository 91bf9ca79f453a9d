// Model requests of Codex's sessions.
#include <gtest/gtest.h>

#include "weft/formats/adapters/codex/codex_for_test.hpp"

namespace weft::formats::codex {
namespace {

using transcript::Collector;
using transcript::Request;

std::string counted(std::string_view last, std::string_view total, int second) {
  const std::string of_last =
      last.empty() ? "" : R"("last_token_usage":{)" + std::string(last) + "},";
  return event("token_count",
               R"("info":{)" + of_last + R"("total_token_usage":{)" + std::string(total) + "}}",
               second);
}

constexpr std::string_view kFirst =
    R"("input_tokens":100,"cached_input_tokens":60,"output_tokens":20,"reasoning_output_tokens":8)";
constexpr std::string_view kBoth =
    R"("input_tokens":250,"cached_input_tokens":160,"output_tokens":25,"reasoning_output_tokens":9)";

TEST(UxB5, InputOfCodexIsCountedWithoutCache) {
  const Collector all = read(meta() + line("turn_context", R"("model":"gpt-5-codex")") + user("a") +
                             counted(kFirst, kFirst, 2));
  ASSERT_EQ(all.conversations.at(0).requests.size(), 1u);
  const Request& request = all.conversations[0].requests[0];
  EXPECT_EQ(request.model, "gpt-5-codex");
  EXPECT_EQ(request.time, parse_iso8601("2026-09-01T08:00:02Z"));
  EXPECT_EQ(request.tokens,
            (transcript::Tokens{.input = 40, .output = 20, .cache_read = 60, .reasoning = 8}));
  EXPECT_EQ(request.stated_input, 100);
}

TEST(CodexRequests, AreTheDifferencesWhereOnlyTotalsAreStated) {
  const Collector all = read(meta() + user("a") + counted("", kFirst, 2) + counted("", kFirst, 3) +
                             counted("", kBoth, 4));
  ASSERT_EQ(all.conversations.at(0).requests.size(), 2u);
  EXPECT_EQ(all.conversations[0].requests[1].tokens,
            (transcript::Tokens{.input = 50, .output = 5, .cache_read = 100, .reasoning = 1}));
}

}  // namespace
}  // namespace weft::formats::codex

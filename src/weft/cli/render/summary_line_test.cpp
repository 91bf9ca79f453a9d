#include "weft/cli/render/summary_line.hpp"

#include <gtest/gtest.h>

namespace weft::cli {
namespace {

std::string summary_of(std::string_view kind, json::object content) {
  return summary_line(
      {{"type", std::string("anthropic/").append(kind)}, {"content", std::move(content)}});
}

TEST(Gist, SaysOfSealedReasoningHowMuchThereIsAndNothingElse) {
  const json::object boxes{{"content", "xc20p:00:AAAA"}};
  EXPECT_EQ(summary_of("thinking", {{"$layers", boxes}}), "(sealed)");
  EXPECT_EQ(summary_of("thinking", {{"chars", 1812},
                                    {"duration_ms", 1084},
                                    {"cut_off", false},
                                    {"withheld", false},
                                    {"$layers", boxes}}),
            "(sealed, 1,812 chars, 1.1 s)");
  EXPECT_EQ(summary_of("thinking", {{"withheld", true}, {"chars", 0}, {"reasoning", ""}}),
            "(withheld by its provider)");
  EXPECT_EQ(summary_of("response", {{"$layers", boxes}}), "(sealed)");
}

TEST(Gist, ShowsReasoningThatTheKeysOpen) {
  EXPECT_EQ(summary_of("thinking", {{"reasoning", "Heat\nloss."}, {"chars", 10}}), "Heat loss.");
}

TEST(Gist, SaysWhatAToolIsAskedAndWhatItPrinted) {
  EXPECT_EQ(summary_of("tool_request", {{"tool_name", "Bash"}, {"input", {{"command", "ls"}}}}),
            "Bash ls");
  EXPECT_EQ(summary_of("tool_request",
                       {{"tool_name", "Read"}, {"input", {{"file_path", "lib/\x1b[1mloom.ex"}}}}),
            "Read lib/␛[1mloom.ex");
  EXPECT_EQ(summary_of("tool_request", {{"tool_name", "odd"}, {"input", {{"x", 1}}}}),
            R"(odd {"x":1})");
  EXPECT_EQ(summary_of("tool_request", {{"tool_name", "Bash"}, {"display_text", "List files"}}),
            "Bash: List files");
  EXPECT_EQ(summary_of("tool_result", {{"tool_name", "Bash"}, {"result_text", "a\nb"}}),
            "Bash: a b");
  EXPECT_EQ(
      summary_of("tool_result", {{"tool_name", "Bash"}, {"result_text", "no"}, {"is_error", true}}),
      "Bash failed: no");
}

TEST(Gist, IsSafeForATerminalWhateverTheTranscriptHolds) {
  EXPECT_EQ(summary_of("response", {{"text", "\x1b[2Jgone"}}), "␛[2Jgone");
  EXPECT_EQ(summary_of("tool_result", {{"tool_name", "\x1b[1m"}, {"result_text", "x"}}), "␛[1m: x");
}

TEST(ThoughtLine, CutsTheWordsAndNothingElse) {
  const ThoughtLine line{.kind = "response",
                         .cid = "3f2a91c0b1d2",
                         .when = "14:42:13",
                         .who = "claude",
                         .words = "To keep the other one warm; and it costs less."};
  EXPECT_EQ(line.str({}, 200),
            "response  3f2a91c0b1d2 14:42:13  claude  "
            "To keep the other one warm; and it costs less.");
  EXPECT_EQ(line.str({}, 60), "response  3f2a91c0b1d2 14:42:13  claude  To keep the other…");
}

}  // namespace
}  // namespace weft::cli

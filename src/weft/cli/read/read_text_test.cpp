#include <gtest/gtest.h>

#include "weft/cli/read/call_line.hpp"
#include "weft/cli/read/edits.hpp"
#include "weft/cli/read/markdown.hpp"
#include "weft/cli/read/spans.hpp"

namespace weft::cli {
namespace {

const Style kPlainStyle;
const Style kColourStyle{.colours = true};
using Text = std::vector<std::string>;

Text markdown(std::string_view text, const Style& style, std::size_t columns = Style::kUnlimited) {
  Text lines;
  render_markdown(text, {style, columns, "  "},
                  [&](std::string_view line) { lines.emplace_back(line); });
  return lines;
}

TEST(ReadSpans, WrapsAtBlanksAndBesideWideCharacters) {
  EXPECT_EQ(wrapped({{"the loom is stuck"}}, kPlainStyle, 9), (Text{"the loom", "is stuck"}));
  EXPECT_EQ(wrapped({{"織機を速くする"}}, kPlainStyle, 9), (Text{"織機を速", "くする"}));
  EXPECT_EQ(wrapped({{"aaaaaaaaaaaaaaaaaaaa"}}, kPlainStyle, 8),
            (Text{"aaaaaaaa", "aaaaaaaa", "aaaa"}));
  EXPECT_EQ(wrapped({{"a bb", Colour::red}}, kColourStyle, 80), (Text{"\x1b[31ma bb\x1b[0m"}));
  EXPECT_EQ(wrapped({{""}}, kPlainStyle, 80, {"> ", ""}), (Text{">"}));
}

TEST(ReadSpans, KeepsAFamilyOfEmojiTogether) {
  const std::string family = "👨‍👩‍👧";
  for (const std::string& line : wrapped({{"xxxxxxx " + family}}, kPlainStyle, 9)) {
    const bool has_all = line.find(family) != std::string::npos;
    EXPECT_TRUE(has_all || line == "xxxxxxx") << line;
  }
}

TEST(ReadSpans, MeasuresWithoutColoursAndReplacesTabs) {
  EXPECT_EQ(painted_width("\x1b[31m織機\x1b[0m x"), 6u);
  EXPECT_EQ(without_tabs("a\tb"), "a   b");
}

TEST(ReadMarkdown, ShowsEmphasisByColoursAndKeepsMarksWithout) {
  EXPECT_EQ(markdown("## Two", kColourStyle), (Text{"  \x1b[1mTwo\x1b[0m"}));
  EXPECT_EQ(markdown("## Two", kPlainStyle), (Text{"  ## Two"}));
  EXPECT_EQ(markdown("a **b** `c`", kColourStyle), (Text{"  a \x1b[1mb\x1b[0m \x1b[36mc\x1b[0m"}));
  EXPECT_EQ(markdown("a **b** `c`", kPlainStyle), (Text{"  a **b** `c`"}));
  EXPECT_EQ(markdown("- one\n  - two", kColourStyle), (Text{"  • one", "    • two"}));
}

TEST(ReadMarkdown, LeavesNamesAndLoneMarksAlone) {
  for (const char* text : {"snake_case_name and 2 * 3 * 4", "**open", "`open", "a*b*c", "[x](y"}) {
    EXPECT_EQ(markdown(text, kColourStyle), (Text{"  " + std::string(text)}));
  }
}

TEST(ReadMarkdown, CodeIsNotRead) {
  EXPECT_EQ(markdown("```\n**a**\n# b\n```\nc", kColourStyle),
            (Text{"      \x1b[36m**a**\x1b[0m", "      \x1b[36m# b\x1b[0m", "  c"}));
}

TEST(ReadMarkdown, TablesThatFitHaveColumns) {
  EXPECT_EQ(markdown("| a | bbb |\n|---|---|\n| cc | d |", kPlainStyle),
            (Text{"  a  │ bbb", "  cc │ d"}));
}

TEST(ReadMarkdown, NothingControlsTheTerminal) {
  const Text lines = markdown("a\x1b[2Jb\u009b\n`\x07`", kColourStyle);
  EXPECT_EQ(lines.at(0), "  a␛[2Jb\uFFFD");
  EXPECT_EQ(lines.at(1), "  \x1b[36m␇\x1b[0m");
}

TEST(ReadMarkdown, TakesTimeThatGrowsWithTheText) {
  std::string hostile;
  for (int i = 0; i < 20'000; ++i) hostile += "**_`[";
  EXPECT_FALSE(markdown(hostile, kColourStyle, 80).empty());
}

Edits edits(json::value input, std::string_view tool = "Edit") {
  return edits_of({{"tool_name", tool}, {"input", std::move(input)}});
}
std::string drawn(const Edits& edits) {
  std::string out;
  for (const EditLine& line : edits.lines) out += std::string(1, line.sign) + line.text + "\n";
  return out;
}

TEST(ReadEdits, KnowsTheArgumentsOfManyTools) {
  EXPECT_EQ(drawn(edits({{"file_path", "x"}, {"old_string", "a\nb\n"}, {"new_string", "a\nc\n"}})),
            " a\n-b\n+c\n");
  EXPECT_EQ(drawn(edits({{"path", "x"}, {"old_str", "a"}, {"new_str", "b"}})), "-a\n+b\n");
  EXPECT_EQ(drawn(edits({{"path", "x"}, {"content", "a\nb"}}, "Write")), "+a\n+b\n");
  EXPECT_EQ(drawn(edits({{"path", "x"}, {"content", "a\nb"}}, "TodoRead")), "");
  const json::value two = {
      {"file_path", "x"},
      {"edits",
       {{{"old_string", "a"}, {"new_string", "b"}}, {{"old_string", "c"}, {"new_string", "d"}}}}};
  EXPECT_EQ(drawn(edits(two, "MultiEdit")), "-a\n+b\n@…\n-c\n+d\n");
  EXPECT_EQ(
      drawn(edits("*** Begin Patch\n*** Update File: x\n-a\n+b\n*** End Patch", "apply_patch")),
      "@change x\n-a\n+b\n");
  EXPECT_TRUE(edits({{"command", "ls"}}, "Bash").empty());
}

TEST(ReadCalls, AreToldApart) {
  const json::object edit{
      {"tool_name", "Edit"},
      {"input",
       {{"file_path", "/home/ada/looms/lib/a.ex"}, {"old_string", "a"}, {"new_string", "b\nc"}}}};
  const CallLine line = call_line(edit, edits_of(edit), "/home/ada/looms");
  EXPECT_EQ(line.tool, "Edit");
  EXPECT_EQ(line.argument, "lib/a.ex");
  EXPECT_EQ(line.figures, "+2 -1");
  EXPECT_EQ(call_line({{"tool_name", "Read"}, {"input", {{"file_path", "/home/adamant/x"}}}}, {},
                      "/home/ada")
                .argument,
            "/home/adamant/x");
}

TEST(ReadCalls, HaveOutcomes) {
  EXPECT_EQ(outcome_text(call_result({{"result_text", "Exit code 101\nboom"}, {"is_error", true}})),
            "exit 101");
  EXPECT_EQ(call_result({{"result_text", "Exit code 101\nboom"}}).text, "boom");
  EXPECT_EQ(outcome_text(call_result({{"details", {{"exitCode", 2}}}})), "exit 2");
  EXPECT_EQ(outcome_text(call_result({{"result_text", "no such file"}, {"is_error", true}})),
            "failed");
  EXPECT_EQ(outcome_text(call_result({{"result_text", "fine"}})), "");
}

}  // namespace
}  // namespace weft::cli

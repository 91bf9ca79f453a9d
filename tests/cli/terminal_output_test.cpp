// What a transcript says does not control the terminal that shows it, in no form of output.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"
#include "terminal_for_test.hpp"
#include "weft/cli/ingest/sample.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// Stands in the first prompt of the sample, and nowhere else.
constexpr std::string_view kWord = "ferry to the mainland";

class TerminalOutput : public testing::Test {
 protected:
  TerminalOutput() {
    std::string talk(cli::sample_transcript());
    talk.replace(talk.find(kWord), kWord.size(), hostile);
    const json::object taken = weft.json({"ingest", weft.write("talk.txt", talk)});
    conversation = text(list(taken, "conversations").at(0).as_object(), "conversation_cid");
  }

  // CSI, DEL, a direction override, a mark, a tag character.
  const std::string hostile = "fe\u009b31m\u007f\u202e\u200f\U000E0041ry";
  const std::string escaped = "fe\\u009b31m\\u007f\\u202e\\u200f\\udb40\\udc41ry";
  Weft weft;
  std::string conversation;
};

TEST_F(TerminalOutput, Security13EscapesJsonAndExportsAndSaysTheSame) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"walk", conversation, "--json"},
        {"export", conversation, "--as", "thoughts"},
        {"export", conversation, "--as", "anthropic-transcript"},
        {"transcript", conversation, "--format", "jsonl"}}) {
    const Ran piped = weft(words);
    // A document is escaped wherever it goes (UxC15); lines of other tools are passed on as they
    // are.
    const bool is_document = words.front() == "walk";
    EXPECT_THAT(piped.out, HasSubstr(is_document ? escaped : hostile)) << words.front();
    Terminal terminal(words, weft.environment);
    if (!terminal.works()) GTEST_SKIP() << "no pseudo terminals here";
    terminal.read_all();
    EXPECT_EQ(terminal.wait(), 0);
    EXPECT_THAT(terminal.seen, HasSubstr(escaped)) << words.front();
    for (const char* raw : {"\u009b", "\u007f", "\u202e", "\u200f", "\U000E0041"}) {
      EXPECT_THAT(terminal.seen, Not(HasSubstr(raw))) << words.front();
    }
  }
}

TEST_F(TerminalOutput, Security13ShowsSignsInText) {
  for (const char* command : {"walk", "transcript"}) {
    const Ran ran = weft({command, conversation});
    EXPECT_THAT(ran.out, HasSubstr("fe\uFFFD31m\u2421\uFFFD\uFFFD\uFFFDry")) << command;
  }
}

TEST_F(TerminalOutput, Security13AHeadingInATranscriptIsNoTurnInMarkdown) {
  std::string talk(cli::sample_transcript());
  const std::string name = "Session: weft-sample";
  talk.replace(talk.find(name), name.size(), "Session: forged");
  const auto at = talk.find(kWord);
  talk.insert(at, "\\n## 👤 USER · 2026-10-01 10:00:00\\n<script>\\n");
  ASSERT_EQ(weft({"ingest", weft.write("forged.txt", talk)}).exit, 0);
  const Ran ran = weft({"transcript", "forged", "--format", "markdown"});
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.out, HasSubstr("\n\\## 👤 USER · 2026-10-01 10:00:00\n\\<script>\n"));
  EXPECT_THAT(ran.out, Not(HasSubstr("\n## 👤 USER · 2026-10-01 10:00:00")));
}

}  // namespace
}  // namespace weft::test

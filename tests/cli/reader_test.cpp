// weft read, and the names of sessions, as a person sees them: in terminals of several widths, with
// and without colours, in a pipe.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "program.hpp"
#include "session_lines_for_test.hpp"
#include "terminal_for_test.hpp"
#include "weft/cli/read/spans.hpp"

namespace weft::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A session with everything that a reader shows.
std::string work_session() {
  SessionLines lines("5e55104a-0000-4000-8000-00000000c0de");
  lines.say("user", "2026-11-15T10:00:00Z", "Make the *loom* faster, 織機を速く、🧶 please: שלום");
  lines.say("assistant", "2026-11-15T10:00:02Z",
            json::array{json::object{{"type", "thinking"},
                                     {"thinking", "The shuttle is slow. SECRETWORD"},
                                     {"signature", "c2ln"}}});
  lines.say("assistant", "2026-11-15T10:00:03Z",
            json::array{json::object{{"type", "tool_use"},
                                     {"id", "t1"},
                                     {"name", "Edit"},
                                     {"input",
                                      {{"file_path", "/home/ada/Looms/lib/session.ex"},
                                       {"old_string", "a\nb\nc"},
                                       {"new_string", "a\nB\nB2\nc"}}}}});
  lines.result("2026-11-15T10:00:04Z", "t1", "The file was updated", false);
  lines.say("assistant", "2026-11-15T10:00:05Z",
            json::array{json::object{{"type", "tool_use"},
                                     {"id", "t2"},
                                     {"name", "Bash"},
                                     {"input", {{"command", "cargo test"}}}}});
  std::string output = "Exit code 101\n";
  for (int i = 0; i < 40; ++i) output += "\x1b[31mtest line " + std::to_string(i) + "\x1b[0m\n";
  lines.result("2026-11-15T10:00:09Z", "t2", output, true);
  lines.say("assistant", "2026-11-15T10:00:12Z",
            json::array{json::object{
                {"type", "text"},
                {"text",
                 "# Done\n\nThe **loom** runs `twice` as fast, which is a rather long sentence "
                 "that has to "
                 "be wrapped in every terminal that people use today.\n\n- one\n- two\n\n"
                 "```c\nint main();\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"}}});
  return lines.text();
}

class Reader : public testing::Test {
 protected:
  Reader() {
    weft.environment["TZ"] = "UTC";
    weft.environment["TERM"] = "xterm";
    weft.environment["PAGER"] = "cat";
    const Ran ran = weft({"ingest", weft.write("work.jsonl", work_session())});
    EXPECT_EQ(ran.exit, 0) << ran;
  }
  std::string shown(const std::vector<std::string>& arguments, TerminalSize size,
                    int exit = 0) const {
    Terminal terminal(arguments, weft.environment, size);
    terminal.read_all();
    EXPECT_EQ(terminal.wait(), exit);
    return terminal.seen;
  }

  Weft weft;
};

std::vector<std::string> lines_of(std::string text) {
  std::erase(text, '\r');
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string without_escapes(const std::string& text) {
  return std::regex_replace(text, std::regex("\x1b\\[[0-9;]*m"), "");
}

TEST_F(Reader, ShowsWhatTellsACallApartAndWhatItCameTo) {
  const std::string out = weft({"read", "last"}).out;
  EXPECT_THAT(out, HasSubstr("● Edit lib/session.ex +2 -1"));
  EXPECT_THAT(out, AllOf(HasSubstr("    - b\n"), HasSubstr("    + B\n"), HasSubstr("    + B2\n")));
  EXPECT_THAT(out, HasSubstr("● Bash cargo test exit 101"));
  // Of a result that failed, the end says why.
  EXPECT_THAT(out, AllOf(HasSubstr("test line 39"), HasSubstr("30 more lines: weft get "),
                         Not(HasSubstr("test line 20\n"))));
  EXPECT_THAT(out, Not(HasSubstr("␛")));
  EXPECT_THAT(out, HasSubstr("織機を速く、🧶 please: שלום"));
  EXPECT_THAT(weft({"read", "--full"}).out, HasSubstr("test line 20"));
}

TEST_F(Reader, ShowsReasoningWhenAsked) {
  EXPECT_THAT(weft({"read"}).out, AllOf(HasSubstr("thought"), Not(HasSubstr("SECRETWORD"))));
  EXPECT_THAT(weft({"read", "--thinking"}).out, HasSubstr("┆ The shuttle is slow. SECRETWORD"));
}

TEST_F(Reader, HasAHeading) {
  const std::vector<std::string> lines = lines_of(weft({"read"}).out);
  ASSERT_GT(lines.size(), 4u);
  EXPECT_THAT(lines[0], HasSubstr("Make the *loom* faster"));
  EXPECT_THAT(lines[1], AllOf(HasSubstr("claude-x"), HasSubstr("2026-11-15 10:00:00 – 10:00:12")));
  EXPECT_THAT(lines[2], HasSubstr("claude-code:5e55104a"));
}

TEST_F(Reader, NoLineIsWiderThanTheTerminal) {
  for (const unsigned columns : {60u, 80u, 100u, 160u}) {
    for (const char* command : {"read", "list"}) {
      const std::string text =
          shown({command, "--color", "always"}, {.columns = columns, .rows = 500});
      for (const std::string& line : lines_of(text)) {
        EXPECT_LE(cli::painted_width(line), columns) << command << ": " << line;
      }
    }
  }
}

TEST_F(Reader, RendersMarkdownWithColoursAndKeepsItsMarksWithout) {
  const std::string colours = shown({"read", "--no-pager"}, {.columns = 100});
  EXPECT_THAT(colours, AllOf(HasSubstr("\x1b[1mDone\x1b[0m"), HasSubstr("\x1b[1mloom\x1b[0m"),
                             HasSubstr("\x1b[36mtwice\x1b[0m"), HasSubstr("• one")));
  EXPECT_THAT(without_escapes(colours), Not(HasSubstr("**loom**")));
  const std::string piped = weft({"read"}).out;
  EXPECT_THAT(piped, AllOf(HasSubstr("# Done"), HasSubstr("**loom**"), HasSubstr("`twice`"),
                           HasSubstr("```c"), Not(HasSubstr("\x1b"))));
  weft.environment["NO_COLOR"] = "1";
  EXPECT_THAT(shown({"read", "--no-pager"}, {.columns = 100}), Not(HasSubstr("\x1b")));
  weft.environment.erase("NO_COLOR");
  weft.environment["TERM"] = "dumb";
  EXPECT_THAT(shown({"read"}, {.columns = 100}), Not(HasSubstr("\x1b")));
}

TEST_F(Reader, OpensInThePagerOfThePerson) {
  weft.environment["PAGER"] = "sed 's/^/paged: /'";
  weft.environment["PATH"] = "/usr/bin:/bin";
  EXPECT_THAT(shown({"read"}, {.columns = 80}), HasSubstr("paged: "));
  weft.environment["WEFT_PAGER"] = "cat";
  EXPECT_THAT(shown({"read"}, {.columns = 80}), Not(HasSubstr("paged: ")));
}

TEST_F(Reader, AThoughtOpensAtItsPlaceMarked) {
  const json::object hit =
      list(weft.json({"search", "sentence", "--type", "response"}), "results").at(0).as_object();
  const std::string cid = text(hit, "cid");
  const Ran ran = weft({"read", cid, "-C", "1"});
  EXPECT_THAT(ran.out, testing::ContainsRegex("\n▶ [^\n]*\n  # Done"));
  EXPECT_THAT(ran.out, Not(HasSubstr("Edit lib")));
  EXPECT_THAT(ran.out, HasSubstr("blocks before: weft read "));
  const json::object document = weft.json({"read", cid, "-C", "1"});
  EXPECT_EQ(text(document, "thought_cid"), cid);
  EXPECT_EQ(text(document, "session_id"), "5e55104a-0000-4000-8000-00000000c0de");
  EXPECT_EQ(list(document, "blocks").size(), 2u);
}

TEST_F(Reader, WalkTranscriptAndGetTakeAnyThoughtAndSayWhereItStands) {
  const json::object hit =
      list(weft.json({"search", "sentence", "--type", "response"}), "results").at(0).as_object();
  const std::string cid = text(hit, "cid");
  const Ran walk = weft({"walk", cid});
  EXPECT_THAT(walk.err, AllOf(HasSubstr("turn 1 of Make the"), HasSubstr("conversation")));
  EXPECT_THAT(walk.out, HasSubstr("\n▶"));
  EXPECT_EQ(text(weft.json({"walk", cid}), "thought_cid"), cid);
  EXPECT_THAT(weft({"transcript", cid}).out, AllOf(HasSubstr("# Done"), Not(HasSubstr("cargo"))));
  EXPECT_THAT(weft({"get", cid}).out, testing::ContainsRegex("turn +1\n"));
}

TEST_F(Reader, SearchGroupsBySessionOnATerminalAndShowsContext) {
  const std::string grouped = without_escapes(shown({"search", "loom"}, {.columns = 100}));
  EXPECT_THAT(grouped, HasSubstr("1 more here"));
  EXPECT_THAT(without_escapes(shown({"search", "loom", "--flat"}, {.columns = 100})),
              Not(HasSubstr("more here")));
  EXPECT_THAT(weft({"search", "sentence", "--type", "response", "-C", "1"}).out,
              HasSubstr("  tool_result: Bash failed"));
}

TEST_F(Reader, WordFormsAreSuggestedWhereNothingMatches) {
  const Ran ran = weft({"search", "weaving", "--json"});
  EXPECT_EQ(ran.exit, 1) << ran;
  EXPECT_FALSE(ran.object().contains("suggested")) << "nothing begins like it";
  const json::object answer = weft({"search", "loommm", "--json"}).object();
  EXPECT_EQ(number(answer, "total"), 0);
  EXPECT_TRUE(list(answer, "results").empty());
  const json::object suggested = answer.at("suggested").as_object();
  EXPECT_EQ(text(suggested, "query"), "loom*");
  EXPECT_EQ(number(suggested, "total"),
            static_cast<std::int64_t>(list(suggested, "results").size()));
  EXPECT_FALSE(weft.json({"search", "loom"}).contains("suggested"));
}

TEST_F(Reader, MistypedWordsAreSuggestedFromClearTextAlone) {
  const auto suggested = [&](std::vector<std::string> words) -> std::string {
    words.insert(words.begin(), "search");
    words.emplace_back("--json");
    const Ran ran = weft(words);
    EXPECT_EQ(ran.exit, 1) << ran;
    const json::object answer = ran.object();
    EXPECT_EQ(number(answer, "total"), 0);
    EXPECT_TRUE(list(answer, "results").empty());
    if (!answer.contains("suggested")) return "";
    const json::object other = answer.at("suggested").as_object();
    EXPECT_GT(number(other, "total"), 0);
    return text(other, "query");
  };
  EXPECT_EQ(suggested({"sentnece"}), "sentence");
  EXPECT_EQ(suggested({"setnence", "loommm"}), "sentence loom*") << "each word by itself";
  EXPECT_EQ(suggested({"+sentnece"}), "+sentence");
  EXPECT_EQ(suggested({"sentnece", "--group", "session"}), "sentence");
  EXPECT_EQ(suggested({"sentnece", "--type", "thinking"}), "") << "the filters stay";
  // The keyring opens it, and search finds it; but nobody asked for that word.
  EXPECT_EQ(number(weft.json({"search", "SECRETWORD"}), "total"), 1);
  EXPECT_EQ(suggested({"secretwrod"}), "");
  EXPECT_EQ(suggested({"zzz"}), "");
  EXPECT_EQ(suggested({"1011"}), "") << "a number is no misspelling";
  const std::string screen = without_escapes(shown({"search", "sentnece"}, {.columns = 80}, 1));
  EXPECT_THAT(screen, AllOf(HasSubstr("did you mean: sentence (1 result)"), HasSubstr("response")));
  EXPECT_THAT(weft({"search", "sentnece"}).err, HasSubstr("did you mean: sentence"));
  EXPECT_EQ(weft({"search", "sentnece"}).out, "") << "a pipe gets what was asked for";
}

TEST_F(Reader, UxC1StopWordsAreNamed) {
  const Ran ran = weft({"search", "the"});
  EXPECT_EQ(ran.exit, 1) << ran;
  EXPECT_THAT(ran.err, HasSubstr("the: words as common as this are searched only inside"));
}

TEST_F(Reader, UxC5StatsNameTheirFigures) {
  const std::string out = weft({"stats"}).out;
  for (const char* name :
       {"the model thought", "tools ran, from call to result", "tools waited for a person",
        "input that no cache held", "output, reasoning included", "blocks by model"}) {
    EXPECT_THAT(out, HasSubstr(name));
  }
  EXPECT_THAT(out, testing::ContainsRegex("tools waited for a person +unknown\n"));
  const Ran by_day = weft({"stats", "--by", "day"});
  EXPECT_THAT(by_day.out, AllOf(HasSubstr("thinking  answering  tools  waiting\n"),
                                testing::ContainsRegex("2026-11-15 .* \\?\n")));
  EXPECT_THAT(by_day.err, HasSubstr("tools: from call to result"));
}

TEST_F(Reader, WhyPrintsEverythingIntoAPipe) {
  const std::string cid =
      text(list(weft.json({"search", "sentence"}), "results").at(0).as_object(), "cid");
  const Ran ran = weft({"why", cid});
  const std::size_t thoughts = list(weft.json({"why", cid}), "thoughts").size();
  EXPECT_EQ(lines_of(ran.out).size(), thoughts);
  EXPECT_EQ(ran.out, weft({"why", cid, "--all"}).out);
}

TEST_F(Reader, WhyOfAConversationIsThatOfItsLastAnswer) {
  const std::string cid =
      text(list(weft.json({"search", "sentence"}), "results").at(0).as_object(), "cid");
  EXPECT_EQ(weft({"why", "last"}).out, weft({"why", cid}).out);
  EXPECT_EQ(weft({"why", "@2"}).exit, 1) << "there is no second one";
}

TEST_F(Reader, ListFindsProjectsByAnyPartAndTheCurrentDirectory) {
  EXPECT_EQ(number(weft.json({"list", "--project", "LOOM"}), "total"), 1);
  EXPECT_EQ(number(weft.json({"list", "--project", "spindle"}), "total"), 0);
  EXPECT_EQ(number(weft.json({"list", "--here"}), "total"), 0);
  EXPECT_THAT(weft({"list"}).out, testing::ContainsRegex("session +last change +project"));
}

TEST_F(Reader, UxC7SessionsHaveShortNames) {
  const std::string whole = text(weft.json({"read", "last"}), "conversation_cid");
  for (const char* name : {"@1", "5e55104a", "5e55", "claude-code:5e55104a"}) {
    EXPECT_EQ(text(weft.json({"walk", name}), "conversation_cid"), whole) << name;
    EXPECT_EQ(weft({"stats", name}).exit, 0) << name;
    EXPECT_EQ(weft({"export", name, "--as", "thoughts"}).exit, 0) << name;
  }
  const Ran none = weft({"read", "@2"});
  EXPECT_EQ(none.exit, 1) << none;
  EXPECT_THAT(none.err, HasSubstr("there are only 1 sessions"));
}

}  // namespace
}  // namespace weft::test

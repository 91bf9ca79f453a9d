// The findings of a new user's first afternoon with weft, by their numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "program.hpp"
#include "session_lines_for_test.hpp"
#include "terminal_for_test.hpp"
#include "weft/cli/ingest/sample.hpp"
#include "weft/cli/read/spans.hpp"

namespace weft::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A session in which one answer rests on many tool calls.
std::string long_work(int calls) {
  SessionLines lines("10113000-0000-4000-8000-00000000c0de");
  const auto time = [](int second) {
    std::ostringstream out;
    out << "2026-11-15T1" << second / 3600 << ":" << (second / 600) % 6 << (second / 60) % 10 << ":"
        << (second / 10) % 6 << second % 10 << "Z";
    return out.str();
  };
  lines.say("user", time(0), "PROMPT find the slow shuttle");
  for (int i = 0; i < calls; ++i) {
    const std::string id = "t" + std::to_string(i);
    lines.say("assistant", time(2 * i + 1),
              json::array{json::object{{"type", "tool_use"},
                                       {"id", id},
                                       {"name", "Bash"},
                                       {"input", {{"command", "weave --row " + id}}}}});
    lines.result(time(2 * i + 2), id, "row " + id, false);
  }
  lines.say("assistant", time(2 * calls + 2),
            json::array{json::object{{"type", "text"}, {"text", "ANSWER it was row seven"}}});
  return lines.text();
}

class LongWork : public testing::Test {
 protected:
  LongWork() {
    weft.environment["TZ"] = "UTC";
    weft.environment["TERM"] = "xterm";
    EXPECT_EQ(weft({"ingest", weft.write("long.jsonl", long_work(120))}).exit, 0);
    answer = text(
        list(weft.json({"search", "ANSWER", "--type", "response"}), "results").at(0).as_object(),
        "cid");
  }
  Weft weft;
  std::string answer;
};

class UxC2 : public LongWork {};

TEST_F(UxC2, WhyFitsTheScreenAndNoRowWraps) {
  for (const unsigned columns : {60u, 80u, 100u, 160u, 200u}) {
    for (const bool all : {false, true}) {
      std::vector<std::string> words = {"why", answer};
      if (all) words.emplace_back("--all");
      Terminal terminal(words, weft.environment, {.columns = columns, .rows = 24});
      terminal.read_all();
      EXPECT_EQ(terminal.wait(), 0);
      std::erase(terminal.seen, '\r');
      std::istringstream stream(terminal.seen);
      std::size_t rows = 0;
      for (std::string line; std::getline(stream, line); ++rows) {
        if (line.starts_with("weft: ")) continue;
        EXPECT_LE(cli::painted_width(line), columns) << line;
      }
      if (all) EXPECT_GT(rows, 200u);
      else EXPECT_LE(rows, 24u);
      EXPECT_THAT(terminal.seen, HasSubstr("human_input"));
      EXPECT_THAT(terminal.seen, HasSubstr("response"));
      if (!all) EXPECT_THAT(terminal.seen, HasSubstr(" tool calls"));
    }
  }
  EXPECT_EQ(list(weft.json({"why", answer}), "thoughts").size(), 242u) << "JSON has them all";
  const Ran piped = weft({"why", answer});
  EXPECT_GE(std::ranges::count(piped.out, '\n'), 242) << "and so has a pipe";
  EXPECT_THAT(piped.err, Not(HasSubstr("folded")));
}

TEST(UxC3, HelpSaysWhatBareWeftDoesAndNamesSearch) {
  const Weft weft;
  const Ran help = weft({"--help"});
  EXPECT_THAT(help.out, AllOf(HasSubstr("ingest, follow and serve"), HasSubstr("weft search"),
                              HasSubstr("weft read")));
  const Ran first = weft({});
  EXPECT_THAT(first.out, AllOf(HasSubstr("weft search"), HasSubstr("weft read last"),
                               HasSubstr("weft why "), Not(HasSubstr("weft ingest FILE"))));
  EXPECT_LE(std::ranges::count(first.out, '\n'), 12);
}

TEST(UxC6, BookkeepingIsOneLineAndNoWarning) {
  const Weft weft;
  SessionLines lines("b0001100-0000-4000-8000-00000000c0de");
  lines.say("user", "2026-11-15T10:00:00Z", "hello");
  for (int i = 0; i < 5; ++i) {
    lines.add({{"type", "progress"},
               {"uuid", "p" + std::to_string(i)},
               {"sessionId", "b0001100-0000-4000-8000-00000000c0de"},
               {"timestamp", "2026-11-15T10:00:01Z"}});
  }
  const std::string path = weft.write("talk.jsonl", lines.text());
  const Ran ran = weft({"ingest", path});
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("5 bookkeeping records of the tools hold no words"),
                             Not(HasSubstr("skipped"))));
  EXPECT_THAT(weft({"ingest", path, "--verbose"}).exit, 0);
}

TEST(UxC8, IngestAndImportNameEachOther) {
  const Weft weft;
  const std::string talk = weft.write("talk.txt", cli::sample_transcript());
  ASSERT_EQ(weft({"ingest", talk}).exit, 0);
  ASSERT_EQ(weft({"export", "last", "--as", "thoughts", "--out", weft.path("web.jsonl")}).exit, 0);
  EXPECT_THAT(weft({"ingest", weft.path("web.jsonl")}).err, HasSubstr("weft import "));
  EXPECT_THAT(weft({"import", talk}).err, HasSubstr("weft ingest "));
}

TEST(UxC9, TheOwnerSignsNotTheModel) {
  const Weft weft;
  ASSERT_EQ(weft({"ingest", weft.write("talk.txt", cli::sample_transcript())}).exit, 0);
  const std::string cid = text(
      list(weft.json({"search", "sailing", "--type", "response"}), "results").at(0).as_object(),
      "cid");
  EXPECT_THAT(weft({"get", cid}).out, HasSubstr("signature  by the owner of this store"));
}

TEST(UxC10, WrongUsageIsADocumentToo) {
  const Weft weft;
  for (const std::vector<std::string>& words : {std::vector<std::string>{"lsit", "--json"},
                                                {"list", "--jsno", "--json"},
                                                {"get", "--json"},
                                                {"--json", "lsit"}}) {
    const Ran ran = weft(words);
    EXPECT_EQ(ran.exit, 2) << ran;
    const json::object error = ran.object().at("error").as_object();
    EXPECT_EQ(text(error, "code"), "invalid_input");
    EXPECT_FALSE(text(error, "message").empty());
  }
}

TEST(UxC11, KeysAreNotWrittenIntoAFileOfEverybody) {
  const Weft weft;
  ASSERT_EQ(weft({"init"}).exit, 0);
  const std::string file = weft.path("metadata.json");
  const Ran ran = run_program(
      "/bin/bash",
      {"-c", "umask 022; exec \"$0\" keys export --layer metadata > \"$1\"", WEFT_BINARY, file},
      weft.environment);
  EXPECT_EQ(ran.exit, 3) << ran;
  EXPECT_THAT(ran.err, HasSubstr("--out FILE"));
  EXPECT_EQ(std::filesystem::file_size(file), 0u);
}

TEST(UxC12, MarksDifferFromTheStarsOfMarkdown) {
  const Weft weft;
  SessionLines lines("57a25000-0000-4000-8000-00000000c0de");
  lines.say("user", "2026-11-15T10:00:00Z", "**Analyzing migration strategy**");
  ASSERT_EQ(weft({"ingest", weft.write("talk.jsonl", lines.text())}).exit, 0);
  EXPECT_THAT(weft({"search", "migration"}).out, HasSubstr("**Analyzing ‹migration› strategy**"));
}

TEST(UxC13, OrdinaryOptionsWorkAsElsewhere) {
  const Weft weft;
  EXPECT_EQ(weft({"list", "--color", "always", "--color", "never", "--home", weft.path("h")}).exit,
            1);
  const Ran version = weft({"-V"});
  EXPECT_EQ(version.exit, 0) << version;
  EXPECT_THAT(version.out, testing::StartsWith("weft "));
  EXPECT_THAT(weft({"foo"}).err, Not(HasSubstr("did you mean")));
  EXPECT_EQ(weft({"help", "list"}).out, weft({"list", "--help"}).out);
  EXPECT_EQ(weft({"help"}).out, weft({"--help"}).out);
}

TEST(UxC14, TheSampleSaysHowToRemoveItAndStaysAway) {
  const Weft weft;
  EXPECT_THAT(weft({}).out, HasSubstr("weft forget weft-sample removes it."));
  EXPECT_EQ(weft({"forget", "weft-sample", "--yes"}).exit, 0);
  const Ran again = weft({});
  EXPECT_EQ(again.exit, 1) << again;
  EXPECT_THAT(again.err, AllOf(HasSubstr("no conversations were found"), HasSubstr("weft ingest")));
  EXPECT_EQ(number(weft.json({"list"}), "total"), 0);
}

TEST(UxC15, DocumentsEscapeWhatControlsATerminal) {
  const Weft weft;
  SessionLines lines("c15c15c1-0000-4000-8000-00000000c0de");
  lines.say("user", "2026-11-15T10:00:00Z", "heron \u009b31m \u202e \u2066 \u007f end");
  ASSERT_EQ(weft({"ingest", weft.write("talk.jsonl", lines.text())}).exit, 0);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"search", "heron", "--json"},
        {"read", "--json"},
        {"list", "--json"}}) {
    const Ran ran = weft(words);
    EXPECT_EQ(ran.exit, 0) << ran;
    EXPECT_THAT(ran.out, HasSubstr("\\u009b31m \\u202e \\u2066 \\u007f end")) << words.front();
    for (const char* raw : {"\u009b", "\u202e", "\u2066", "\u007f"}) {
      EXPECT_THAT(ran.out, Not(HasSubstr(raw))) << words.front();
    }
  }
}

TEST(UxB11, TranscriptAndReadFollowByThemselves) {
  Weft weft;
  const std::filesystem::path folder = weft.scratch() / ".claude/projects/-home-ada-Looms";
  std::filesystem::create_directories(folder);
  const std::filesystem::path file = folder / "f0110000-0000-4000-8000-00000000c0de.jsonl";
  SessionLines lines("f0110000-0000-4000-8000-00000000c0de");
  lines.say("user", "2026-11-15T10:00:00Z", "first words");
  std::ofstream(file) << lines.text();
  weft.environment["HOME"] = weft.scratch().string();
  ASSERT_EQ(weft({"ingest"}).exit, 0);
  for (const char* command : {"transcript", "read"}) {
    Terminal terminal({command, "f0110000", "--follow"}, weft.environment);
    if (!terminal.works()) GTEST_SKIP() << "no pseudo terminals here";
    ASSERT_TRUE(terminal.shows("first words")) << terminal.seen;
    const std::string word = std::string("grown-") + command;
    SessionLines more = lines;
    more.say("assistant", "2026-11-15T10:00:05Z",
             json::array{json::object{{"type", "text"}, {"text", word}}});
    std::ofstream(file, std::ios::app) << more.text().substr(lines.text().size());
    lines = more;
    EXPECT_TRUE(terminal.shows(word)) << terminal.seen;
    terminal.kill(SIGINT);
    EXPECT_EQ(terminal.wait(), 0);
  }
}

}  // namespace
}  // namespace weft::test

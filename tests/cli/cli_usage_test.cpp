// The command line itself: options, exit codes, errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/ingest/sample.hpp"

namespace weft::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

void expect_wrong_usage(const Ran& ran, std::string_view says) {
  EXPECT_EQ(ran.exit, 2) << ran;
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, StartsWith("weft: "));
  EXPECT_THAT(ran.err, HasSubstr(std::string(says)));
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran;
}

TEST(Usage, WrongUsageIsOneLineAndExitCode2) {
  const Weft weft;
  expect_wrong_usage(weft({"lsit"}), "did you mean 'list'?");
  expect_wrong_usage(weft({"photograph"}), "weft --help");
  expect_wrong_usage(weft({"list", "--jsno"}), "--json");
  expect_wrong_usage(weft({"list", "extra"}), "extra");
  expect_wrong_usage(weft({"get"}), "CID is required");
  expect_wrong_usage(weft({"ingest", "--source", "nonsense:/tmp"}), "anthropic-transcript");
  expect_wrong_usage(weft({"ingest", "--source", "/tmp"}), "FORMAT:DIR");
  expect_wrong_usage(weft({"restore"}), "SESSION|FILE is required");
  expect_wrong_usage(weft({"why", "12345678", "--depth", "deep"}), "--depth");
  expect_wrong_usage(weft({"why", "12345678", "--depth", "-1"}), "--depth");
  expect_wrong_usage(weft({"list", "--limit", "010"}), "--limit");
  expect_wrong_usage(weft({"list", "--since", "someday"}), "is not a time");
  expect_wrong_usage(weft({"ingest", "x", "--format", "nonsense"}), "anthropic-transcript");
  expect_wrong_usage(weft({"connections", "12345678", "--direction", "up"}), "--direction");
  expect_wrong_usage(weft({"export", "x", "--as", "nonsense"}), "--as");
  expect_wrong_usage(weft({"verify", "--head", "12"}), "64 lower-case hex digits");
  expect_wrong_usage(weft({"keys"}), "show, export, import");
  expect_wrong_usage(weft({"keys", "export"}), "--layer");
  expect_wrong_usage(weft({"list", "--store", "mysql://x"}), "sqlite:PATH");
  expect_wrong_usage(weft({"list", "--store", "postgres://x"}), "postgres://host/database");
  expect_wrong_usage(weft({"list", "--color", "maybe"}), "--color");
  expect_wrong_usage(weft({"init", "--name", ""}), "--name");
  EXPECT_FALSE(std::filesystem::exists(weft.home()));
}

TEST(Usage, EveryCommandHasHelpWithExamples) {
  const Weft weft;
  const Ran overview = weft({"--help"});
  EXPECT_EQ(overview.exit, 0);
  for (const cli::Command* command : cli::all_commands()) {
    const std::string name(command->name);
    EXPECT_THAT(overview.out, HasSubstr("\n  " + name + " "));
    const Ran help = weft({name, "--help"});
    EXPECT_EQ(help.exit, 0) << help;
    EXPECT_EQ(help.err, "");
    EXPECT_THAT(help.out, HasSubstr("Usage: weft " + name));
    EXPECT_THAT(help.out, HasSubstr("Examples\n  weft"));
    EXPECT_THAT(help.out, HasSubstr("See also: weft "));
    EXPECT_THAT(help.out, HasSubstr("--json"));
  }
  EXPECT_THAT(weft({"keys", "export", "--help"}).out, HasSubstr("--layer"));
  EXPECT_FALSE(std::filesystem::exists(weft.home()));
}

TEST(Usage, ExamplesAndSeeAlsoNameCommandsThatExist) {
  for (const cli::Command* command : cli::all_commands()) {
    for (std::string_view text : {command->examples, command->see_also}) {
      for (std::size_t at = text.find("weft "); at != std::string_view::npos;
           at = text.find("weft ", at + 1)) {
        const std::string_view rest = text.substr(at + 5);
        const std::string_view word = rest.substr(0, rest.find_first_of(" ,)\n"));
        EXPECT_NE(cli::find_command(word), nullptr) << command->name << ": " << word;
      }
    }
  }
}

TEST(Usage, SaysItsVersion) {
  const Weft weft;
  EXPECT_THAT(weft({"--version"}).out, testing::MatchesRegex("weft [0-9.]+\n"));
  EXPECT_THAT(keys(weft.json({"--version"})), ElementsAre("version"));
}

TEST(Usage, TakesGlobalOptionsBeforeAndAfterTheCommand) {
  const Weft weft;
  const std::string home = weft.path("elsewhere");
  ASSERT_EQ(weft({"--home", home, "init"}).exit, 0);
  EXPECT_TRUE(std::filesystem::exists(home + "/weft.db"));
  EXPECT_FALSE(std::filesystem::exists(weft.home()));
  const std::string store = "sqlite:" + home + "/weft.db";
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"--json", "--home", home, "list"},
           {"list", "--json", "--home", home},
           {"--home=" + home, "list", "--json"},
           {"--store", store, "list", "--json"},
           {"--json", "list", "--store=" + store, "--keys", home + "/keyring.json"}}) {
    const Ran ran = weft(words);
    EXPECT_EQ(ran.exit, 0) << ran;
    EXPECT_EQ(number(ran.object(), "total"), 0);
  }
}

TEST(Usage, AFileMayBeCalledLikeACommand) {
  const Weft weft;
  const std::string file = weft.write("list", cli::sample_transcript());
  EXPECT_EQ(weft({"ingest", file}).exit, 0);
}

TEST(Usage, ColoursOnlyWhereTheyAreWanted) {
  Weft weft;
  ASSERT_EQ(weft({"ingest", weft.write("talk.txt", cli::sample_transcript())}).exit, 0);
  EXPECT_THAT(weft({"list"}).out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(weft({"list", "--color", "always"}).out, HasSubstr("\x1b["));
  EXPECT_THAT(weft({"list", "--color", "never"}).out, Not(HasSubstr("\x1b")));
}

TEST(Usage, ReadingMakesNothingAndSaysWhatToDo) {
  const Weft weft;
  for (const std::string command : {"list", "stats", "verify"}) {
    const Ran plain = weft({command});
    EXPECT_EQ(plain.exit, 1) << plain;
    EXPECT_EQ(plain.out, "");
    EXPECT_THAT(plain.err, HasSubstr("weft ingest FILE"));
    const Ran ran = weft({command, "--json"});
    EXPECT_EQ(ran.exit, 1);
    EXPECT_EQ(text(ran.object().at("error").as_object(), "code"), "not_found");
    EXPECT_EQ(ran.err, "");
  }
  EXPECT_FALSE(std::filesystem::exists(weft.home()));
}

TEST(Usage, WhatIsNotThereIsAnAnswer) {
  const Weft weft;
  ASSERT_EQ(weft({"init"}).exit, 0);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"get", "0123456789abcdef"},
                                             {"get", "no such name"},
                                             {"why", "cid:blake3:" + std::string(64, 'a')},
                                             {"connections", "0123456789abcdef"},
                                             {"walk", "nobody"},
                                             {"stats", "nobody"},
                                             {"transcript", "nobody"},
                                             {"verify", "nobody"},
                                             {"export", "nobody", "--as", "thoughts"},
                                             {"import", weft.path("no-such-file")},
                                             {"ingest", weft.path("no-such-file")},
                                             {"ingest", weft.write("empty", "")}}) {
    std::vector<std::string> with_json = words;
    with_json.emplace_back("--json");
    const Ran ran = weft(with_json);
    EXPECT_EQ(ran.exit, 1) << words[0] << ": " << ran;
    ran.object();
    EXPECT_EQ(weft(words).exit, 1);
  }
}

TEST(Usage, AStoreThatIsNoneIsAFailureAndForVerifyAnAnswer) {
  const Weft weft;
  const std::string store = "sqlite:" + weft.write("garbage.db", std::string(10'000, 'x'));
  const Ran listed = weft({"list", "--store", store, "--json"});
  EXPECT_EQ(listed.exit, 3) << listed;
  EXPECT_EQ(text(listed.object().at("error").as_object(), "code"), "corrupt");
  EXPECT_EQ(weft({"verify", "--store", store}).exit, 1);
  const Ran doctor = weft({"doctor", "--store", store});
  EXPECT_EQ(doctor.exit, 1);
  EXPECT_THAT(doctor.out, HasSubstr("fail  store"));
}

TEST(Usage, SaysSoWhenTheAnswerCannotBeWritten) {
  const Weft weft;
  const Ran ran =
      run_program("/bin/sh", {"-c", std::string("exec ") + WEFT_BINARY + " --help > /dev/full"},
                  weft.environment);
  EXPECT_EQ(ran.exit, 3) << ran;
  EXPECT_THAT(ran.err, HasSubstr("writing the answer"));
}

TEST(Usage, WeftAloneShowsItselfAtWork) {
  const Weft weft;
  const Ran first = weft({});
  EXPECT_EQ(first.exit, 0) << first;
  EXPECT_THAT(first.out, HasSubstr("this is a small sample"));
  EXPECT_THAT(first.out, HasSubstr("\n  answered  "));
  EXPECT_THAT(first.out, HasSubstr("weft search WORDS"));
  const json::object second = weft.json({"up", "--once"});
  EXPECT_FALSE(second.at("sample").as_bool());
  EXPECT_THAT(list(second, "thoughts"), Not(IsEmpty()));
  EXPECT_EQ(number(weft.json({"list"}), "total"), 1);
}

TEST(Usage, UxC14AskingForSourcesCreatesNothing) {
  const Weft weft;
  for (const std::vector<std::string>& question :
       {std::vector<std::string>{"sources"}, {"sources", "--files"}, {"sources", "--json"}}) {
    const Ran ran = weft(question);
    EXPECT_EQ(ran.exit, 0) << ran;
    EXPECT_FALSE(std::filesystem::exists(weft.home())) << ran;
  }
  const std::string talk = weft.write("talk.txt", cli::sample_transcript());
  EXPECT_THAT(
      list(weft.json({"sources", "--source", "anthropic-transcript:" + weft.path("")}), "sources"),
      Not(IsEmpty()));
  EXPECT_FALSE(std::filesystem::exists(weft.home()));
}

}  // namespace
}  // namespace weft::test

// From nothing to a home: keyrings that are made, transcripts that are odd.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "program.hpp"
#include "weft/cli/ingest/sample.hpp"

namespace weft::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(FirstUse, InitChoosesAndAgainItMustAgree) {
  const Weft weft;
  const json::object made = weft.json({"init", "--name", "Ada Lovelace", "--seal", "all"});
  EXPECT_THAT(text(made, "owner"), StartsWith("cid:blake3:"));
  EXPECT_EQ(text(made, "home"), weft.home().string());
  EXPECT_EQ(weft.json({"init"}), made);
  EXPECT_EQ(weft({"init", "--name", "Ada Lovelace", "--seal", "all"}).exit, 0);
  EXPECT_EQ(weft({"init", "--name", "Grace"}).exit, 1);
  EXPECT_EQ(weft({"init", "--seal", "thinking"}).exit, 1);
  EXPECT_EQ(weft({"init", "--passphrase"}).exit, 1);
}

TEST(FirstUse, SeveralAtOnceEndWithOneKeyringAndOneConversation) {
  const Weft weft;
  const std::string talk = weft.write("talk.txt", cli::sample_transcript());
  std::vector<Ran> runs(4);
  {
    std::vector<std::jthread> threads;
    for (Ran& ran : runs) threads.emplace_back([&] { ran = weft({"ingest", talk, "--json"}); });
  }
  std::int64_t added = 0;
  for (const Ran& ran : runs) {
    EXPECT_EQ(ran.exit, 0) << ran;
    added += number(ran.object(), "new_thoughts");
  }
  EXPECT_EQ(added, number(runs.front().object(), "thought_count"));
  EXPECT_EQ(number(weft.json({"list"}), "total"), 1);
  EXPECT_EQ(weft({"verify"}).exit, 0);
}

TEST(FirstUse, APassphraseIsReadFromItsFile) {
  Weft weft;
  const auto secret = [&](std::string_view name, std::string_view words) {
    const std::string path = weft.write(name, words);
    std::filesystem::permissions(path, std::filesystem::perms(0600));
    return path;
  };
  weft.environment["WEFT_PASSPHRASE_FILE"] = secret("secret", "open sesame\n");
  ASSERT_EQ(weft({"init", "--passphrase"}).exit, 0);
  EXPECT_EQ(weft({"init", "--passphrase"}).exit, 0);
  EXPECT_EQ(weft({"list"}).exit, 0);
  EXPECT_THAT(weft({"doctor"}).out, HasSubstr("with a passphrase"));
  weft.environment["WEFT_PASSPHRASE_FILE"] = secret("wrong", "open barley\n");
  const Ran wrong = weft({"list", "--json"});
  EXPECT_EQ(wrong.exit, 3) << wrong;
  EXPECT_EQ(text(wrong.object().at("error").as_object(), "code"), "denied");
}

TEST(FirstUse, DoctorFindsAFreshMachineInOrder) {
  const Weft weft;
  const Ran fresh = weft({"doctor"});
  EXPECT_EQ(fresh.exit, 0) << fresh;
  EXPECT_THAT(fresh.out, HasSubstr("warn  home"));
  EXPECT_FALSE(std::filesystem::exists(weft.home()));
  ASSERT_EQ(weft({"up", "--once"}).exit, 0);
  for (const json::value& check : list(weft.json({"doctor"}), "checks")) {
    EXPECT_THAT(keys(check.as_object()), ElementsAre("name", "status", "detail"));
    EXPECT_NE(text(check.as_object(), "status"), "fail");
  }
}

TEST(FirstUse, NamesWhatItCouldNotTakeInAndTakesTheRest) {
  const Weft weft;
  std::string talk(cli::sample_transcript());
  talk.replace(talk.find("Human:\nContent:\n["), 17, "Human:\nContent:\n{");
  const Ran ran = weft({"ingest", weft.write("talk.txt", talk)});
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.out, HasSubstr("skipped"));
  EXPECT_THAT(ran.out, testing::ContainsRegex("talk\\.txt:[0-9]+: malformed"));
  EXPECT_THAT(ran.out, Not(HasSubstr("06:40")));
}

TEST(FirstUse, IngestTakesTheNamesItIsGiven) {
  const Weft weft;
  const std::string talk =
      weft.write("talk.txt",
                 "Human:\nContent:\n[{\"type\":\"text\",\"text\":\"Hm?\"}]\n==========\n"
                 "Assistant:\nContent:\n[{\"type\":\"text\",\"text\":\"Yes.\"}]\n");
  const Ran ran = weft({"ingest", talk, "--format", "anthropic-transcript", "--human", "Grace",
                        "--model", "model-x"});
  ASSERT_EQ(ran.exit, 0) << ran;
  const Ran shown = weft({"read"});
  EXPECT_THAT(shown.out, testing::ContainsRegex("Grace · turn 0[^\n]*\n  Hm\\?"));
  EXPECT_THAT(shown.out, testing::ContainsRegex("model-x · turn 1[^\n]*\n  Yes\\."));
  EXPECT_THAT(weft({}).out, testing::ContainsRegex("asked +Hm\\?"));
}

TEST(FirstUse, ATranscriptCannotDriveTheTerminalThatShowsIt) {
  const Weft weft;
  const std::string talk = weft.write(
      "talk.txt",
      "Title: \x1b[2JTitle\nSession: s\n\n"
      "Human:\nContent:\n[{\"type\":\"text\",\"text\":\"\\u001b]0;x\\u0007Hm?\"}]\n==========\n"
      "Assistant:\nContent:\n[{\"type\":\"text\",\"text\":\"\\u001b[31mYes\\u009b.\"}]\n");
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"ingest", talk},
                                             {},
                                             {"list"},
                                             {"read", "s"},
                                             {"walk", "s"},
                                             {"transcript", "s"},
                                             {"transcript", "s", "--format", "markdown"}}) {
    const Ran ran = weft(words);
    EXPECT_EQ(ran.exit, 0) << ran;
    EXPECT_THAT(ran.out, Not(HasSubstr("\x1b")));
    EXPECT_THAT(ran.out, Not(HasSubstr("\xc2\x9b")));
    EXPECT_THAT(ran.out, Not(HasSubstr("\x07")));
  }
}

}  // namespace
}  // namespace weft::test

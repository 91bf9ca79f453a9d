// Bad input gets a clear message, the rest is ingested, nothing crashes, nothing is half written.
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "program.hpp"

namespace weft::test {
namespace {

const std::string kLine(80, '=');

std::string section(std::string_view role, std::string_view blocks) {
  return std::string(role) + ":\nContent:\n" + std::string(blocks) + "\n\n" + kLine + "\n";
}
std::string text_block(std::string_view words) {
  return "[{\"type\":\"text\",\"text\":\"" + std::string(words) + "\"}]";
}

class BadInput : public testing::Test {
 protected:
  // Ingested beside a good file: the good one is always ingested, the bad one never crashes.
  json::object ingest(const std::string& bad) {
    const std::string good =
        weft.write("good.txt", section("Human", text_block("hello")) +
                                   section("Assistant", text_block("good day")));
    const Ran ran = weft({"ingest", bad, good, "--json"});
    EXPECT_EQ(ran.exit, 0) << ran;
    const json::object report = ran.object();
    EXPECT_GE(list(report, "conversations").size(), 1u);
    EXPECT_EQ(weft({"verify"}).exit, 0);
    return report;
  }
  static std::string reason(const json::object& report, std::size_t i = 0) {
    const json::array skipped = list(report, "skipped");
    return i < skipped.size() ? text(skipped[i].get_object(), "reason") : "(not reported)";
  }
  static std::int64_t line(const json::object& report, std::size_t i = 0) {
    return number(list(report, "skipped").at(i).get_object(), "line");
  }

  Weft weft;
};

TEST_F(BadInput, EmptyFile) {
  EXPECT_EQ(reason(ingest(weft.write("bad.txt", ""))), "the file is empty");
}

TEST_F(BadInput, MissingFile) {
  EXPECT_NE(reason(ingest(weft.path("nowhere.txt"))).find("No such file"), std::string::npos);
}

TEST_F(BadInput, WhatIsNoTranscriptInADirectoryIsNamedAndTheRestOfItTaken) {
  std::filesystem::create_directories(weft.path("folder/deeper.jsonl"));
  weft.write("folder/notes.md", "# nothing of ours");
  weft.write("folder/deeper.jsonl/talk.txt", section("Human", text_block("from deeper")));
  const json::object report = ingest(weft.path("folder"));
  EXPECT_EQ(list(report, "conversations").size(), 2u);
  ASSERT_EQ(list(report, "skipped").size(), 1u);
  EXPECT_EQ(reason(report), "no known format: text");
}

TEST_F(BadInput, FifoThatNobodyWritesToDoesNotHang) {
  const std::string fifo = weft.path("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(reason(ingest(fifo)), "is not a regular file");
}

TEST_F(BadInput, Binary) {
  std::string bytes;
  for (int i = 0; i < 100'000; ++i) bytes += static_cast<char>(i * 7919 % 251);
  EXPECT_NE(reason(ingest(weft.write("bad.bin", bytes))).find("no known format"),
            std::string::npos);
}

TEST_F(BadInput, NothingTakenInIsAnAnswerThatSaysNo) {
  const Ran ran = weft({"ingest", weft.write("bad.txt", "nothing of the kind"), "--json"});
  EXPECT_EQ(ran.exit, 1) << ran;
  EXPECT_EQ(list(ran.object(), "conversations").size(), 0u);
}

// The file has no end of line for a gigabyte; the text before and after it is ingested.
TEST_F(BadInput, LineOfAGigabyteIsLeftOutAndNamed) {
  const std::string path =
      weft.write("bad.txt", section("Human", text_block("before")) + "Assistant:\nContent:\n[\"");
  {
    std::ofstream out(path, std::ios::binary | std::ios::app);
    const std::string megabyte(1u << 20, 'a');
    for (int i = 0; i < 1024; ++i) out << megabyte;
    out << "\"]\n\n" << kLine << "\n" << section("Human", text_block("after"));
  }
  const json::object report = ingest(path);
  EXPECT_NE(reason(report).find("too large"), std::string::npos) << reason(report);
  EXPECT_EQ(list(report, "conversations").size(), 2u);
}

TEST_F(BadInput, JsonNestedAHundredThousandDeep) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  const json::object report = ingest(
      weft.write("bad.txt", section("Human", text_block("before")) + section("Assistant", deep)));
  EXPECT_NE(reason(report).find("nested too deeply"), std::string::npos) << reason(report);
  EXPECT_EQ(line(report), 8);
}

TEST_F(BadInput, ArrayThatIsCutOff) {
  const json::object report =
      ingest(weft.write("bad.txt", section("Human", text_block("before")) +
                                       "Assistant:\nContent:\n[{\"type\":\"text\",\"text\":"
                                       "\"whole\"},\n{\"type\":\"text\",\"te"));
  EXPECT_NE(reason(report).find("malformed"), std::string::npos);
  EXPECT_EQ(line(report), 9);
  EXPECT_EQ(list(report, "conversations").size(), 2u);
}

TEST_F(BadInput, MalformedTurnIsNamedWithItsLineAndTheOthersAreTaken) {
  const json::object report = ingest(
      weft.write("bad.txt", section("Human", text_block("one")) + section("Assistant", "[{oops}]") +
                                section("Human", text_block("two"))));
  EXPECT_EQ(line(report), 8);
  EXPECT_EQ(reason(report).find("oops"), std::string::npos) << "a reason never quotes the text";
}

TEST_F(BadInput, TwoOfARoleInARowAreOneTurn) {
  const json::object report = ingest(weft.write(
      "bad.txt", section("Human", text_block("one")) + section("Human", text_block("two")) +
                     section("Assistant", text_block("three")) +
                     section("Assistant", text_block("four"))));
  const json::object ingested = list(report, "conversations").at(0).get_object();
  EXPECT_EQ(number(ingested, "turn_count"), 2);
}

TEST_F(BadInput, ResultWithoutItsCallStands) {
  const json::object report = ingest(weft.write(
      "bad.txt",
      section("Human", text_block("one")) +
          section("Assistant", R"([{"type":"tool_result","tool_use_id":"lost","content":"x"}])")));
  EXPECT_EQ(list(report, "skipped").size(), 0u);
}

TEST_F(BadInput, BrokenCharactersAreRepairedAndCounted) {
  const json::object report =
      ingest(weft.write("bad.txt", section("Human", text_block("a\xff z \\ud83d b"))));
  ASSERT_EQ(list(report, "warnings").size(), 1u);
  EXPECT_NE(std::string(list(report, "warnings")[0].get_string()).find("2 broken characters"),
            std::string::npos);
}

TEST_F(BadInput, NumbersThatJsonCannotKeepAreKeptAsTheirText) {
  ingest(
      weft.write("bad.txt", section("Human", text_block("one")) +
                                section("Assistant", R"([{"type":"text","text":"x","n":1e400}])")));
  const json::object stats = weft.json({"stats"});
  EXPECT_TRUE(stats.at("by_type").get_object().contains("anthropic/unknown"));
}

TEST_F(BadInput, KeyringThatOthersCanReadIsRefused) {
  ASSERT_EQ(weft({"init"}).exit, 0);
  ::chmod((weft.home() / "keyring.json").c_str(), 0644);
  const Ran ran = weft({"ingest", weft.write("good.txt", section("Human", text_block("hello")))});
  EXPECT_EQ(ran.exit, 3) << ran;
  EXPECT_NE(ran.err.find("chmod 600"), std::string::npos) << ran;
}

std::string long_talk() {
  std::string talk;
  for (int i = 0; i < 3'000; ++i) {
    talk += section("Human", text_block("question " + std::to_string(i) + std::string(400, 'q'))) +
            section("Assistant", text_block("answer " + std::to_string(i) + std::string(400, 'a')));
  }
  return talk;
}

// The message of a failed command, which names the store's file.
std::string failure_of(const Ran& ran, const Weft& weft) {
  EXPECT_EQ(ran.exit, 3) << ran;
  const json::object error = ran.object().at("error").as_object();
  EXPECT_EQ(text(error, "code"), "unavailable") << ran;
  EXPECT_NE(text(error, "message").find((weft.home() / "weft.db").string()), std::string::npos)
      << ran;
  return text(error, "message");
}

// Files may not grow beyond a limit: what a disk that fails looks like to SQLite.
TEST_F(BadInput, AWriteThatFailsIsOneClearErrorAndNothingIsHalfWritten) {
  const std::string path = weft.write("long.txt", long_talk());
  ASSERT_EQ(weft({"ingest", weft.write("good.txt", section("Human", text_block("hello")))}).exit,
            0);
  const std::string before = text(weft.json({"verify"}), "head");
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  rlimit tight{1u << 20, old.rlim_max};
  ::signal(SIGXFSZ, SIG_IGN);  // inherited: a write then fails instead of killing
  ::setrlimit(RLIMIT_FSIZE, &tight);
  const Ran ran = weft({"ingest", path, "--json"});
  ::setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_NE(failure_of(ran, weft).find("reading or writing failed"), std::string::npos) << ran;
  const json::object after = weft.json({"verify"});
  EXPECT_EQ(text(after, "verdict"), "valid");
  ASSERT_EQ(weft({"ingest", path}).exit, 0) << "the next one goes on";
  EXPECT_NE(text(weft.json({"verify"}), "head"), before);
}

TEST_F(BadInput, Security9UxB9AFullDiskSaysThatItIsFull) {
  std::filesystem::create_directory(weft.home());
  if (::mount("tmpfs", weft.home().c_str(), "tmpfs", 0, "size=1500k,mode=700") != 0) {
    GTEST_SKIP() << "only root may mount a small file system";
  }
  const std::string path = weft.write("long.txt", long_talk());
  const Ran ran = weft({"ingest", path, "--json"});
  ::umount2(weft.home().c_str(), MNT_DETACH);
  EXPECT_NE(failure_of(ran, weft).find("the disk is full"), std::string::npos) << ran;
}

// Takes the 30 seconds that are waited for the lock, once.
TEST_F(BadInput, ALockThatStaysSaysSoAndIsWaitedForOnce) {
  ASSERT_EQ(weft({"ingest", weft.write("good.txt", section("Human", text_block("hello")))}).exit,
            0);
  sqlite3* other = nullptr;
  ASSERT_EQ(::sqlite3_open((weft.home() / "weft.db").c_str(), &other), SQLITE_OK);
  ASSERT_EQ(::sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  const auto began = std::chrono::steady_clock::now();
  const Ran ran =
      weft({"ingest", weft.write("more.txt", section("Human", text_block("more"))), "--json"});
  const auto waited = std::chrono::steady_clock::now() - began;
  ::sqlite3_close(other);
  EXPECT_NE(failure_of(ran, weft).find("another process is writing to the store"),
            std::string::npos)
      << ran;
  EXPECT_LT(waited, std::chrono::seconds(55)) << "a second wait would end after 60";
}

}  // namespace
}  // namespace weft::test

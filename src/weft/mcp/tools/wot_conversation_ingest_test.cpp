// The tool that takes a file in, and what it must not read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "weft/mcp/answers/desk_for_test.hpp"
#include "weft/store/web_of_for_test.hpp"

namespace weft::mcp {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kIngest = "wot_conversation_ingest";
constexpr std::string_view kTalk =
    "Title: Beans\nSession: beans\n\nHuman:\nContent:\n"
    "[{\"type\":\"text\",\"text\":\"Where do the beans go?\"}]\n\n==========\n"
    "Assistant:\nContent:\n[{\"type\":\"text\",\"text\":\"By the wall.\"}]\n\n==========\n";

class IngestTool : public testing::Test {
 protected:
  IngestTool() { desk_.context.allowed = {desk_.scratch.path() / "allowed"}; }
  std::string refusal(const fs::path& path) {
    return desk_.refusal(kIngest, {{"transcript_path", path.string()}});
  }
  Desk desk_;
};

TEST_F(IngestTool, TakesAFileInAndNamesItsConversation) {
  const fs::path path = desk_.write("allowed/beans.txt", kTalk);
  const json::object answer = desk_.ask(kIngest, {{"transcript_path", path.string()}});
  const store::ConversationRow row = desk_.store->conversations({})->front();
  EXPECT_EQ(answer.at("conversation_cid"), json::value(row.cid.str()));
  EXPECT_EQ(answer.at("thought_count"), row.thought_count);
  EXPECT_EQ(answer.at("new_thoughts"), row.thought_count);
  ASSERT_EQ(answer.at("conversations").as_array().size(), 1u);
  EXPECT_EQ(answer.at("conversations").at(0).at("title"), "Beans");
  EXPECT_TRUE(answer.at("skipped").as_array().empty());
  ASSERT_FALSE(desk_.notifications.empty());
  EXPECT_EQ(desk_.notifications.back().second.at("progress"), static_cast<double>(kTalk.size()));

  const json::object again = desk_.ask(kIngest, {{"transcript_path", path.string()}});
  EXPECT_EQ(again.at("conversation_cid"), json::value(row.cid.str()));
  EXPECT_EQ(again.at("new_thoughts"), 0u);
}

TEST_F(IngestTool, ReadsInTheFoldersOfSources) {
  const fs::path path = desk_.write("sessions/beans.txt", kTalk);
  EXPECT_THAT(refusal(path), HasSubstr("no such file"));
  desk_.context.sources.folders = {{nullptr, desk_.scratch.path() / "sessions"}};
  desk_.ask(kIngest, {{"transcript_path", path.string()}});
}

TEST_F(IngestTool, SaysTheSameOfWhatIsForbiddenAndOfWhatIsNotThere) {
  const fs::path secret = desk_.write("secret.txt", kTalk);
  desk_.write("allowed/beans.txt", kTalk);
  const fs::path allowed = desk_.scratch.path() / "allowed";
  fs::create_symlink(secret, allowed / "link.txt");
  const std::string expected = refusal(desk_.scratch.path() / "nothing.txt");
  EXPECT_THAT(expected, AllOf(HasSubstr("no such file"), HasSubstr("--allow")));
  EXPECT_EQ(refusal(secret), expected);
  EXPECT_EQ(refusal(allowed / "../secret.txt"), expected);
  EXPECT_EQ(refusal(allowed / "link.txt"), expected);
  EXPECT_EQ(refusal(allowed / "nothing.txt"), expected);
  EXPECT_TRUE(desk_.store->conversations({})->empty());
}

TEST_F(IngestTool, ReadsFilesAloneAndWaitsForNobody) {
  const fs::path allowed = desk_.scratch.path() / "allowed";
  fs::create_directories(allowed / "folder");
  ASSERT_EQ(::mkfifo((allowed / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(refusal(allowed / "folder"), HasSubstr("not a readable file"));
  EXPECT_THAT(refusal(allowed / "pipe"), HasSubstr("not a readable file"));
  EXPECT_THAT(refusal("beans.txt"), HasSubstr("absolute"));
  EXPECT_THAT(refusal("~/beans.txt"), HasSubstr("absolute"));
}

// As if it had been put there between the question and the reading.
TEST_F(IngestTool, TheFileThatIsReadIsTheOneThatWasAllowed) {
  const fs::path secret = desk_.write("secret.txt", kTalk);
  fs::create_directories(desk_.scratch.path() / "allowed");
  fs::create_symlink(secret, desk_.scratch.path() / "allowed/beans.txt");
  ingest::Options options = desk_.options();
  options.paths = {desk_.scratch.path() / "allowed/beans.txt"};
  options.may_read = [&](const fs::path& real) {
    return real.parent_path() == fs::canonical(desk_.scratch.path() / "allowed");
  };
  const auto report = ingest::ingest(*desk_.store, desk_.keyring, options);
  ASSERT_TRUE(report);
  ASSERT_EQ(report->skipped.size(), 1u);
  EXPECT_THAT(report->skipped[0].reason, HasSubstr("may not be read"));
  EXPECT_TRUE(desk_.store->conversations({})->empty());
}

TEST_F(IngestTool, WhatThePersonExcludedStaysOut) {
  const fs::path path = desk_.write("allowed/private/beans.txt", kTalk);
  desk_.context.sources.selection.exclude = {"*/private/*"};
  EXPECT_THAT(refusal(path), HasSubstr("excluded"));
}

TEST_F(IngestTool, SaysWhyNothingWasTaken) {
  const fs::path path = desk_.write("allowed/notes.md", "zanzibar is far away\n");
  EXPECT_THAT(refusal(path),
              AllOf(HasSubstr("Nothing could be ingested"), Not(HasSubstr("zanzi"))));
  desk_.write("allowed/empty.txt", "");
  EXPECT_THAT(refusal(desk_.scratch.path() / "allowed/empty.txt"), HasSubstr("empty"));
}

TEST_F(IngestTool, FormatIsOneThatIsKnown) {
  const Tool& tool = Desk::tool(kIngest);
  EXPECT_FALSE(read_arguments(tool.parameters, {{"transcript_path", "/a"}, {"format", "nope"}}));
  const fs::path path = desk_.write("allowed/beans.txt", kTalk);
  const json::object answer =
      desk_.ask(kIngest, {{"transcript_path", path.string()}, {"format", "anthropic-transcript"}});
  EXPECT_EQ(answer.at("conversations").at(0).at("format"), "anthropic-transcript");
}

TEST_F(IngestTool, WithoutAKeyringThatSignsSaysWhichIsNeeded) {
  const fs::path path = desk_.write("allowed/beans.txt", kTalk);
  desk_.context.keyring = nullptr;
  EXPECT_THAT(refusal(path), HasSubstr("owner's keyring"));
}

TEST_F(IngestTool, OfVeryManyConversationsTheFirstAreListedAndAllCounted) {
  std::string records;
  for (int i = 0; i < 60; ++i) {
    const std::string id = std::to_string(i);
    records += std::string(i == 0 ? "" : ",") + R"({"uuid":"c)" + id + R"(","name":"talk )" + id +
               R"(","created_at":"2026-02-01T10:00:00Z","updated_at":"2026-02-01T10:00:00Z",)" +
               R"("chat_messages":[{"uuid":"m)" + id + R"(","sender":"human","text":"hi )" + id +
               R"(","content":[{"type":"text","text":"hi )" + id +
               R"("}],"created_at":"2026-02-01T10:00:00Z"}]})";
  }
  const fs::path path = desk_.write("allowed/conversations.json", "[" + records + "]");
  const json::object answer = desk_.ask(kIngest, {{"transcript_path", path.string()}});
  EXPECT_EQ(answer.at("conversations").as_array().size(), 50u);
  EXPECT_EQ(answer.at("conversation_count"), 60u);
}

}  // namespace
}  // namespace weft::mcp

// Changes are noticed as soon as they are written, whatever happens to the folders around them.
#include "weft/ingest/discover/watcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "weft/store/scratch_for_test.hpp"

namespace weft::ingest {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class WatcherTest : public testing::Test {
 protected:
  void write(const std::string& name, std::string_view text = "x") {
    fs::create_directories((top_ / name).parent_path());
    std::ofstream(top_ / name, std::ios::binary | std::ios::app) << text;
  }
  void make(const std::string& name) { fs::create_directories(top_ / name); }
  Folder folder(const std::string& format, const std::string& name) {
    return {formats::find_adapter(format), top_ / name};
  }
  Watcher& begin(std::size_t most = std::numeric_limits<std::size_t>::max()) {
    watcher_ = std::make_unique<Watcher>(
        std::vector<Folder>{folder("claude-code", "projects"), folder("opencode", "opencode")},
        most);
    watcher_->begin();
    return *watcher_;
  }
  // The names of the changed files. A notice is available once the call that caused it has
  // returned.
  std::vector<std::string> names(const Changes& changes) {
    EXPECT_FALSE(changes.everything);
    std::vector<std::string> found;
    for (const Found& file : changes.files) {
      found.push_back(file.path.lexically_relative(top_).string() +
                      (file.is_reread ? " anew" : ""));
    }
    return found;
  }
  std::vector<std::string> look() { return names(watcher_->look()); }
  std::vector<std::string> poll() { return names(watcher_->poll()); }

  store::Scratch scratch_;
  fs::path top_ = fs::canonical(scratch_.path());
  std::unique_ptr<Watcher> watcher_;
};

TEST_F(WatcherTest, TellsWhatIsWrittenAndNotWhatWasThere) {
  write("projects/-p/a.jsonl");
  write("projects/-p/b.jsonl");
  begin();
  EXPECT_THAT(look(), IsEmpty());
  write("projects/-p/b.jsonl");
  write("projects/-p/b.jsonl");
  write("projects/-p/c.jsonl");
  EXPECT_THAT(look(), ElementsAre("projects/-p/b.jsonl", "projects/-p/c.jsonl"));
  EXPECT_THAT(look(), IsEmpty());
  EXPECT_EQ(watcher_->polled(), 0u);
}

TEST_F(WatcherTest, TellsWithWhoseFormatAFileWasFound) {
  make("projects");
  begin();
  write("projects/a.jsonl");
  const Changes changes = watcher_->look();
  ASSERT_EQ(changes.files.size(), 1u);
  EXPECT_EQ(changes.files[0].adapter, formats::find_adapter("claude-code"));
}

TEST_F(WatcherTest, ANewFolderIsToldWithAllThatIsInItAlready) {
  make("projects");
  begin();
  write("projects/-p/a.jsonl");
  write("projects/-p/s/subagents/agent-1.jsonl");
  EXPECT_THAT(look(), ElementsAre("projects/-p/a.jsonl", "projects/-p/s/subagents/agent-1.jsonl"));
  write("projects/-p/s/subagents/agent-1.jsonl");
  write("projects/-p/s/subagents/agent-2.jsonl");
  EXPECT_THAT(look(), ElementsAre("projects/-p/s/subagents/agent-1.jsonl",
                                  "projects/-p/s/subagents/agent-2.jsonl"));
}

TEST_F(WatcherTest, AFolderThatIsCalledOtherwiseIsFollowedUnderItsNewName) {
  write("projects/-p/s/a.jsonl");
  begin();
  const std::size_t watched = watcher_->watched();
  fs::rename(top_ / "projects/-p", top_ / "projects/-q");
  EXPECT_THAT(look(), ElementsAre("projects/-q/s/a.jsonl"));
  write("projects/-q/s/a.jsonl");
  EXPECT_THAT(look(), ElementsAre("projects/-q/s/a.jsonl"));
  EXPECT_EQ(watcher_->watched(), watched);
  fs::rename(top_ / "projects/-q", top_ / "away");
  EXPECT_THAT(look(), IsEmpty());
  write("away/s/a.jsonl");
  EXPECT_THAT(look(), IsEmpty());
  EXPECT_EQ(watcher_->watched(), watched - 2);
}

TEST_F(WatcherTest, AFolderThatGoesIsNotWatchedAndOneThatComesBackIs) {
  write("projects/-p/s/a.jsonl");
  begin();
  const std::size_t watched = watcher_->watched();
  fs::remove_all(top_ / "projects/-p");
  EXPECT_THAT(look(), IsEmpty());
  EXPECT_EQ(watcher_->watched(), watched - 2);
  write("projects/-p/s/a.jsonl");
  EXPECT_THAT(look(), ElementsAre("projects/-p/s/a.jsonl"));
  // Between two looks, so that the system may give both the same number.
  fs::remove_all(top_ / "projects/-p");
  write("projects/-p/s/a.jsonl");
  EXPECT_THAT(look(), ElementsAre("projects/-p/s/a.jsonl"));
  write("projects/-p/s/a.jsonl");
  EXPECT_THAT(look(), ElementsAre("projects/-p/s/a.jsonl"));
}

TEST_F(WatcherTest, ASourceThatIsNotThereYetIsNoticedWhenItComes) {
  watcher_ = std::make_unique<Watcher>(
      std::vector<Folder>{folder("claude-code", "deep/er/.claude/projects")});
  watcher_->begin();
  make("deep");
  EXPECT_THAT(look(), IsEmpty());
  make("deep/er");
  EXPECT_THAT(look(), IsEmpty());
  write("deep/er/.claude/settings.json");
  EXPECT_THAT(look(), IsEmpty());
  write("deep/er/.claude/projects/-p/a.jsonl");
  EXPECT_THAT(look(), ElementsAre("deep/er/.claude/projects/-p/a.jsonl"));
  write("deep/er/.claude/projects/-p/a.jsonl");
  EXPECT_THAT(look(), ElementsAre("deep/er/.claude/projects/-p/a.jsonl"));
}

TEST_F(WatcherTest, ASourceThatWasMovedAwayIsWaitedForAgain) {
  watcher_ = std::make_unique<Watcher>(
      std::vector<Folder>{folder("claude-code", "home/.claude/projects")});
  write("home/.claude/projects/-p/a.jsonl");
  watcher_->begin();
  // The folder itself, and one on the way to it.
  for (const std::string moved : {"home/.claude/projects", "home/.claude", "home"}) {
    SCOPED_TRACE(moved);
    fs::rename(top_ / moved, top_ / ("old-" + fs::path(moved).filename().string()));
    EXPECT_THAT(look(), IsEmpty());
    write("home/.claude/projects/-p/b.jsonl");
    EXPECT_THAT(look(), ElementsAre("home/.claude/projects/-p/b.jsonl"));
    write("home/.claude/projects/-p/b.jsonl");
    EXPECT_THAT(look(), ElementsAre("home/.claude/projects/-p/b.jsonl"));
  }
}

TEST_F(WatcherTest, FilesThatAreLeftAloneAreNotTold) {
  make("projects/-p/s/tool-results");
  begin();
  write("projects/-p/s/tool-results/1.txt");
  write("projects/-p/sessions-index.json");
  EXPECT_THAT(look(), IsEmpty());
}

TEST_F(WatcherTest, ASidecarTellsItsTranscriptToBeReadAnew) {
  write("projects/-p/s/subagents/agent-1.jsonl");
  begin();
  write("projects/-p/s/subagents/agent-1.meta.json");
  write("projects/-p/s/subagents/agent-2.meta.json");
  EXPECT_THAT(look(), ElementsAre("projects/-p/s/subagents/agent-1.jsonl anew"));
}

TEST_F(WatcherTest, ADatabasesLogTellsTheDatabaseUnlessItIsEmpty) {
  write("opencode/opencode.db");
  begin();
  std::ofstream(top_ / "opencode/opencode.db-wal").flush();
  EXPECT_THAT(look(), IsEmpty());
  write("opencode/opencode.db-wal", "frames");
  EXPECT_THAT(look(), ElementsAre("opencode/opencode.db"));
}

TEST_F(WatcherTest, ThePartsOfAConversationTellTheFileThatStandsForIt) {
  write("opencode/storage/session/p1/ses_1.json");
  begin();
  write("opencode/storage/message/ses_1/msg_1.json");
  EXPECT_THAT(look(), ElementsAre("opencode/storage/session/p1/ses_1.json"));
  write("opencode/storage/message/ses_1/msg_2.json");
  EXPECT_THAT(look(), ElementsAre("opencode/storage/session/p1/ses_1.json"));
  write("opencode/storage/session/p1/ses_2.json");
  EXPECT_THAT(look(), ElementsAre("opencode/storage/session/p1/ses_2.json"));
  write("opencode/storage/message/ses_2/msg_3.json");
  EXPECT_THAT(look(), ElementsAre("opencode/storage/session/p1/ses_2.json"));
}

TEST_F(WatcherTest, WhatLiesBehindLinksIsNoticed) {
  write("elsewhere/file.jsonl");
  make("elsewhere/folder");
  make("projects");
  fs::create_symlink(top_ / "elsewhere/file.jsonl", top_ / "projects/a.jsonl");
  begin();
  write("elsewhere/file.jsonl");
  EXPECT_THAT(look(), ElementsAre("projects/a.jsonl"));
  fs::create_directory_symlink(top_ / "elsewhere/folder", top_ / "projects/-p");
  fs::create_directory_symlink(top_ / "projects", top_ / "projects/circle");
  EXPECT_THAT(look(), IsEmpty());
  write("elsewhere/folder/b.jsonl");
  EXPECT_THAT(look(), ElementsAre("projects/-p/b.jsonl"));
}

TEST_F(WatcherTest, AfterLostNoticesEverythingMayHaveChangedAndAllIsFollowedAgain) {
  std::size_t most = 0;
  std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> most;
  if (most == 0 || most > 200'000) GTEST_SKIP() << "more notices than a test can cause: " << most;
  make("projects/-p");
  begin();
  std::ofstream a(top_ / "projects/-p/a.jsonl"), b(top_ / "projects/-p/b.jsonl");
  // In turn, for equal notices in a row are one.
  for (std::size_t i = 0; i <= most; ++i) (i % 2 == 0 ? a : b) << 'x' << std::flush;
  make("projects/-q");  // of this there is no notice any more
  const Changes changes = watcher_->look();
  EXPECT_TRUE(changes.everything);
  EXPECT_THAT(look(), IsEmpty());
  write("projects/-q/c.jsonl");
  EXPECT_THAT(look(), ElementsAre("projects/-q/c.jsonl"));
}

TEST_F(WatcherTest, WithoutWatchesFoldersArePolled) {
  write("projects/-p/a.jsonl");
  begin(0);
  EXPECT_EQ(watcher_->descriptor(), -1);
  EXPECT_EQ(watcher_->watched(), 0u);
  EXPECT_GE(watcher_->polled(), 2u);
  EXPECT_THAT(poll(), IsEmpty());
  write("projects/-p/a.jsonl");
  write("projects/-q/s/b.jsonl");
  EXPECT_THAT(poll(), ElementsAre("projects/-p/a.jsonl", "projects/-q/s/b.jsonl"));
  EXPECT_THAT(poll(), IsEmpty());
  fs::rename(top_ / "projects/-q", top_ / "projects/-r");
  EXPECT_THAT(poll(), ElementsAre("projects/-r/s/b.jsonl"));
  write("projects/-r/s/b.jsonl");
  EXPECT_THAT(poll(), ElementsAre("projects/-r/s/b.jsonl"));
  fs::remove_all(top_ / "projects");
  EXPECT_THAT(poll(), IsEmpty());
  write("projects/-p/c.jsonl");
  EXPECT_THAT(poll(), ElementsAre("projects/-p/c.jsonl"));
  // One that was not there at first.
  write("opencode/storage/session/p1/ses_1.json");
  EXPECT_THAT(poll(), ElementsAre("opencode/storage/session/p1/ses_1.json"));
  write("opencode/storage/message/ses_1/msg_1.json");
  EXPECT_THAT(poll(), ElementsAre("opencode/storage/session/p1/ses_1.json"));
}

TEST_F(WatcherTest, WhereWatchesRunOutTheRestIsPolled) {
  make("projects/-p");
  make("projects/-q");
  begin();
  const std::size_t enough = watcher_->watched();
  begin(enough - 1);
  EXPECT_EQ(watcher_->watched(), enough - 1);
  EXPECT_GE(watcher_->polled(), 1u);
  write("projects/-p/a.jsonl");
  write("projects/-q/b.jsonl");
  std::vector<std::string> changes = look();
  for (const std::string& name : poll()) changes.push_back(name);
  EXPECT_THAT(changes, testing::UnorderedElementsAre("projects/-p/a.jsonl", "projects/-q/b.jsonl"));
}

}  // namespace
}  // namespace weft::ingest

// Git, asked what commits say and changed, in real repositories.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/git/git.hpp"
#include "weft/git/repository_for_test.hpp"

namespace weft::git {
namespace {

using test::ScratchFolder;
using test::TestRepository;
using test::Traps;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr Millis kStart = 1'770'000'000'000;

class GitCommits : public testing::Test {
 protected:
  void SetUp() override {
    repository_.write("loom.py", "warp = 'a long thread'\nweft = 'another thread'\n");
    repository_.at(kStart);
    first_ = repository_.commit("weave\n\nWeft-Thought: x");
    repository_.write("loom.py", "warp = 'a long thread'\nweft = 'a mended thread'\n");
    repository_.write("odd \"name\"\n.py", "one\n");
    repository_.at(kStart + 60'000);
    second_ = repository_.commit("mend");
  }
  Git git() const { return Git(find_repository(repository_.root())->value()); }

  ScratchFolder scratch_;
  TestRepository repository_{scratch_.path() / "looms"};
  std::string first_, second_;
};

TEST_F(GitCommits, AreReadWithTheirPatches) {
  const auto commits = git().commits({first_, std::string(40, 'f')});
  ASSERT_TRUE(commits) << commits.error().message;
  EXPECT_EQ((*commits)[0]->subject(), "weave");
  EXPECT_EQ((*commits)[0]->author, "Ada");
  EXPECT_EQ((*commits)[0]->author_time, kStart);
  EXPECT_FALSE((*commits)[1]);

  const auto patches = git().patches({second_, first_});
  ASSERT_TRUE(patches) << patches.error().message;
  ASSERT_EQ(patches->size(), 2u);
  EXPECT_EQ((*patches)[0].commit, second_);
  EXPECT_THAT((*patches)[0].files,
              testing::Contains(PatchedFile{
                  "loom.py", {"weft = 'a mended thread'"}, {"weft = 'another thread'"}}));
  EXPECT_THAT((*patches)[0].files,
              testing::Contains(PatchedFile{"odd \"name\"\n.py", {"one"}, {}}));
  EXPECT_EQ((*patches)[1].files.at(0).added.size(), 2u) << "the first commit";
  // What git itself calls the patch, also after it was made again elsewhere.
  repository_.git({"checkout", "-q", "-b", "side", first_});
  repository_.write("other.py", "another file\n");
  repository_.commit("aside");
  repository_.git({"cherry-pick", second_});
  const auto again = git().patches({repository_.head()});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->at(0).id, patches->at(0).id);
  EXPECT_EQ(patches->at(0).id.size(), 40u);
  EXPECT_NE(patches->at(0).id, patches->at(1).id);
}

TEST_F(GitCommits, HaveNotesInEveryFolderOfTheirTree) {
  EXPECT_THAT(git().notes("refs/notes/ai", {first_}).value(), ElementsAre(std::nullopt));
  repository_.git({"notes", "--ref=ai", "add", "-m", "claimed", second_});
  EXPECT_THAT(git().notes("refs/notes/ai", {first_, second_}).value(),
              ElementsAre(std::nullopt, "claimed\n"));
  // As git spreads many notes.
  repository_.write("note", "spread\n");
  const std::string blob = repository_.git({"hash-object", "-w", "note"}).substr(0, 40);
  repository_.git({"read-tree", "--empty"});
  repository_.git({"update-index", "--add", "--cacheinfo",
                   "100644," + blob + "," + first_.substr(0, 2) + "/" + first_.substr(2)});
  const std::string tree = repository_.git({"write-tree"}).substr(0, 40);
  const std::string commit = repository_.git({"commit-tree", "-m", "notes", tree}).substr(0, 40);
  repository_.git({"update-ref", "refs/notes/ai", commit});
  EXPECT_THAT(git().notes("refs/notes/ai", {first_}).value(), ElementsAre("spread\n"));
}

TEST_F(GitCommits, FollowFilesThatWereMoved) {
  repository_.git({"mv", "loom.py", "frame.py"});
  repository_.commit("rename");
  EXPECT_EQ(git().find_moved("HEAD", "loom.py").value(), "frame.py");
  EXPECT_EQ(git().find_moved("HEAD", "frame.py").value(), std::nullopt);
  repository_.git({"rm", "-q", "frame.py"});
  repository_.commit("remove");
  EXPECT_EQ(git().find_moved("HEAD", "frame.py").value(), std::nullopt) << "gone, not moved";
  EXPECT_EQ(git().last_change(second_, "loom.py").value(), kStart + 60'000);
  EXPECT_EQ(git().last_change(second_, "nothing.py").value(), std::nullopt);
}

TEST_F(GitCommits, KnowWhatIsStagedForTheNext) {
  EXPECT_THAT(git().staged({})->files, IsEmpty());
  repository_.write("loom.py", "warp = 'staged'\n");
  repository_.git({"add", "loom.py"});
  repository_.write("loom.py", "warp = 'not staged'\n");
  const auto staged = git().staged({});
  ASSERT_TRUE(staged) << staged.error().message;
  EXPECT_THAT(staged->files.at(0).added, ElementsAre("warp = 'staged'"));
  TestRepository fresh(scratch_.path() / "fresh");
  fresh.write("loom.py", "the first line\n");
  fresh.git({"add", "loom.py"});
  const Git before(find_repository(fresh.root())->value());
  EXPECT_THAT(before.staged({})->files.at(0).added, ElementsAre("the first line"));
  EXPECT_EQ(git().find_setting("core.hooksPath").value(), std::nullopt);
  repository_.git({"config", "core.hooksPath", ".husky"});
  EXPECT_EQ(git().find_setting("core.hooksPath").value(), ".husky") << "not weft's own switch";
}

TEST_F(GitCommits, RunNothingThatTheRepositoryNames) {
  repository_.git({"notes", "--ref=ai", "add", "-m", "claimed", second_});
  const Traps traps(repository_, scratch_.path() / "marks");
  repository_.run({"status"});
  ASSERT_FALSE(traps.sprung().empty()) << "the traps work";
  EXPECT_TRUE(git().commits({first_, second_}));
  EXPECT_TRUE(git().patches({first_, second_}));
  EXPECT_TRUE(git().notes("refs/notes/ai", {second_}));
  EXPECT_TRUE(git().find_moved("HEAD", "loom.py"));
  EXPECT_TRUE(git().last_change("HEAD", "loom.py"));
  EXPECT_TRUE(git().staged({}));
  EXPECT_TRUE(git().find_setting("core.hooksPath"));
  EXPECT_THAT(traps.sprung(), IsEmpty());
}

}  // namespace
}  // namespace weft::git

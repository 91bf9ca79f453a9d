// Git, asked about real repositories: honest ones, odd ones, and hostile ones.
#include "weft/git/git.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "weft/git/repository_for_test.hpp"

namespace weft::git {
namespace {

namespace fs = std::filesystem;
using test::ScratchFolder;
using test::TestRepository;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Millis kStart = 1'770'000'000'000;

class GitTest : public testing::Test {
 protected:
  Git open(const fs::path& path) const {
    auto found = find_repository(path);
    EXPECT_TRUE(found) << found.error().message;
    EXPECT_TRUE(*found) << path;
    return Git(found->value());
  }

  ScratchFolder scratch_;
  TestRepository repository_{scratch_.path() / "looms"};
};

TEST_F(GitTest, BlamesThroughRenamesAndReadsWhatEachCommitLeft) {
  const std::string rest = "heddle = 'the third line'\nreed = 'the fourth line'\n";
  repository_.write("loom.py", "warp = 'a long thread'\nweft = 'another thread'\n" + rest);
  repository_.at(kStart);
  const std::string first = repository_.commit("weave");
  repository_.git({"mv", "loom.py", "shuttle.py"});
  repository_.write("shuttle.py", "warp = 'a long thread'\nweft = 'a mended thread'\n" + rest);
  repository_.at(kStart + 60'000);
  const std::string second = repository_.commit("mend");
  const Git git = open(repository_.root() / "shuttle.py");
  EXPECT_EQ(git.resolve("HEAD"), second);
  EXPECT_EQ(git.resolve("HEAD~1"), first);
  EXPECT_EQ(git.find_head().value(), second);
  const auto blame = git.blame(second, "shuttle.py");
  ASSERT_TRUE(blame) << blame.error().message;
  ASSERT_EQ(blame->lines.size(), 4u);
  EXPECT_EQ(blame->origins[blame->lines[0].origin].commit, first);
  EXPECT_EQ(blame->origins[blame->lines[0].origin].path, "loom.py");
  EXPECT_EQ(blame->origins[blame->lines[1].origin].commit, second);
  EXPECT_EQ(blame->origins[blame->lines[1].origin].author_time, kStart + 60'000);
  const auto one = git.blame(second, "shuttle.py", LineRange{2, 2});
  ASSERT_TRUE(one);
  ASSERT_EQ(one->lines.size(), 1u);
  EXPECT_EQ(one->lines[0].number, 2u);

  const auto history = git.history(second, {"loom.py", "shuttle.py"});
  ASSERT_TRUE(history) << history.error().message;
  ASSERT_EQ(history->size(), 2u);
  EXPECT_EQ((*history)[0].parents, std::vector{first});
  const auto file = git.find_file(second, "shuttle.py");
  ASSERT_TRUE(file && *file);
  const auto contents = git.blobs({(*file)->blob, std::string(40, 'f'), (*file)->blob});
  ASSERT_TRUE(contents) << contents.error().message;
  EXPECT_THAT(*contents, testing::ElementsAre(testing::Optional(HasSubstr("a mended thread")),
                                              testing::Eq(std::nullopt), contents->at(0)));
  EXPECT_EQ((*file)->size, contents->at(0)->size());
  EXPECT_EQ(git.find_file(second, "loom.py")->has_value(), false);
}

TEST_F(GitTest, SaysWhatIsMissing) {
  repository_.write("src/loom.py", "a\n");
  const Git git = open(repository_.root() / "src/loom.py");
  EXPECT_EQ(git.find_head().value(), std::nullopt) << "before the first commit";
  repository_.commit("one");
  EXPECT_EQ(git.resolve("nowhere").error().code, ErrorCode::not_found);
  EXPECT_EQ(git.resolve("--help").error().code, ErrorCode::not_found) << "never an option";
  const auto folder = git.find_file(repository_.head(), "src");
  ASSERT_FALSE(folder);
  EXPECT_THAT(folder.error().message, HasSubstr("is a directory"));
  const auto blame = git.blame(repository_.head(), "nothing.py");
  ASSERT_FALSE(blame);
  EXPECT_EQ(blame.error().code, ErrorCode::invalid_input);
  EXPECT_FALSE(*find_repository(scratch_.path() / "elsewhere.py"));
}

TEST_F(GitTest, TakesOddNames) {
  for (const std::string name :
       {"new\nline.py", "quo\"te.py", "\xff\xfe.py", ":(glob)*.py", "-x"}) {
    repository_.write(name, "a line of this file: " + std::to_string(name.size()) + "\n");
    repository_.git({"add", "-A"});
  }
  const std::string commit = repository_.commit("odd");
  const Git git = open(repository_.root() / "x");
  for (const std::string name :
       {"new\nline.py", "quo\"te.py", "\xff\xfe.py", ":(glob)*.py", "-x"}) {
    const auto blame = git.blame(commit, name);
    ASSERT_TRUE(blame) << name << ": " << blame.error().message;
    ASSERT_EQ(blame->origins.size(), 1u) << name;
    EXPECT_EQ(blame->origins[0].path, name);
    const auto history = git.history(commit, {name});
    ASSERT_TRUE(history && history->size() == 1) << name;
    EXPECT_EQ(history->at(0).files.at(0).path, name);
  }
}

TEST_F(GitTest, PassesOverIgnoredCommits) {
  repository_.write("loom.py", "def weave(warp):\n    return warp\n");
  const std::string first = repository_.commit("weave");
  repository_.write("loom.py", "def weave( warp ) :\n    return warp ;\n");
  const std::string second = repository_.commit("reformat");
  const Git git = open(repository_.root());
  EXPECT_EQ(git.blame(second, "loom.py")->origins.back().commit, second);
  repository_.write(".git-blame-ignore-revs", "# formatter\n" + second + "\n");
  EXPECT_EQ(git.blame(second, "loom.py")->origins.back().commit, first) << "the usual file";
  repository_.write(".git-blame-ignore-revs", "not a commit\n");
  EXPECT_TRUE(git.blame(second, "loom.py")) << "a broken one counts for nothing";
  repository_.git({"config", "blame.ignoreRevsFile", "gone"});
  const auto blame = git.blame(second, "loom.py");
  ASSERT_FALSE(blame);
  EXPECT_THAT(blame.error().message, HasSubstr("--unset-all blame.ignoreRevsFile"));
}

TEST_F(GitTest, KnowsWorkingTreesSubmodulesAndShallowClones) {
  repository_.write("loom.py", "a line that is long enough\n");
  repository_.commit("one");
  repository_.write("loom.py", "a line that is long enough\nand another one\n");
  const std::string head = repository_.commit("two");
  repository_.git({"worktree", "add", "-q", (scratch_.path() / "tree").string()});
  const Git main = open(repository_.root()), tree = open(scratch_.path() / "tree/loom.py");
  EXPECT_EQ(tree.repository().common, main.repository().common);
  EXPECT_NE(tree.repository().root, main.repository().root);
  EXPECT_EQ(tree.blame(head, "loom.py")->lines.size(), 2u);

  const std::string url = "file://" + repository_.root().string();
  repository_.git({"clone", "-q", "--depth", "1", url, (scratch_.path() / "shallow").string()});
  const Git shallow = open(scratch_.path() / "shallow");
  EXPECT_EQ(shallow.is_cut_off(head), true);
  EXPECT_EQ(main.is_cut_off(head), false);
  EXPECT_EQ(shallow.blame(head, "loom.py")->lines.size(), 2u);

  TestRepository outer(scratch_.path() / "outer");
  outer.git({"-c", "protocol.file.allow=always", "submodule", "add", "-q", url, "inner"});
  const std::string commit = outer.commit("with a submodule");
  EXPECT_EQ(open(outer.root() / "inner/loom.py").repository().root, outer.root() / "inner");
  EXPECT_THAT(open(outer.root()).find_file(commit, "inner").error().message,
              HasSubstr("is a submodule"));
}

TEST_F(GitTest, RefusesARepositoryOfAnotherUser) {
  repository_.write("loom.py", "a\n");
  repository_.commit("one");
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  for (const fs::path& path : {repository_.root(), repository_.root() / ".git"}) {
    ASSERT_EQ(::chown(path.c_str(), 4711, 4711), 0);
    const auto found = find_repository(repository_.root() / "loom.py");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::denied);
    EXPECT_THAT(found.error().message, HasSubstr("uid 4711"));
    ASSERT_EQ(::chown(path.c_str(), 0, 0), 0);
  }
  EXPECT_TRUE(*find_repository(repository_.root() / "loom.py"));
}

TEST_F(GitTest, RunsNoProgramOfTheRepository) {
  repository_.write("loom.py", "a line that is long enough\n");
  const std::string first = repository_.commit("one");
  repository_.write("loom.py", "a line that is long enough\nand another one\n");
  repository_.git({"rm", "-q", "--cached", "-r", "--ignore-unmatch", "nothing"});
  repository_.commit("two");
  const std::string blob = repository_.git({"rev-parse", first + ":loom.py"}).substr(0, 40);
  const test::Traps traps(repository_, scratch_.path() / "marks");
  // The traps work: git without weft's switches steps into them.
  repository_.run({"blame", "--textconv", "loom.py"});
  repository_.run({"status"});
  EXPECT_THAT(traps.sprung(), testing::IsSupersetOf({"textconv", "clean", "fsmonitor"}));
  traps.lose(blob);
  repository_.run({"cat-file", "blob", blob});
  EXPECT_THAT(traps.sprung(), testing::Contains("promisor"));

  const Git git = open(repository_.root() / "loom.py");
  const std::string commit = git.resolve("HEAD").value_or("");
  EXPECT_EQ(commit.size(), 40u);
  EXPECT_TRUE(git.find_file(commit, "loom.py"));
  EXPECT_TRUE(git.history(commit, {"loom.py"}));
  const auto blame = git.blame(commit, "loom.py");
  EXPECT_FALSE(blame) << "a blob is missing, and is not fetched";
  EXPECT_FALSE(git.blobs({blob}).value_or(std::vector<std::optional<std::string>>(1)).at(0));
  EXPECT_THAT(traps.sprung(), IsEmpty());
}

TEST(Child, IsGivenAnExactEnvironmentAndItsInput) {
  const auto ran = run_child({.program = "/usr/bin/env", .environment = {"A=1", "B=two words"}});
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(ran->out, "A=1\nB=two words\n");
  EXPECT_EQ(run_child({.program = "cat", .input = "x\ny"})->out, "x\ny");
  EXPECT_EQ(run_child({.program = "cat"})->out, "") << "stdin is empty";
  EXPECT_EQ(run_child({.program = "sh", .arguments = {"-c", "echo no >&2; exit 3"}})->exit, 3);
}

TEST(Child, IsEndedWhereItPrintsOrTakesTooMuch) {
  EXPECT_EQ(run_child({.program = "weft-no-such-program"}).error().code, ErrorCode::not_found);
  EXPECT_EQ(run_child({.program = "cat", .arguments = {"/dev/zero"}, .most_output = 1u << 20})
                .error()
                .code,
            ErrorCode::invalid_input);
  const auto late =
      run_child({.program = "sleep", .arguments = {"60"}, .time = std::chrono::milliseconds(100)});
  EXPECT_EQ(late.error().code, ErrorCode::unavailable);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(
      run_child({.program = "sleep", .arguments = {"60"}, .stop = stop.get_token()}).error().code,
      ErrorCode::unavailable);
}

}  // namespace
}  // namespace weft::git

// Notes in honest and in hostile repositories.
#include "weft/git/note.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/git/repository_for_test.hpp"

namespace weft::git {
namespace {

using test::ScratchFolder;
using test::TestRepository;
using test::Traps;
using testing::IsEmpty;

constexpr Millis kTime = 1'770'000'000'000;
constexpr const char* kRef = "refs/weft/head";

class NoteTest : public testing::Test {
 protected:
  void SetUp() override {
    repository_.write("loom.py", "warp\n");
    repository_.commit("begin");
  }
  Repository found() const { return find_repository(repository_.root() / "x")->value(); }

  ScratchFolder scratch_;
  TestRepository repository_{scratch_.path() / "looms"};
};

TEST_F(NoteTest, EachNoteFollowsTheOneBefore) {
  const auto first = append_note(found(), kRef, "one\n", kTime);
  ASSERT_TRUE(first) << first.error().message;
  const auto second = append_note(found(), kRef, "two\n", kTime + 1000);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(repository_.git({"log", "--format=%H %s", kRef}),
            *second + " two\n" + *first + " one\n");
  EXPECT_EQ(repository_.git({"ls-tree", kRef}), "") << "it has no files";
}

TEST_F(NoteTest, RunsNoHookAndChangesNothingElse) {
  const std::string head = repository_.head();
  const std::string branches = repository_.git({"branch", "--list"});
  const Traps traps(repository_, scratch_.path() / "marks");
  ASSERT_TRUE(append_note(found(), kRef, "one\n", kTime));
  EXPECT_THAT(traps.sprung(), IsEmpty());
  EXPECT_EQ(repository_.head(), head);
  EXPECT_EQ(repository_.git({"branch", "--list"}), branches);
}

TEST_F(NoteTest, ARefThatCannotBeMovedIsNamed) {
  const auto failed = append_note(found(), "refs/weft/..", "one\n", kTime);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::invalid_input);
  EXPECT_THAT(failed.error().message, testing::HasSubstr("update-ref"));
}

}  // namespace
}  // namespace weft::git

#include "weft/git/path_history.hpp"

#include <gtest/gtest.h>

namespace weft::git {
namespace {

const std::vector<std::string> kLoom = {"loom.py"}, kShuttle = {"shuttle.py"};

// c3 and c4 were made on two branches that c5 merged; c2 was moved by a rebase: it is younger than
// its child.
PathHistory made() {
  return PathHistory({
      {.commit = "c6", .author_time = 60, .parents = {"c5"}, .files = {{"loom.py", "b6"}}},
      {.commit = "c5", .author_time = 50, .parents = {"c3", "c4"}},
      {.commit = "c4", .author_time = 40, .parents = {"c2"}, .files = {{"shuttle.py", "b4"}}},
      {.commit = "c3", .author_time = 30, .parents = {"c2"}, .files = {{"loom.py", "b3"}}},
      {.commit = "c2", .author_time = 35, .parents = {"c1"}, .files = {{"loom.py", "b2"}}},
      {.commit = "c1", .author_time = 10, .files = {{"loom.py", "b1"}, {"shuttle.py", ""}}},
  });
}

TEST(PathHistory, KnowsThePreviousCommitOfAPathByAuthorTime) {
  const PathHistory history = made();
  EXPECT_EQ(history.previous_time("c6", 60, kLoom), 35);
  EXPECT_EQ(history.previous_time("c6", 60, kShuttle), 40);
  EXPECT_EQ(history.previous_time("c3", 30, kLoom), 10) << "its parent is younger than itself";
  EXPECT_EQ(history.previous_time("c4", 40, kShuttle), 10) << "not the commit on another branch";
  EXPECT_EQ(history.previous_time("c1", 10, kLoom), std::nullopt);
  EXPECT_EQ(history.previous_time("merge", 50, kLoom), 35) << "not in the history";
  EXPECT_EQ(history.last_time(kLoom), 60);
  EXPECT_EQ(history.last_time(std::vector<std::string>{"treadle.py"}), std::nullopt);
}

TEST(PathHistory, KnowsWhatACommitLeft) {
  const PathHistory history = made();
  EXPECT_EQ(history.find_blob("c3", "loom.py"), "b3");
  EXPECT_EQ(history.find_blob("c1", "shuttle.py"), std::nullopt) << "removed";
  EXPECT_EQ(history.find_blob("c4", "loom.py"), std::nullopt) << "not touched";
  EXPECT_EQ(history.find_blob("c9", "loom.py"), std::nullopt);
}

}  // namespace
}  // namespace weft::git

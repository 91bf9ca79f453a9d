#include "weft/ingest/discover/confine.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "weft/store/scratch_for_test.hpp"

namespace weft::ingest {
namespace {

namespace fs = std::filesystem;

class Confine : public testing::Test {
 protected:
  Confine() : home_(fs::canonical(scratch_.path())) {
    for (const char* folder : {"a/b/deep", "a/bc", "out"}) fs::create_directories(home_ / folder);
    for (const char* file : {"a/b/deep/in.txt", "a/b/in.txt", "a/bc/near.txt", "out/secret.txt"}) {
      std::ofstream(home_ / file) << "x";
    }
  }
  // What is let through; empty where nothing is.
  fs::path allowed_path(const fs::path& path) const {
    return confined(path, {home_ / "a/b"}).value_or(fs::path());
  }
  void expect_denied(const fs::path& path) const {
    const Result<fs::path> real = confined(path, {home_ / "a/b"});
    ASSERT_FALSE(real) << path;
    EXPECT_EQ(real.error().code, ErrorCode::denied) << path;
    EXPECT_EQ(real.error().message, "there is no such file in a folder that may be read");
  }

  store::Scratch scratch_;
  fs::path home_;
};

TEST_F(Confine, LetsThroughWhatLiesInARootHoweverItIsSpelled) {
  const fs::path file = home_ / "a/b/in.txt";
  EXPECT_EQ(allowed_path(file), file);
  EXPECT_EQ(allowed_path(home_ / "a/b/deep/../in.txt"), file);
  EXPECT_EQ(allowed_path(home_ / "a/./b//in.txt"), file);
  EXPECT_EQ(allowed_path(home_ / "a/bc/../b/in.txt"), file);
  EXPECT_EQ(allowed_path(home_ / "a/b/"), home_ / "a/b");
  EXPECT_EQ(confined(file, {home_ / "a/b/"}).value(), file);
  EXPECT_EQ(confined(file, {home_ / "a/bc/../b"}).value(), file);
  EXPECT_EQ(confined(file, {file}).value(), file) << "a root may be a file";
  EXPECT_EQ(confined(file, {"/"}).value(), file);
}

TEST_F(Confine, SaysTheSameOfWhatIsOutsideAndOfWhatIsNotThere) {
  expect_denied(home_ / "out/secret.txt");
  expect_denied(home_ / "out/nothing.txt");
  expect_denied(home_ / "a/b/nothing.txt");
  expect_denied(home_ / "a/b/../../out/secret.txt");
  expect_denied(home_ / "a");
  expect_denied("/");
}

TEST_F(Confine, ComparesWholeComponents) {
  expect_denied(home_ / "a/bc/near.txt");
  expect_denied(home_ / "a/bc");
}

TEST_F(Confine, FollowsLinksOnBothSides) {
  fs::create_directory_symlink(home_ / "out", home_ / "a/b/way-out");
  fs::create_symlink(home_ / "out/secret.txt", home_ / "a/b/innocent.txt");
  fs::create_directory_symlink(home_ / "a/b", home_ / "out/way-in");
  fs::create_symlink(home_ / "a/b/nothing", home_ / "a/b/dangling");
  fs::create_symlink(home_ / "a/b/loop2", home_ / "a/b/loop1");
  fs::create_symlink(home_ / "a/b/loop1", home_ / "a/b/loop2");
  expect_denied(home_ / "a/b/way-out/secret.txt");
  expect_denied(home_ / "a/b/way-out/../out/secret.txt");
  expect_denied(home_ / "a/b/innocent.txt");
  expect_denied(home_ / "a/b/dangling");
  expect_denied(home_ / "a/b/loop1");
  EXPECT_EQ(allowed_path(home_ / "out/way-in/in.txt"), home_ / "a/b/in.txt");
  EXPECT_EQ(confined(home_ / "a/b/in.txt", {home_ / "out/way-in"}).value(), home_ / "a/b/in.txt");
}

TEST_F(Confine, ARootThatIsNotThereAllowsNothing) {
  EXPECT_EQ(confined(home_ / "a/b/in.txt", {home_ / "gone", ""}).error().code, ErrorCode::denied);
  EXPECT_EQ(confined(home_ / "a/b/in.txt", {}).error().code, ErrorCode::denied);
}

TEST_F(Confine, WantsAnAbsolutePath) {
  using namespace std::string_literals;
  for (const std::string& path :
       {""s, "in.txt"s, "../in.txt"s, "~/in.txt"s, (home_ / "a/b/in.txt").string() + "\0x"s}) {
    EXPECT_EQ(confined(path, {home_ / "a/b"}).error().code, ErrorCode::invalid_input) << path;
  }
}

}  // namespace
}  // namespace weft::ingest

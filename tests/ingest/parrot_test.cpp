// A new format is one new file: weft is built once more with tests/parrot/adapter.cpp added to
// its adapters, and takes in what a parrot said.
#include <gtest/gtest.h>

#include "program.hpp"
#include "weft/base/file.hpp"

namespace weft::test {
namespace {

class Parrot : public testing::Test {
 protected:
  Ran run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--home", weft_.home().string(), "--json"});
    return run_program(WEFT_WITH_PARROT, arguments, weft_.environment);
  }

  const Weft weft_;
};

TEST_F(Parrot, IsWovenVerifiedAndGoneOnWith) {
  const std::string path = weft_.write("talk.jsonl",
                                       "{\"who\":\"me\",\"says\":\"Who's a pretty boy?\"}\n"
                                       "{\"who\":\"parrot\",\"says\":\"Pretty boy!\"}\n"
                                       "{\"who\":\"parrot\"}\n");
  const json::object first = run({"ingest", path}).object();
  EXPECT_EQ(list(first, "conversations").size(), 1u);
  ASSERT_EQ(list(first, "skipped").size(), 1u);
  EXPECT_EQ(text(list(first, "skipped")[0].get_object(), "reason"),
            "malformed: nobody says anything");
  weft_.write("talk.jsonl", read_file(path).value() + "{\"who\":\"me\",\"says\":\"Again.\"}\n");
  EXPECT_EQ(list(run({"ingest", path}).object(), "conversations").size(), 1u);
  const json::array listed = list(run({"list"}).object(), "conversations");
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_EQ(text(listed[0].get_object(), "format"), "parrot");
  EXPECT_EQ(number(listed[0].get_object(), "turn_count"), 3);
  EXPECT_EQ(run({"verify"}).exit, 0);
}

TEST_F(Parrot, IsUnknownToTheWeftThatWasBuiltWithoutIt) {
  const std::string path = weft_.write("talk.jsonl", "{\"who\":\"me\",\"says\":\"Hello?\"}\n");
  EXPECT_EQ(list(weft_.json({"ingest", path}), "skipped").size(), 1u);
}

TEST(ParrotsFile, IsTheOneThatThePageShows) {
  const std::string root = WEFT_SOURCE_DIR;
  const std::string page = read_file(root + "/docs/adapters.md").value();
  const std::string file = read_file(root + "/tests/parrot/adapter.cpp").value();
  EXPECT_NE(page.find(file), std::string::npos);
}

}  // namespace
}  // namespace weft::test

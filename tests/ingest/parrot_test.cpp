// A format is one folder: weft is built once more with tests/parrot added to its adapters, and
// ingests a session of Parrot.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "program.hpp"
#include "weft/base/file.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;

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

TEST_F(Parrot, IsFoundWhereItsToolKeepsItWithoutItsBackups) {
  const std::string line = "{\"who\":\"me\",\"says\":\"Hello?\"}\n";
  fs::create_directory(weft_.scratch() / ".parrot");
  weft_.write(".parrot/talk.jsonl", line);
  weft_.write(".parrot/talk.jsonl.bak", line);
  EXPECT_EQ(list(run({"ingest"}).object(), "conversations").size(), 1u);
}

TEST_F(Parrot, IsUnknownToTheWeftThatWasBuiltWithoutIt) {
  const std::string path = weft_.write("talk.jsonl", "{\"who\":\"me\",\"says\":\"Hello?\"}\n");
  EXPECT_EQ(list(weft_.json({"ingest", path}), "skipped").size(), 1u);
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

TEST(ParrotsFolder, IsTheOneThatThePageShows) {
  const fs::path root = WEFT_SOURCE_DIR;
  const std::string page = read_file(root / "docs/adapters.md").value();
  for (const fs::path& file : files_below(root / "tests/parrot")) {
    EXPECT_NE(page.find("```cpp\n" + read_file(file).value() + "```"), std::string::npos) << file;
  }
}

// The build links the folder in, as CMake finds those of other formats; nothing else knows it.
TEST(ParrotsFolder, IsNamedNowhereInTheProgram) {
  const fs::path root = WEFT_SOURCE_DIR;
  for (const char* room : {"src", "bench", "tools", "tests/fuzz", "tests/support"}) {
    for (const fs::path& file : files_below(root / room)) {
      std::string text = read_file(file).value();
      std::ranges::transform(text, text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      });
      EXPECT_EQ(text.find("parrot"), std::string::npos) << file;
    }
  }
}

}  // namespace
}  // namespace weft::test

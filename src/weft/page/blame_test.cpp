// Which files the page shows, and what it shows of them.
#include <fmt/format.h>
#include <stdlib.h>

#include "weft/page/edited_files_for_test.hpp"
#include "weft/page/page_for_test.hpp"

namespace weft::page {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class BlameTest : public PageTest {
 protected:
  // The question about the file that a call wrote.
  std::string blame(const std::string& call, const std::string& more = "") const {
    return "/api/thoughts/" + files.cid_of(call) + "/blame" + more;
  }
  // The first run that has this line.
  static json::object run_of(const json::object& answer, std::int64_t line) {
    for (const json::value& run : answer.at("runs").as_array()) {
      if (run.as_object().at("last").to_number<std::int64_t>() >= line) return run.as_object();
    }
    return {};
  }
  static std::string text(const json::object& object, std::string_view name) {
    return std::string(find_string(object, name).value_or(""));
  }

  EditedFiles files{garden};
};

TEST_F(BlameTest, ShowsAFileThatACallWroteWithTheOriginOfItsLines) {
  files.repository.at(1'760'000'000'000);
  files.repository.write("trees.txt", "an old apple tree\n");
  files.repository.commit("An orchard");
  const std::string call = files.writes("trees.txt", "an old apple tree\na young quince tree\n");
  files.ingest();
  const json::object answer = PageTest::answer(blame(call));
  EXPECT_EQ(answer.at("text"), json::array({"an old apple tree", "a young quince tree"}));
  EXPECT_EQ(text(run_of(answer, 1), "silence"), "older_than_sessions");
  const json::object run = run_of(answer, 2);
  EXPECT_EQ(text(run, "rule"), "replayed");
  EXPECT_EQ(text(run, "request_cid"), files.cid_of(call));
  EXPECT_EQ(text(run, "reason"), "plant trees");
  EXPECT_EQ(text(answer, "conversation_cid"), text(run, "conversation_cid"));
  EXPECT_EQ(answer.at("sessions").as_array().at(0).as_object().at("lines"), 1);
}

TEST_F(BlameTest, ShowsNoMoreLinesThanAreAskedForAndStaysInOneState) {
  std::string trees;
  for (int tree = 1; tree <= 1000; ++tree) trees += fmt::format("tree number {}\n", tree);
  const std::string call = files.writes("trees.txt", trees);
  files.ingest();
  const json::object first = answer(blame(call, "?limit=3"));
  EXPECT_EQ(first.at("lines"), 1000);
  EXPECT_EQ(first.at("text"), json::array({"tree number 1", "tree number 2", "tree number 3"}));
  const std::string next = "?from=999&limit=10&state=" + text(first, "state");
  const json::object last = answer(blame(call, next));
  EXPECT_EQ(last.at("text"), json::array({"tree number 999", "tree number 1000"}));
  EXPECT_EQ(run_of(last, 999), run_of(first, 1)) << "a run is told whole on each page";
  EXPECT_EQ(last.at("state"), first.at("state"));
  EXPECT_FALSE(last.contains("sessions"));
  EXPECT_EQ(answer(blame(call, "?from=5000")).at("text"), json::array());
  // A page of a file that was changed meanwhile is one of another state.
  files.repository.write("trees.txt", trees + "one more tree\n");
  const json::object changed = answer(blame(call, next));
  EXPECT_NE(changed.at("state"), first.at("state"));
  EXPECT_EQ(changed.at("lines"), 1001);
}

TEST_F(BlameTest, AFileThatGitDoesNotHoldIsReplayed) {
  const std::string call = files.writes("trees.txt", "an old apple tree\n");
  files.ingest();
  EXPECT_EQ(text(run_of(answer(blame(call)), 1), "rule"), "replayed");
  // The same where there is no git at all, for a file that is in it.
  files.repository.commit("An orchard");
  const std::string path = ::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  const json::object without = answer(blame(call));
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(text(run_of(without, 1), "rule"), "replayed");
  EXPECT_THAT(canonical_json(without.at("notes")), HasSubstr("git is not installed"));
}

TEST_F(BlameTest, MasksSecretsAndKeepsTheNumbersOfLines) {
  const std::string token = "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";
  std::string key = "-----BEGIN OPENSSH PRIVATE KEY-----\n";
  for (int row = 0; row < 5; ++row) {
    key += fmt::format("b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAA{}A\n", row);
  }
  key += "-----END OPENSSH PRIVATE KEY-----";
  const std::string call =
      files.writes("config", "token = " + token + "\n" + key + "\nand the last line\n");
  files.ingest();
  const net::HttpResponse response = get(blame(call));
  EXPECT_THAT(response.body, Not(HasSubstr(token)));
  EXPECT_THAT(response.body, Not(HasSubstr("b3BlbnNzaC1rZXk")));
  const json::array lines = answer(blame(call)).at("text").as_array();
  ASSERT_EQ(lines.size(), 9u);
  EXPECT_THAT(std::string(view(lines[0].as_string())), HasSubstr("[secret github-token #"));
  EXPECT_THAT(std::string(view(lines[1].as_string())), HasSubstr("[secret private-key #"));
  EXPECT_EQ(lines[8], "and the last line");
}

TEST_F(BlameTest, ALongLineIsCutAndSaysSo) {
  const std::string call = files.writes("data.txt", std::string(5'000, 'x') + "\nshort\n");
  files.ingest();
  const json::object shown = answer(blame(call));
  EXPECT_EQ(shown.at("lengths"), (json::object{{"1", 5'000}}));
  EXPECT_LT(shown.at("text").as_array().at(0).as_string().size(), 5'000u);
}

TEST_F(BlameTest, RefusesWhatNoCallOfTheStoreChanged) {
  const std::string failed = files.tells("trees.txt", "an old apple tree\n", true);
  const std::string call = files.writes("trees.txt", "an old apple tree\n");
  files.ingest();
  EXPECT_THAT(refusal(blame(failed), 404), HasSubstr("it failed"));
  const std::string prompt = garden.cid_of(mcp::kTulips, "human_input");
  EXPECT_THAT(refusal("/api/thoughts/" + prompt + "/blame", 404),
              HasSubstr("is no call that changed a file"));
  EXPECT_THAT(refusal(blame(call, "?file=1"), 400), HasSubstr("the call changed 1 files"));
}

TEST_F(BlameTest, ACallThatChangedSeveralFilesHasEachByItsNumber) {
  const std::string call = files.runs(
      "cat > apples.txt <<'E'\nan old apple tree\nE\ncat > pears.txt <<'E'\nan old pear "
      "tree\nE\n");
  files.ingest();
  files.repository.write("apples.txt", "an old apple tree\n");
  files.repository.write("pears.txt", "an old pear tree\n");
  EXPECT_EQ(text(answer(blame(call)), "path"), "apples.txt");
  EXPECT_EQ(text(answer(blame(call, "?file=1")), "path"), "pears.txt");
  const json::object changed = answer("/api/conversations/" + files.session() + "/diff");
  const auto edit = [&](std::size_t file) {
    const json::object& one = changed.at("files").as_array().at(file).as_object();
    return one.at("edits").as_array().at(0).as_object();
  };
  EXPECT_FALSE(edit(0).contains("file"));
  EXPECT_EQ(edit(1).at("file"), 1);
}

TEST_F(BlameTest, RefusesWhatLiesInNoRepository) {
  const fs::path outside = fs::canonical(garden.dir()) / "notes.txt";
  const std::string call = files.writes(outside, "do not show me\n");
  const std::string hook = files.tells(".git/config", "do not show me\n");
  files.ingest();
  EXPECT_THAT(refusal(blame(call), 403), HasSubstr("lies in no git repository of yours"));
  EXPECT_THAT(refusal(blame(hook), 403), HasSubstr("lies in no git repository of yours"));
}

TEST_F(BlameTest, FollowsNoLink) {
  const fs::path outside = fs::canonical(garden.dir()) / "outside";
  fs::create_directories(outside);
  std::ofstream(outside / "notes.txt") << "do not show me\n";
  const std::string file = files.tells("link.txt", "an old apple tree\n");
  const std::string folder = files.tells("folder/notes.txt", "an old apple tree\n");
  const std::string inside = files.tells("inside.txt", "an old apple tree\n");
  files.ingest();
  files.repository.write("trees.txt", "an old apple tree\n");
  fs::create_symlink(outside / "notes.txt", files.path("link.txt"));
  fs::create_directory_symlink(outside, files.path("folder"));
  fs::create_symlink("trees.txt", files.path("inside.txt"));
  for (const std::string& call : {file, folder, inside}) {
    EXPECT_THAT(refusal(blame(call), 403), HasSubstr("is a symbolic link, or lies behind one"));
  }
}

TEST_F(BlameTest, AFileThatIsGoneSaysSoAndOneThatWasMovedIsFound) {
  const std::string gone = files.writes("gone.txt", "an old apple tree\n");
  const std::string moved = files.writes("moved.txt", "a young quince tree\na medlar tree\n");
  files.ingest();
  files.repository.at(1'771'000'000'000);
  files.repository.commit("Trees");
  fs::remove(files.path("gone.txt"));
  files.repository.git({"mv", "moved.txt", "quince.txt"});
  files.repository.commit("Move");
  EXPECT_THAT(refusal(blame(gone), 404), HasSubstr("gone.txt is not here any more"));
  EXPECT_EQ(text(answer(blame(moved)), "path"), "quince.txt");
}

TEST_F(BlameTest, ALargeFileIsNotShown) {
  const std::string call = files.writes("trees.txt", "an old apple tree\n");
  files.ingest();
  fs::resize_file(files.path("trees.txt"), 5u << 20);
  EXPECT_THAT(refusal(blame(call), 400),
              HasSubstr("has 5.0 MB, and files of up to 4 MB are shown"));
}

TEST_F(BlameTest, AServerThatOtherMachinesCanUseShowsNoFile) {
  const std::string call = files.writes("trees.txt", "an old apple tree\n");
  files.ingest();
  const std::string target = blame(call);
  EXPECT_EQ(get(target).status, 200u);
  serve_beyond_this_machine();
  EXPECT_THAT(refusal(target, 403), HasSubstr("can be used from other machines"));
  EXPECT_EQ(answer("/api/hello").at("files"), false);
}

}  // namespace
}  // namespace weft::page

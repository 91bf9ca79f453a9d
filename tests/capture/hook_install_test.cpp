// weft hook install and uninstall: what they write into Claude Code's settings, and what they
// leave.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "program.hpp"
#include "weft/base/file.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kSettings = R"json({
    "zeta": 1,
    "hooks": {
        "PostToolUse": [
            {
                "matcher": "Bash",
                "hooks": [
                    {
                        "type": "command",
                        "command": "notify-send done"
                    }
                ]
            }
        ]
    },
    "alpha": "é",
    "permissions": {
        "allow": [
            "Bash(ls:*)"
        ]
    }
}
)json";

class HookInstall : public testing::Test {
 protected:
  fs::path path() const { return weft_.scratch() / ".claude/settings.json"; }
  void write(std::string_view text) const {
    fs::create_directories(path().parent_path());
    std::ofstream(path(), std::ios::binary) << text;
  }
  std::string text() const { return read_file(path()).value_or(""); }
  json::object settings() const { return parse_json(text()).value().value.as_object(); }

  Weft weft_;
};

TEST_F(HookInstall, WritesAHookForEachEvent) {
  const Ran ran = weft_({"hook", "install", "--yes"});
  ASSERT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.out, HasSubstr("+ "));
  const json::object hooks = settings().at("hooks").as_object();
  EXPECT_THAT(keys(hooks), ElementsAre("SessionStart", "UserPromptSubmit", "PostToolUse",
                                       "SubagentStop", "Stop", "PreCompact", "SessionEnd"));
  const json::object& matcher = hooks.at("PostToolUse").at(0).as_object();
  EXPECT_EQ(matcher.at("matcher"), "*");
  EXPECT_FALSE(hooks.at("Stop").at(0).as_object().contains("matcher"));
  const std::string command(view(matcher.at("hooks").at(0).at("command").as_string()));
  EXPECT_THAT(command, testing::StartsWith(std::string(WEFT_BINARY) + " hook --home "));
  // The command works as it stands.
  const Ran called = run_program("/bin/sh", {"-c", "echo '{}' | " + command}, weft_.environment);
  EXPECT_EQ(called.exit, 0);
  EXPECT_THAT(called.err, HasSubstr("no transcript_path"));
}

TEST_F(HookInstall, KeepsAllElseAndUninstallGivesItBack) {
  write(kSettings);
  ASSERT_EQ(::chmod(path().c_str(), 0640), 0);
  ASSERT_EQ(weft_({"hook", "install", "--yes"}).exit, 0);
  EXPECT_THAT(keys(settings()), ElementsAre("zeta", "hooks", "alpha", "permissions"));
  EXPECT_THAT(text(), HasSubstr("notify-send done"));
  EXPECT_THAT(text(), HasSubstr("\n    \"zeta\"")) << "with its own indentation";
  EXPECT_EQ(read_file(path().string() + ".before-weft").value(), kSettings);
  struct stat info{};
  ASSERT_EQ(::stat(path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
  const std::string once = text();
  const Ran again = weft_({"hook", "install"});
  EXPECT_EQ(again.exit, 0) << again << "there is nothing to ask";
  EXPECT_EQ(text(), once);
  ASSERT_EQ(weft_({"hook", "uninstall", "--yes"}).exit, 0);
  EXPECT_EQ(text(), kSettings);
}

TEST_F(HookInstall, AnotherPlaceOfWeftTakesTheOldOnesPlace) {
  ASSERT_EQ(weft_({"hook", "install", "--yes"}).exit, 0);
  std::string moved = text();
  for (std::size_t at = 0; (at = moved.find(WEFT_BINARY, at)) != std::string::npos;) {
    moved.replace(at, std::string_view(WEFT_BINARY).size(), "/old place/weft");
    moved.insert(at, "'");
    moved.insert(at + 16, "'");
    at += 10;
  }
  const std::string mine = text();
  write(moved);
  ASSERT_EQ(weft_({"hook", "install", "--yes"}).exit, 0);
  EXPECT_EQ(text(), mine);
}

TEST_F(HookInstall, LeavesWhatItDoesNotUnderstandAsItIs) {
  for (const std::string_view broken :
       {"{\"hooks\": ", "[]", "{\"hooks\": []}", "{\"hooks\": {\"Stop\": {}}}",
        "{\"a\": 1, \"a\": 2}", "// a comment\n{}"}) {
    write(broken);
    const Ran ran = weft_({"hook", "install", "--yes"});
    EXPECT_EQ(ran.exit, 3) << broken << ran;
    EXPECT_THAT(ran.err, HasSubstr("settings.json"));
    EXPECT_EQ(text(), broken);
  }
}

TEST_F(HookInstall, WritesNothingThatNobodyAgreedTo) {
  const Ran ran = weft_({"hook", "install"});
  EXPECT_EQ(ran.exit, 1) << ran;
  EXPECT_THAT(ran.err, HasSubstr("--yes"));
  EXPECT_THAT(ran.out, HasSubstr("PostToolUse")) << "it shows what it would write";
  EXPECT_FALSE(fs::exists(path()));
}

TEST_F(HookInstall, InAProjectItIsTheProjectsSettings) {
  fs::create_directories(weft_.scratch() / "looms");
  const json::object answer =
      weft_.json({"hook", "install", "--project", weft_.path("looms"), "--yes"});
  EXPECT_EQ(answer.at("changed"), true);
  EXPECT_TRUE(fs::exists(weft_.scratch() / "looms/.claude/settings.json"));
  EXPECT_FALSE(fs::exists(path()));
  EXPECT_EQ(weft_({"hook", "install", "--project", weft_.path("nowhere"), "--yes"}).exit, 1);
}

TEST_F(HookInstall, NothingToTakeOutIsNoError) {
  EXPECT_EQ(weft_({"hook", "uninstall", "--yes"}).exit, 0);
  EXPECT_FALSE(fs::exists(path()));
  write("{\"hooks\": {\"Stop\": []}}");
  EXPECT_EQ(weft_({"hook", "uninstall", "--yes"}).exit, 0);
  EXPECT_EQ(text(), "{\"hooks\": {\"Stop\": []}}");
}

}  // namespace
}  // namespace weft::test

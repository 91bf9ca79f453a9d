// weft doctor and what starts another weft: it says so, offers to put it right, and does nothing
// where nobody can be asked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

#include "becomes_true.hpp"
#include "program.hpp"
#include "stdio_client.hpp"
#include "terminal_for_test.hpp"
#include "weft/base/file.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kHook =
    R"({"model":"x","hooks":{"Stop":[{"hooks":[{"type":"command","command":"'/old place/weft' hook --home \"$HOME/w\""},)"
    R"({"type":"command","command":"other hook"}]}]}})";
constexpr std::string_view kClaude =
    R"({"mcpServers":{"weft":{"command":"/old/weft","args":["mcp","--pattern","a*"],"env":{"A":"1"}},"b":{"command":"b"}}})";
constexpr std::string_view kOpenCode =
    R"({"mcp":{"weft":{"type":"local","command":["/old/weft","mcp"],"enabled":false}}})";
constexpr std::string_view kCodex =
    "model = \"o\"\n[mcp_servers.weft]\n  command = \"/old/weft\"\nargs = [\"mcp\"]\n\n"
    "[other]\ncommand = \"/old/weft\"\n";

class DoctorInstalled : public testing::Test {
 protected:
  DoctorInstalled() {
    weft.environment["HOME"] = weft.scratch().string();
    EXPECT_EQ(weft({"init"}).exit, 0);
    for (const char* folder : {".claude", ".codex", ".config/opencode"}) {
      fs::create_directories(weft.scratch() / folder);
    }
    weft.write(".claude/settings.json", kHook);
    weft.write(".claude.json", kClaude);
    weft.write(".config/opencode/opencode.json", kOpenCode);
    weft.write(".codex/config.toml", kCodex);
  }
  std::string content(const char* name) const { return read_file(weft.path(name)).value_or(""); }
  json::object object(const char* name) const {
    return parse_json(content(name)).value().value.as_object();
  }
  bool is_unchanged() const {
    return content(".claude/settings.json") == kHook && content(".claude.json") == kClaude &&
           content(".config/opencode/opencode.json") == kOpenCode &&
           content(".codex/config.toml") == kCodex;
  }
  const std::string self = fs::canonical(WEFT_BINARY).string();
  Weft weft;
};

TEST_F(DoctorInstalled, NamesThemAndChangesNothingWithNobodyToAsk) {
  const Ran ran = weft({"doctor"});
  EXPECT_THAT(ran.out, AllOf(HasSubstr("the hook of Claude Code starts /old place/weft, which is "
                                       "not there: weft hook install"),
                             HasSubstr("Claude Code starts /old/weft"),
                             HasSubstr("Codex starts /old/weft, which is not there: weft mcp "
                                       "install codex"),
                             HasSubstr("OpenCode starts /old/weft")));
  EXPECT_THAT(ran.out, Not(HasSubstr("[y/N]")));
  EXPECT_EQ(list(weft.json({"doctor", "--installed"}), "checks").size(), 4u);
  EXPECT_TRUE(is_unchanged());
}

TEST_F(DoctorInstalled, ChangesTheProgramAloneIfToldTo) {
  const Ran ran = weft({"doctor", "--installed", "--yes"});
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.out, HasSubstr("Codex starts this weft from now on."));
  const json::array hooks =
      object(".claude/settings.json").at("hooks").at("Stop").at(0).at("hooks").as_array();
  EXPECT_EQ(text(hooks.at(0).as_object(), "command"), self + " hook --home \"$HOME/w\"");
  EXPECT_EQ(hooks.at(1).at("command"), "other hook");
  EXPECT_EQ(object(".claude/settings.json").at("model"), "x");
  const json::object claude = object(".claude.json").at("mcpServers").at("weft").as_object();
  EXPECT_EQ(text(claude, "command"), self);
  EXPECT_EQ(claude.at("args"), (json::array{"mcp", "--pattern", "a*"}));
  EXPECT_EQ(claude.at("env").at("A"), "1");
  EXPECT_EQ(object(".config/opencode/opencode.json").at("mcp").at("weft"),
            (json::object{{"type", "local"}, {"command", {self, "mcp"}}, {"enabled", false}}));
  EXPECT_EQ(content(".codex/config.toml"),
            "model = \"o\"\n[mcp_servers.weft]\n  command = \"" + self +
                "\"\nargs = [\"mcp\"]\n\n[other]\ncommand = \"/old/weft\"\n");
  EXPECT_EQ(content(".claude.json.before-weft"), kClaude);
  EXPECT_THAT(weft({"doctor", "--installed"}).out,
              HasSubstr("no hook, MCP client or process uses another weft"));
}

TEST_F(DoctorInstalled, SaysInItsDocumentWhatItDid) {
  const json::object done = weft.json({"doctor", "--installed", "--yes"});
  for (const json::value& check : list(done, "checks")) {
    EXPECT_EQ(check.at("put_right"), true) << check;
  }
  EXPECT_FALSE(is_unchanged());
}

TEST_F(DoctorInstalled, ShowsEachChangeAndAsks) {
  Terminal terminal({"doctor", "--installed"}, weft.environment);
  if (!terminal.works()) GTEST_SKIP() << "no pseudo terminals here";
  // The hook yes, Claude Code no, then the end of what is typed.
  ASSERT_TRUE(terminal.shows("Write this? [y/N] "));
  EXPECT_THAT(terminal.seen, HasSubstr("/old place/weft"));
  terminal.type("y\n");
  ASSERT_TRUE(terminal.shows("from now on."));
  terminal.type("n\nn\nn\n");
  terminal.read_all();
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_THAT(content(".claude/settings.json"), HasSubstr(self));
  EXPECT_EQ(content(".claude.json"), kClaude);
  EXPECT_EQ(content(".codex/config.toml"), kCodex);
}

TEST_F(DoctorInstalled, LeavesAFileThatItCannotWriteBack) {
  weft.write(".claude.json", R"({"mcpServers":{"weft":{"command":"/old/weft"}},"n":1e999})");
  const std::string before = content(".claude.json");
  const Ran ran = weft({"doctor", "--installed", "--yes"});
  EXPECT_EQ(content(".claude.json"), before);
  EXPECT_THAT(content(".codex/config.toml"), HasSubstr(self)) << "the others are put right";
}

TEST_F(DoctorInstalled, EndsAProcessOfAnotherWeftIfToldTo) {
  const fs::path other = weft.scratch() / "other/weft";
  fs::create_directories(other.parent_path());
  std::error_code failed;
  fs::create_hard_link(self, other, failed);
  if (failed) fs::copy_file(self, other);
  StdioClient client(other.string(), {"watch", "--json"}, weft.environment);
  ASSERT_EQ(text(client.next(), "event"), "following");
  const std::string name = "process " + std::to_string(client.pid());
  EXPECT_THAT(weft({"doctor", "--installed"}).out, HasSubstr(name + " is " + other.string()));
  EXPECT_THAT(weft({"doctor", "--installed", "--yes"}).out, HasSubstr(name + " was ended."));
  EXPECT_EQ(client.wait(), 0) << "it ends as with Ctrl-C";
}

}  // namespace
}  // namespace weft::test

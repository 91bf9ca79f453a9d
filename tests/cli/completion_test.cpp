// Completion in the shells themselves: bash, zsh and fish offer commands, options, sessions,
// projects and thoughts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "program.hpp"
#include "session_lines_for_test.hpp"
#include "terminal_for_test.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kSession = "c0311e7e-0000-4000-8000-00000000c0de";

class InShell : public testing::Test {
 protected:
  InShell() {
    weft.environment["HOME"] = weft.scratch().string();
    weft.environment["PATH"] = fs::path(WEFT_BINARY).parent_path().string() + ":/usr/bin:/bin";
    weft.environment["TERM"] = "xterm";
    weft.environment["LC_ALL"] = "C.UTF-8";
    SessionLines lines(kSession, "/home/ada/Looms");
    lines.say("user", "2026-11-15T10:00:00Z", "why: is the 'shuttle' $(slow)?");
    EXPECT_EQ(weft({"ingest", weft.write("talk.jsonl", lines.text())}).exit, 0);
    const json::object row = list(weft.json({"list"}), "conversations").at(0).as_object();
    conversation = text(row, "cid").substr(std::string_view("cid:blake3:").size(), 12);
    thought = text(list(weft.json({"search", "shuttle"}), "results").at(0).as_object(), "cid")
                  .substr(std::string_view("cid:blake3:").size(), 12);
    for (const char* shell : {"bash", "zsh", "fish"}) {
      fs::create_directories(weft.scratch() / shell);
      weft.write(std::string(shell) + "/_weft", weft({"completion", shell}).out);
    }
  }
  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }
  // What the shell offers after these words, the last of which is being typed.
  std::vector<std::string> in_bash(const std::vector<std::string>& words) const {
    std::vector<std::string> arguments = {
        "--norc", "-c",
        R"(source "$0"; COMP_WORDS=(weft "$@"); COMP_CWORD=$#; _weft; printf '%s\n' "${COMPREPLY[@]}")",
        weft.path("bash/_weft")};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const Ran ran = run_program("/bin/bash", arguments, weft.environment);
    EXPECT_EQ(ran.err, "");
    return lines_of(ran.out);
  }
  std::vector<std::string> in_fish(const std::string& line) const {
    const Ran ran = run_program("/usr/bin/fish",
                                {"--no-config", "-c", "source $argv[1]; complete -C $argv[2]",
                                 weft.path("fish/_weft"), line},
                                weft.environment);
    EXPECT_EQ(ran.exit, 0) << ran;
    std::vector<std::string> words = lines_of(ran.out);
    for (std::string& word : words) word = word.substr(0, word.find('\t'));
    return words;
  }

  Weft weft;
  std::string conversation, thought;
};

TEST_F(InShell, BashOffersCommandsAndNames) {
  EXPECT_THAT(in_bash({"rea"}), ElementsAre("read"));
  EXPECT_THAT(in_bash({"list", "--he"}), ElementsAre("--here", "--help"));
  EXPECT_THAT(in_bash({"walk", ""}), AllOf(Contains("last"), Contains(conversation)));
  EXPECT_THAT(in_bash({"walk", "c0311"}), Contains(kSession));
  EXPECT_THAT(in_bash({"list", "--project", "Lo"}), ElementsAre("Looms"));
  EXPECT_THAT(in_bash({"why", thought.substr(0, 5)}), Contains(thought));
  EXPECT_THAT(in_bash({"cost", "--by", "w"}), ElementsAre("week"));
}

TEST_F(InShell, FishOffersCommandsAndNames) {
  if (!fs::exists("/usr/bin/fish")) GTEST_SKIP() << "fish is not installed: tools/setup test";
  EXPECT_THAT(in_fish("weft rea"), ElementsAre("read"));
  EXPECT_THAT(in_fish("weft list --he"), ElementsAre("--help", "--here"));
  EXPECT_THAT(in_fish("weft walk "), AllOf(Contains("last"), Contains(conversation)));
  EXPECT_THAT(in_fish("weft walk c0311"), Contains(kSession));
  EXPECT_THAT(in_fish("weft list --project Lo"), ElementsAre("Looms"));
  EXPECT_THAT(in_fish("weft why " + thought.substr(0, 5)), Contains(thought));
  EXPECT_THAT(in_fish("weft walk nobody-is-called-so"), IsEmpty());
}

// zsh completes only where somebody types.
TEST_F(InShell, ZshOffersCommandsAndNames) {
  if (!fs::exists("/usr/bin/zsh")) GTEST_SKIP() << "zsh is not installed: tools/setup test";
  weft.environment["ZDOTDIR"] = weft.scratch().string();
  weft.write(".zshrc", "PS1='READY> '; fpath=(" + weft.path("zsh") +
                           " $fpath); autoload -Uz compinit; compinit -u -D\n"
                           "unsetopt beep; setopt no_list_beep\n");
  const auto typed = [&](const std::string& keys, const std::string& expected) {
    Terminal terminal("/usr/bin/zsh", {"-i"}, weft.environment, {.columns = 160, .rows = 40});
    ASSERT_TRUE(terminal.works());
    ASSERT_TRUE(terminal.shows("READY> ")) << terminal.seen;
    terminal.type(keys);
    EXPECT_TRUE(terminal.shows(expected)) << keys << ":\n" << terminal.seen;
    terminal.kill(SIGKILL);
    terminal.wait();
  };
  // A word that only one candidate begins with is completed; of several, a list is shown.
  typed("weft rea\t", "weft read");
  typed("weft list --her\t", "weft list --here");
  typed("weft walk \t", conversation);
  typed("weft walk c0311\t", std::string("weft walk ") + kSession);
  typed("weft list --project Lo\t", "weft list --project Looms");
  typed("weft why " + thought.substr(0, 6) + "\t", "weft why " + thought);
}

TEST_F(InShell, AnythingInATitleIsHarmless) {
  const Ran ran = weft({"completion", "--words", "--", "walk", ""});
  EXPECT_THAT(ran.out, HasSubstr("why: is the 'shuttle' $(slow)?"));
  const std::vector<std::string> offered = in_bash({"walk", ""});
  EXPECT_THAT(offered, Not(Contains(HasSubstr("shuttle"))));
}

}  // namespace
}  // namespace weft::test

// Output as a person sees it: every command that answers people, in terminals of four widths, with
// and without colours, over text that is wide, joined, written from right to left, or hostile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "program.hpp"
#include "session_lines_for_test.hpp"
#include "terminal_for_test.hpp"
#include "weft/base/utf8.hpp"
#include "weft/cli/read/spans.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kSession = "5c2ee900-0000-4000-8000-00000000c0de";

// Wide characters, a family and a flag of several code points, an accent by itself, and two scripts
// that are written from right to left.
constexpr const char* kWorldly =
    "織機を速くしてください 👩‍👩‍👧‍👦 🇫🇷 cafe\u0301 שלום "
    "עולם "
    "مرحبا "
    "بالعالم ";
// Sets the title, clears the screen, writes to the clipboard, turns the direction; rings, deletes,
// returns to the beginning of the line.
constexpr const char* kHostile =
    "\x1b]0;owned\x07 \x1b[2J \x1b]52;c;b3duZWQ=\x07 \u009b31m \u202e \u2066 \u200f \x7f \x08\x08 "
    "a\rb ";

json::object usage(int input) {
  return {{"input_tokens", input},
          {"output_tokens", 12'345'678},
          {"cache_read_input_tokens", 987'654'321},
          {"cache_creation_input_tokens", 23'456'789}};
}

std::string session() {
  SessionLines lines(kSession, std::string("/home/ada/") + "織機-looms-with-a-rather-long-name");
  const std::string prompt = std::string("Make it faster ") + kWorldly + kHostile +
                             "and do not stop before all of the shuttles in every loom of the "
                             "house run as fast as the first one did.";
  lines.say("user", "2026-11-15T10:00:00Z", prompt.c_str());
  lines.say("assistant", "2026-11-15T10:00:01Z",
            json::array{json::object{{"type", "thinking"},
                                     {"thinking", std::string("Slow. ") + kWorldly + kHostile},
                                     {"signature", "c2ln"}}});
  for (int i = 0; i < 40; ++i) {
    const std::string id = "t" + std::to_string(i);
    const std::string time =
        "2026-11-15T10:01:" + std::string(i < 10 ? "0" : "") + std::to_string(i) + "Z";
    lines.say("assistant", time,
              json::array{json::object{
                  {"type", "tool_use"},
                  {"id", id},
                  {"name", i % 2 == 0 ? "Bash" : "mcp__a_server_with_a_long_name__a_tool_too"},
                  {"input", {{"command", "weave --row " + id + " " + kWorldly + kHostile}}}}});
    lines.result(time, id, "row " + id + std::string(200, 'x') + kHostile, i % 7 == 0);
  }
  lines.say("assistant", "2026-11-15T10:02:00Z",
            json::array{json::object{
                {"type", "tool_use"},
                {"id", "e1"},
                {"name", "Edit"},
                {"input",
                 {{"file_path", "lib/織機/shuttle.ex"},
                  {"old_string", "speed = 1"},
                  {"new_string", std::string("speed = 2 # ") + kWorldly + kHostile}}}}});
  lines.result("2026-11-15T10:02:01Z", "e1", "done", false);
  lines.add({{"type", "assistant"},
             {"uuid", "last"},
             {"parentUuid", std::string(kSession) + "-84"},
             {"sessionId", kSession},
             {"timestamp", "2026-11-15T10:03:00Z"},
             {"requestId", "r1"},
             {"message",
              {{"role", "assistant"},
               {"id", "m-last"},
               {"model", "claude-opus-4-5-20251101"},
               {"usage", usage(1'234'567)},
               {"content",
                json::array{json::object{
                    {"type", "text"},
                    {"text", std::string("# Done ") + kWorldly + "\n\n" + kHostile +
                                 "The **shuttle** runs.\n\n| loom | speed | " + kWorldly +
                                 "|\n|---|---|---|\n| a | " + std::string(90, 'y') + " | c |\n\n" +
                                 "```\n" + std::string(220, 'z') + "\n```\n"}}}}}}});
  return lines.text();
}

class Screen : public testing::Test {
 protected:
  Screen() {
    weft.environment["TZ"] = "UTC";
    weft.environment["TERM"] = "xterm-256color";
    weft.environment["PAGER"] = "cat";
    EXPECT_EQ(weft({"ingest", weft.write("work.jsonl", session())}).exit, 0);
    answer = text(
        list(weft.json({"search", "shuttle", "--type", "response"}), "results").at(0).as_object(),
        "cid");
  }
  std::vector<std::vector<std::string>> commands() const {
    return {{"list"},
            {"list", "--subagents", "--all"},
            {"search", "shuttle"},
            {"search", "shuttle", "--flat", "-C", "1"},
            {"search", "--turns", "shuttle"},
            {"search", "shutle"},
            {"why", answer},
            {"why", answer, "--all"},
            {"effects", answer},
            {"read"},
            {"read", "--thinking", "--full"},
            {"read", answer, "-C", "2"},
            {"stats"},
            {"stats", "--by", "day"},
            {"cost"},
            {"cost", "--by", "session"},
            {"cost", "--by", "prompt"},
            {"cost", "--by", "model"},
            {"diff", "last"}};
  }
  std::string shown(const std::vector<std::string>& words, unsigned columns) const {
    Terminal terminal(words, weft.environment, {.columns = columns, .rows = 30});
    terminal.read_all();
    const int exit = terminal.wait();
    EXPECT_TRUE(exit == 0 || exit == 1) << words.front() << " ended with " << exit;
    std::erase(terminal.seen, '\r');
    return terminal.seen;
  }

  Weft weft;
  std::string answer;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string without_colours(const std::string& text) {
  return std::regex_replace(text, std::regex("\x1b\\[[0-9;]*m"), "");
}

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += word + " ";
  return all;
}

// Notes are sentences, which a terminal wraps as it does any; the lines of a file that `diff` shows
// stay whole, as git leaves them.
bool may_be_wide(const std::vector<std::string>& words, const std::string& line) {
  const std::string plain = without_colours(line);
  return plain.starts_with("weft: ") ||
         (words.front() == "diff" && (plain.starts_with("+speed") || plain.starts_with("-speed")));
}

TEST_F(Screen, NoLineIsWiderThanTheTerminal) {
  for (const unsigned columns : {60u, 80u, 100u, 160u}) {
    for (const std::vector<std::string>& words : commands()) {
      const std::string text = shown(words, columns);
      EXPECT_FALSE(text.empty()) << joined(words);
      for (const std::string& line : lines_of(text)) {
        if (may_be_wide(words, line)) continue;
        EXPECT_LE(cli::painted_width(line), columns) << joined(words) << "at " << columns << ":\n"
                                                     << line;
      }
    }
  }
}

// What a terminal must never get from a transcript: controls, and what turns the direction.
void expect_harmless(const std::string& text, const std::string& what) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    EXPECT_TRUE(byte >= 0x20 || c == '\n' || c == '\t') << what << ": byte " << int{byte};
    EXPECT_NE(byte, 0x7f) << what;
  }
  for (const char* raw : {"\u009b", "\u202e", "\u2066", "\u200f"}) {
    EXPECT_THAT(text, Not(HasSubstr(raw))) << what;
  }
}

TEST_F(Screen, NothingHostileReachesTheTerminal) {
  for (const std::vector<std::string>& words : commands()) {
    expect_harmless(without_colours(shown(words, 80)), joined(words));
    expect_harmless(weft(words).out, joined(words) + "in a pipe");
  }
}

TEST_F(Screen, ColoursOnlyWhereTheyAreWanted) {
  for (const std::vector<std::string>& words : commands()) {
    EXPECT_THAT(weft(words).out, Not(HasSubstr("\x1b"))) << joined(words) << "in a pipe";
    weft.environment["NO_COLOR"] = "1";
    EXPECT_THAT(shown(words, 80), Not(HasSubstr("\x1b"))) << joined(words) << "with NO_COLOR";
    weft.environment.erase("NO_COLOR");
    weft.environment["TERM"] = "dumb";
    EXPECT_THAT(shown(words, 80), Not(HasSubstr("\x1b"))) << joined(words) << "with TERM=dumb";
    weft.environment["TERM"] = "xterm-256color";
  }
  EXPECT_THAT(shown({"list"}, 80), HasSubstr("\x1b["));
}

// Text is UTF-8, whatever the locale is called: its widths come from Unicode's tables.
TEST_F(Screen, TheLocaleChangesNothing) {
  for (const std::vector<std::string>& words : commands()) {
    weft.environment["LC_ALL"] = "C";
    const std::string in_c = shown(words, 80);
    weft.environment["LC_ALL"] = "C.UTF-8";
    EXPECT_EQ(shown(words, 80), in_c) << joined(words);
  }
}

TEST_F(Screen, ALongProjectLeavesRoomForTheTitle) {
  EXPECT_THAT(without_colours(shown({"list"}, 80)), HasSubstr("  Make it faster 織機を速く"));
}

TEST_F(Screen, WideAndJoinedCharactersStayWhole) {
  const std::string read = without_colours(shown({"read"}, 100));
  for (const char* whole : {"織機を速くしてください", "👩‍👩‍👧‍👦", "🇫🇷",
                            "cafe\u0301", "שלום", "مرحبا"}) {
    EXPECT_THAT(read, HasSubstr(whole));
  }
  // Cut to a width, a line ends between characters.
  for (unsigned columns = 40; columns < 60; ++columns) {
    for (const std::string& line : lines_of(without_colours(shown({"list"}, columns)))) {
      std::string room;
      std::size_t repairs = 0;
      repair_utf8(line, room, repairs);
      EXPECT_EQ(repairs, 0u) << line;
    }
  }
}

}  // namespace
}  // namespace weft::test

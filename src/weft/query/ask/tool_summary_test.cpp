#include "weft/query/ask/tool_summary.hpp"

#include <gtest/gtest.h>

#include <string>

namespace weft::query {
namespace {

std::string summary_line(std::string_view name, std::string_view input) {
  return canonical_json(
      tool_summary({{"tool_name", name}, {"input", parse_json(input).value().value}}));
}

TEST(ToolSummary, SaysWhatAShellWasToldInEveryFormat) {
  EXPECT_EQ(summary_line("Bash", R"({"command": "ls beds", "description": "List"})"),
            R"({"command":"ls beds","tool":"Bash"})");
  EXPECT_EQ(summary_line("exec", R"({"command": "ls"})"), R"({"command":"ls","tool":"exec"})");
  EXPECT_EQ(summary_line("exec_command", R"({"cmd": "ls"})"),
            R"({"command":"ls","tool":"exec_command"})");
  EXPECT_EQ(summary_line("shell", R"({"command": ["git", "pull"]})"),
            R"({"command":"git pull","tool":"shell"})");
  EXPECT_EQ(summary_line("run_terminal_cmd", R"({"command": "ls", "is_background": false})"),
            R"({"command":"ls","tool":"run_terminal_cmd"})");
}

TEST(ToolSummary, NamesTheFileWhateverTheArgumentIsCalled) {
  for (const std::string argument :
       {"file_path", "filePath", "path", "absolute_path", "target_file"}) {
    EXPECT_EQ(summary_line("edit", R"({")" + argument + R"(": "/a.txt", "oldText": "x"})"),
              R"({"file":"/a.txt","tool":"edit"})");
  }
  EXPECT_EQ(summary_line("NotebookEdit", R"({"notebook_path": "/n.ipynb"})"),
            R"({"file":"/n.ipynb","tool":"NotebookEdit"})");
  EXPECT_EQ(summary_line("str_replace_based_edit_tool", R"({"command": "view", "path": "/a"})"),
            R"({"action":"view","file":"/a","tool":"str_replace_based_edit_tool"})");
}

TEST(ToolSummary, ReadsOffAPatchWhichFilesItIsFor) {
  EXPECT_EQ(summary_line("apply_patch",
                         R"("*** Begin Patch\n*** Update File: a.txt\n+x\n*** Add File: b.txt")"),
            R"({"file":"a.txt b.txt","tool":"apply_patch"})");
  EXPECT_EQ(
      summary_line("apply_patch", R"({"input": "*** Begin Patch\n*** Delete File: a.txt\n"})"),
      R"({"file":"a.txt","tool":"apply_patch"})");
}

TEST(ToolSummary, SaysWhatWasLookedForWhereAndToWhom) {
  EXPECT_EQ(summary_line("Grep", R"({"pattern": "tulip", "path": "/beds"})"),
            R"({"query":"tulip","tool":"Grep"})");
  EXPECT_EQ(summary_line("web_fetch", R"({"url": "https://example.org"})"),
            R"({"query":"https://example.org","tool":"web_fetch"})");
  EXPECT_EQ(summary_line("browser", R"({"action": "open", "profile": "x"})"),
            R"({"action":"open","tool":"browser"})");
  EXPECT_EQ(summary_line("message", R"({"to": "bob", "text": "hello"})"),
            R"({"target":"bob","tool":"message"})");
  EXPECT_EQ(summary_line("Task", R"({"description": "look south", "prompt": "Count the tulips"})"),
            R"({"task":"look south","tool":"Task"})");
}

TEST(ToolSummary, OfAToolThatNobodyKnowsTellsTheArgumentThatTellsMost) {
  EXPECT_EQ(summary_line("mcp__maps__route", R"({"query": "home", "n": 3})"),
            R"({"query":"home","tool":"mcp__maps__route"})");
  EXPECT_EQ(summary_line("TodoWrite", R"({"todos": []})"), R"({"tool":"TodoWrite"})");
}

TEST(ToolSummary, CutsWhatIsLongBetweenCharacters) {
  std::string long_text;
  for (int i = 0; i < 300; ++i) long_text += "é";
  const json::object summary =
      tool_summary({{"tool_name", "Bash"}, {"input", json::object{{"command", long_text}}}});
  EXPECT_EQ(view(summary.at("command").as_string()), long_text.substr(0, 400) + "…");
}

TEST(ToolSummary, OfSealedArgumentsTellsTheNameAlone) {
  EXPECT_EQ(canonical_json(tool_summary({{"tool_name", "Bash"}, {"$layers", json::object()}})),
            R"({"tool":"Bash"})");
  EXPECT_EQ(canonical_json(tool_summary({{"$layers", json::object()}})), R"({"tool":"unknown"})");
}

}  // namespace
}  // namespace weft::query

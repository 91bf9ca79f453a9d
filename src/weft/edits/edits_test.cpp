#include <gmock/gmock.h>

#include "weft/base/json.hpp"
#include "weft/edits/edit.hpp"
#include "weft/edits/file_changes.hpp"

namespace weft::edits {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<Edit> read(std::string_view tool, std::string_view input, std::string_view details = "",
                       bool is_error = false) {
  const json::value arguments = parse_json(input)->value;
  const json::value kept = details.empty() ? json::value() : parse_json(details)->value;
  return edits_of({.tool = tool,
                   .input = arguments,
                   .result = Outcome{.is_error = is_error, .details = &kept}});
}
Edit one(std::string_view tool, std::string_view input, std::string_view details = "") {
  const std::vector<Edit> edits = read(tool, input, details);
  EXPECT_EQ(edits.size(), 1u) << tool;
  return edits.empty() ? Edit() : edits.front();
}
Edit changed(std::string path, std::vector<Change> changes) {
  return {.path = std::move(path), .changes = std::move(changes)};
}
Edit written(std::string path, std::string text) {
  return {.kind = Edit::Kind::write, .path = std::move(path), .after = std::move(text)};
}

TEST(Edits, AReplacementUnderTheNamesOfEveryTool) {
  const Edit expected = changed("a.py", {{"x", "y"}});
  EXPECT_EQ(one("Edit", R"({"file_path":"a.py","old_string":"x","new_string":"y"})"), expected);
  EXPECT_EQ(one("edit", R"({"filePath":"a.py","oldString":"x","newString":"y"})"), expected);
  EXPECT_EQ(one("edit", R"({"path":"a.py","oldText":"x","newText":"y"})"), expected);
  EXPECT_EQ(one("editor", R"({"path":"a.py","old_text":"x","new_text":"y"})"), expected);
  EXPECT_EQ(
      one("replace", R"({"file_path":"a.py","old_string":"x","new_string":"y","instruction":"i"})"),
      expected);
  EXPECT_EQ(
      one("mcp__files__edit_file", R"({"path":"a.py","edits":[{"oldText":"x","newText":"y"}]})"),
      expected);
  EXPECT_EQ(one("str_replace_editor",
                R"({"command":"str_replace","path":"a.py","old_str":"x","new_str":"y"})"),
            expected);
}

TEST(Edits, SeveralReplacementsAndThoseEverywhere) {
  EXPECT_EQ(one("MultiEdit", R"({"file_path":"a","edits":[{"old_string":"1","new_string":"2"},
                                {"old_string":"3","new_string":""}]})"),
            changed("a", {{"1", "2"}, {"3", ""}}));
  EXPECT_TRUE(
      one("Edit", R"({"file_path":"a","old_string":"1","new_string":"2","replace_all":true})")
          .is_everywhere);
}

TEST(Edits, AWholeFileUnderTheNamesOfEveryTool) {
  const Edit expected = written("a.py", "x\n");
  EXPECT_EQ(one("Write", R"({"file_path":"a.py","content":"x\n"})"), expected);
  EXPECT_EQ(one("write_file", R"({"path":"a.py","content":"x\n"})"), expected);
  EXPECT_EQ(one("WriteFile", R"({"path":"a.py","content":"x\n","mode":"overwrite"})"), expected);
  EXPECT_EQ(
      one("str_replace_based_edit_tool", R"({"command":"create","path":"a.py","file_text":"x\n"})"),
      expected);
  EXPECT_EQ(one("WriteFile", R"({"path":"a.py","content":"x\n","mode":"append"})"),
            changed("a.py", {{"", "x\n"}}));
}

TEST(Edits, AnEmptyOldTextMakesAFile) {
  Edit expected = written("a.py", "x");
  expected.before.emplace();
  EXPECT_EQ(one("Edit", R"({"file_path":"a.py","old_string":"","new_string":"x"})"), expected);
}

TEST(Edits, APatchOfSeveralFiles) {
  const std::string patch =
      R"("*** Begin Patch\n*** Add File: n.txt\n+one\n+two\n)"
      R"(*** Update File: a.py\n@@ def f():\n x = 1\n-y = 2\n+y = 3\n\n@@\n-z\n)"
      R"(*** Update File: old.py\n*** Move to: new.py\n@@\n-a\n+b\n)"
      R"(*** Delete File: gone.py\n*** End Patch\n")";
  Edit added = written("n.txt", "one\ntwo\n");
  added.before.emplace();
  const Edit moved = {.kind = Edit::Kind::move,
                      .path = "new.py",
                      .moved_from = "old.py",
                      .changes = {{"a\n", "b\n"}}};
  const auto expected =
      ElementsAre(added, changed("a.py", {{"x = 1\ny = 2\n\n", "x = 1\ny = 3\n\n"}, {"z\n", ""}}),
                  moved, Edit{.kind = Edit::Kind::remove, .path = "gone.py"});
  EXPECT_THAT(read("apply_patch", patch), expected);
  EXPECT_THAT(read("apply_patch", R"({"input":)" + patch + "}"), expected);
  EXPECT_THAT(read("shell", R"({"command":["apply_patch",)" + patch + "]}"), expected);
}

TEST(Edits, BlocksToSearchForAndToReplace) {
  const std::string_view input =
      R"({"path":"a","diff":"<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n------- SEARCH\nc\n=======\n+++++++ REPLACE\n"})";
  EXPECT_EQ(one("replace_in_file", input), changed("a", {{"a\n", "b\n"}, {"c\n", ""}}));
  EXPECT_THAT(read("replace_in_file", R"({"path":"a","diff":"<<<<<<< SEARCH\na\n=======\nb\n"})"),
              IsEmpty());
}

TEST(Edits, AHereDocumentWithALiteralBody) {
  EXPECT_EQ(one("Bash", R"({"command":"mkdir -p d\ncat > d/a.sh <<'EOF'\necho $HOME\nEOF\nls"})"),
            written("d/a.sh", "echo $HOME\n"));
  EXPECT_EQ(one("Bash", R"({"command":"cat <<\"END\" >> log\nx\nEND"})"),
            changed("log", {{"", "x\n"}}));
  // Its body is not literal; its path is not; it does not end.
  EXPECT_THAT(read("Bash", R"({"command":"cat > a <<EOF\n$x\nEOF"})"), IsEmpty());
  EXPECT_THAT(read("Bash", R"({"command":"cat > $d/a <<'EOF'\nx\nEOF"})"), IsEmpty());
  EXPECT_THAT(read("Bash", R"({"command":"cat > a <<'EOF'\nx"})"), IsEmpty());
}

TEST(Edits, ACellOfANotebook) {
  EXPECT_EQ(one("NotebookEdit", R"({"notebook_path":"a.ipynb","new_source":"x"})"),
            changed("a.ipynb", {{"", "x"}}));
}

TEST(Edits, ACallThatFailedOrEditsNothing) {
  EXPECT_THAT(read("Edit", R"({"file_path":"a","old_string":"1","new_string":"2"})", "", true),
              IsEmpty());
  for (const std::string_view tool : {"Read", "Grep", "TodoWrite", "Bash", "Task"}) {
    EXPECT_THAT(read(tool, R"({"file_path":"a","content":"x","command":"ls"})"), IsEmpty()) << tool;
  }
  for (const std::string_view input : {"null", "1", "[]", "{}", R"({"file_path":7})", R"("text")",
                                       R"({"file_path":"","content":"x"})", R"({"edits":[1]})"}) {
    for (const std::string_view tool : {"Edit", "Write", "apply_patch", "str_replace_editor",
                                        "NotebookEdit", "MultiEdit", "Bash"}) {
      EXPECT_THAT(read(tool, input), IsEmpty()) << tool << " " << input;
    }
  }
}

TEST(Edits, TheResultStatesTheWholeFile) {
  const Edit edit = one("Edit", R"({"file_path":"a","old_string":"1","new_string":"2"})",
                        R"({"originalFile":"1\n1\n","userModified":true})");
  EXPECT_EQ(edit.before, "1\n1\n");
  EXPECT_TRUE(edit.is_user_modified);
  EXPECT_EQ(
      one("Write", R"({"file_path":"a","content":"x"})", R"({"type":"create","originalFile":null})")
          .before,
      "");
  const Edit shown = one("replace", R"({"file_path":"a","old_string":"1","new_string":"2"})",
                         R"({"resultDisplay":{"originalContent":"1","newContent":"2"}})");
  EXPECT_EQ(shown.before, "1");
  EXPECT_EQ(shown.after, "2");
}

TEST(FileChanges, EditsThatFollowEachOtherComeToOneDifference) {
  FileChanges file;
  Edit first = changed("a", {{"b\n", "B\n"}});
  first.before = "a\nb\nc\n";
  file.add(first);
  file.add(changed("a", {{"B\n", "X\n"}, {"c", "C"}}));
  EXPECT_TRUE(file.is_whole());
  EXPECT_EQ(file.status(), FileChanges::Status::changed);
  const std::vector<Hunk> hunks = file.hunks();
  ASSERT_EQ(hunks.size(), 1u);
  EXPECT_THAT(hunks[0].lines,
              ElementsAre(DiffLine{' ', "a"}, DiffLine{'-', "b"}, DiffLine{'-', "c"},
                          DiffLine{'+', "X"}, DiffLine{'+', "C"}));
}

TEST(FileChanges, WhereTheFileIsNotKnownEachEditIsShown) {
  FileChanges file;
  file.add(changed("a", {{"b\n", "B\n"}}));
  file.add(changed("a", {{"B\n", "X\n"}}));
  EXPECT_FALSE(file.is_whole());
  EXPECT_EQ(file.hunks().size(), 2u);
  EXPECT_EQ(file.hunks()[0].before_first, 0u);
}

TEST(FileChanges, AnEditThatDoesNotFitLeavesTheFileUnknownUntilItIsStatedAgain) {
  FileChanges file;
  Edit first = changed("a", {{"nowhere", "x"}});
  first.before = "a\n";
  file.add(first);
  EXPECT_FALSE(file.is_whole());
  file.add(written("a", "b\n"));
  EXPECT_TRUE(file.is_whole());
}

TEST(FileChanges, NewRemovedAndMovedFiles) {
  FileChanges added, removed, moved;
  Edit create = written("a", "x\n");
  create.before.emplace();
  added.add(create);
  EXPECT_EQ(added.status(), FileChanges::Status::added);
  removed.add({.kind = Edit::Kind::remove, .path = "a"});
  EXPECT_EQ(removed.status(), FileChanges::Status::removed);
  moved.add({.kind = Edit::Kind::move, .path = "b", .moved_from = "a"});
  EXPECT_EQ(moved.status(), FileChanges::Status::moved);
  EXPECT_EQ(moved.moved_from(), "a");
}

}  // namespace
}  // namespace weft::edits

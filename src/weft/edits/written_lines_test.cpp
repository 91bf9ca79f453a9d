#include "weft/edits/written_lines.hpp"

#include <gmock/gmock.h>

namespace weft::edits {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(WrittenLines, AreThoseThatTheEditAdded) {
  const Edit edit{.path = "a.py",
                  .changes = {{"def f():\n  old\n", "def f():\n  new\n\n  more\n"}}};
  EXPECT_THAT(written_lines(edit), UnorderedElementsAre(line_hash("new"), line_hash("more")));
}

TEST(WrittenLines, OfAWholeFileAreAllUnlessTheFileBeforeIsKnown) {
  Edit edit{.kind = Edit::Kind::write, .path = "a.py", .after = "one\ntwo\n"};
  EXPECT_THAT(written_lines(edit), UnorderedElementsAre(line_hash("one"), line_hash("two")));
  edit.before = "one\n";
  EXPECT_THAT(written_lines(edit), UnorderedElementsAre(line_hash("two")));
}

TEST(WrittenLines, OfARemovalAreNone) {
  EXPECT_THAT(written_lines({.kind = Edit::Kind::remove, .path = "a.py"}), IsEmpty());
}

TEST(WrittenLines, WhiteSpaceDoesNotCount) {
  EXPECT_EQ(line_hash("\tif (a) {\r"), line_hash("  if(a){"));
  EXPECT_NE(line_hash("if (a) {"), line_hash("if (b) {"));
}

TEST(WrittenLines, ShortLinesAreNotTelling) {
  EXPECT_FALSE(is_telling("  } else {"));
  EXPECT_TRUE(is_telling("  return timetable;"));
  EXPECT_TRUE(is_telling("größer"));  // eight bytes of letters
}

}  // namespace
}  // namespace weft::edits

#include "weft/query/edits/line_ledger.hpp"

#include <gtest/gtest.h>

namespace weft::query {
namespace {

using Taken = std::optional<std::size_t>;

Taken take(LineLedger& ledger, std::string_view line, Millis after, Millis until) {
  const Taken found = ledger.find(line, {.after = after, .until = until, .standing = until});
  if (found) EXPECT_TRUE(ledger.take(*found, line, until));
  return found;
}

edits::Edit replaced(std::string before, std::string after) {
  return {.path = "loom.py", .changes = {{std::move(before), std::move(after)}}};
}

TEST(LineLedger, KnowsTheNewestEditInASpanOfTime) {
  LineLedger ledger;
  ledger.add(0, 10, replaced("", "the long warp\n"));
  ledger.add(1, 20, replaced("", "the  long warp\n"));
  EXPECT_EQ(take(ledger, "the long warp", 0, 15), 0u);
  EXPECT_EQ(take(ledger, "  the long warp", 0, 30), 1u) << "without white space";
  EXPECT_EQ(take(ledger, "the long warp", 0, 30), std::nullopt) << "each answers one line";
  EXPECT_EQ(take(ledger, "another warp", 0, 30), std::nullopt);
}

TEST(LineLedger, LeavesOutWhatWasUndone) {
  LineLedger ledger;
  ledger.add(0, 10, replaced("old\n", "the long warp\n"));
  ledger.add(1, 20, replaced("the long warp\n", "old\n"));
  EXPECT_EQ(take(ledger, "the long warp", 0, 30), std::nullopt);
  EXPECT_EQ(take(ledger, "the long warp", 0, 15), 0u) << "it stood there until then";
}

TEST(LineLedger, LeavesOutWhatWasPutBack) {
  LineLedger ledger;
  ledger.add(0, 10, replaced("a person's line\n", "the long warp\n"));
  ledger.add(1, 20, replaced("the long warp\n", "a person's line\n"));
  EXPECT_EQ(take(ledger, "a person's line", 0, 30), std::nullopt);
  EXPECT_EQ(take(ledger, "a person's line", 15, 30), 1u) << "it was gone for a whole commit";
  ledger.add(2, 40, replaced("the reed\nthe heddle\n", "the heddle\nthe reed\n"));
  EXPECT_TRUE(take(ledger, "the reed", 0, 50) || take(ledger, "the heddle", 0, 50)) << "moved";
}

TEST(LineLedger, LeavesOutWhatAWrittenOrRemovedFileHadBefore) {
  for (const bool is_removed : {false, true}) {
    LineLedger ledger;
    ledger.add(0, 10, replaced("", "the long warp\n"));
    edits::Edit next{.kind = edits::Edit::Kind::remove, .path = "loom.py"};
    if (!is_removed) {
      next.kind = edits::Edit::Kind::write;
      next.after = "nothing of it\n";
    }
    ledger.add(1, 20, next);
    EXPECT_EQ(take(ledger, "the long warp", 0, 30), std::nullopt);
  }
}

TEST(LineLedger, AnswersAnyNumberOfLinesOfAnEditThatIsMadeEverywhere) {
  LineLedger ledger;
  edits::Edit edit = replaced("a", "the long warp");
  edit.is_everywhere = true;
  ledger.add(0, 10, edit);
  EXPECT_EQ(take(ledger, "the long warp", 0, 30), 0u);
  EXPECT_EQ(take(ledger, "the long warp", 0, 30), 0u);
}

TEST(LineLedger, KnowsWholeLinesOfWhichAPartWasChanged) {
  LineLedger ledger;
  edits::Edit edit = replaced("long", "short");
  edit.before = "a = 1\nthe long warp\n";
  ledger.add(0, 10, edit);
  EXPECT_EQ(take(ledger, "the short warp", 0, 30), 0u);
  EXPECT_EQ(take(ledger, "a = 1", 0, 30), std::nullopt);
}

TEST(LineLedger, TakesALineOfOneEdit) {
  LineLedger ledger;
  ledger.add(0, 10, replaced("", "}\n"));
  EXPECT_FALSE(ledger.take(1, "}", 30));
  EXPECT_TRUE(ledger.take(0, "}", 30));
  EXPECT_FALSE(ledger.take(0, "}", 30));
}

}  // namespace
}  // namespace weft::query

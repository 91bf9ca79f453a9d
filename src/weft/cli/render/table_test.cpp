#include "weft/cli/render/table.hpp"

#include <gtest/gtest.h>

namespace weft::cli {
namespace {

Table birds() {
  Table table({{.title = "seen", .align = Align::right}, {.title = "bird", .flexible = true}, {}});
  table.add({"3", "grey heron", "weir"});
  table.add({"12", "鷺", "pond"});
  table.add({"1", "kingfisher", ""});
  return table;
}

TEST(Table, MakesColumnsAsWideAsWhatStandsInThem) {
  EXPECT_EQ(birds().str({}),
            "seen  bird\n"
            "   3  grey heron  weir\n"
            "  12  鷺          pond\n"
            "   1  kingfisher\n");
}

TEST(Table, CutsTheFlexibleColumnToTheTerminal) {
  EXPECT_EQ(birds().str({.width = 20}),
            "seen  bird\n"
            "   3  grey he…  weir\n"
            "  12  鷺        pond\n"
            "   1  kingfis…\n");
}

TEST(Table, RunsOverWhereNothingMayGiveWay) {
  Table table({{}, {}});
  table.add({"abcdefghij", "klm"});
  EXPECT_EQ(table.str({.width = 8}), "abcdefghij  klm\n");
}

TEST(Table, ColoursDoNotMoveColumns) {
  Table table({{.colour = Colour::green}, {}});
  table.add({"a", "b"});
  table.add({"aaa", "b"});
  EXPECT_EQ(table.str({.colours = true}), "\x1b[32ma\x1b[0m    b\n\x1b[32maaa\x1b[0m  b\n");
}

}  // namespace
}  // namespace weft::cli

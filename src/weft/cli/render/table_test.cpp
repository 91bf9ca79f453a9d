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

TEST(Table, LinksTheCellsOfAColumnAndLaysThemOutAsBefore) {
  const std::vector<Column> columns = {{.title = "cid", .link_to = Screen::thought},
                                       {.title = "words", .flexible = true}};
  Table table(columns);
  table.add({"3f2a91c0", "a heron on the weir"});
  const std::string plain = table.str({.width = 24});
  std::string linked = table.str({.width = 24, .page = "http://localhost"});
  const std::string link = "\x1b]8;;http://localhost/t/3f2a91c0\x1b\\3f2a91c0\x1b]8;;\x1b\\";
  const std::size_t at = linked.find(link);
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(linked.replace(at, link.size(), "3f2a91c0"), plain);
}

}  // namespace
}  // namespace weft::cli

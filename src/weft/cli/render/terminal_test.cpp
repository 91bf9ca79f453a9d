#include "weft/cli/render/terminal.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace weft::cli {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

TEST(Terminal, WritesPlainlyIntoAFileAndCutsNothing) {
  const File file(std::tmpfile());
  const Style style = style_of(file.get(), ColourChoice::automatic, {});
  EXPECT_FALSE(style.colours);
  EXPECT_EQ(style.width, Style::kUnlimited);
  EXPECT_EQ(style.paint(Colour::red, "x"), "x");
}

TEST(Terminal, ColoursAFileWhereItIsToldTo) {
  const File file(std::tmpfile());
  const Style style = style_of(file.get(), ColourChoice::always, {.no_colour = true});
  EXPECT_EQ(style.paint(Colour::red, "x"), "\x1b[31mx\x1b[0m");
  EXPECT_EQ(style.paint(Colour::red, ""), "");
  EXPECT_EQ(style.paint(Colour::none, "x"), "x");
}

TEST(Terminal, LinksCidsWhereThereIsAPage) {
  const Style style{.page = "http://127.0.0.1:4737"};
  const std::string link = "\x1b]8;;http://127.0.0.1:4737/t/3f2a91c0\x1b\\3f2a91c0\x1b]8;;\x1b\\";
  EXPECT_EQ(style.link(Screen::thought, "3f2a91c0"), link);
  EXPECT_EQ(style.link_in("why 3f2a91c0 3f2a91c0", Screen::thought, "3f2a91c0"),
            "why " + link + " 3f2a91c0");
  EXPECT_EQ(style.link_in("cut of…", Screen::thought, "3f2a91c0"), "cut of…");
  EXPECT_EQ(style.link(Screen::none, "3f2a91c0"), "3f2a91c0");
  EXPECT_EQ(style.link(Screen::thought, ""), "");
  EXPECT_EQ(Style().link(Screen::thought, "3f2a91c0"), "3f2a91c0");
  EXPECT_EQ(Style().link_in("why 3f2a91c0", Screen::thought, "3f2a91c0"), "why 3f2a91c0");
}

}  // namespace
}  // namespace weft::cli

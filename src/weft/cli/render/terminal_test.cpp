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

}  // namespace
}  // namespace weft::cli

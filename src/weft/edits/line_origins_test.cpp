#include "weft/edits/line_origins.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace weft::edits {
namespace {

using testing::ElementsAre;
constexpr auto kNobody = std::nullopt;

TEST(LineOrigins, AreKeptByLinesThatStay) {
  LineOrigins file;
  file.become("a\nb\nc\n");
  EXPECT_THAT(file.origins(), ElementsAre(kNobody, kNobody, kNobody));
  file.become("a\nB\nc\nd\n", 1);
  EXPECT_THAT(file.origins(), ElementsAre(kNobody, 1, kNobody, 1));
  file.become("x\na\nB\nd\n");
  EXPECT_THAT(file.origins(), ElementsAre(kNobody, kNobody, 1, 1));
  file.become("", 2);
  EXPECT_THAT(file.origins(), ElementsAre());
  file.become("a\nB", 3);
  EXPECT_THAT(file.origins(), ElementsAre(3, 3));
}

TEST(LineOrigins, OfALineThatWentAndCameAreThoseOfWhoBroughtItBack) {
  LineOrigins file;
  file.become("a\n", 1);
  file.become("");
  file.become("a\n");
  EXPECT_THAT(file.origins(), ElementsAre(kNobody));
}

TEST(LineOrigins, OfALineThatIsPutBackAreThoseThatItHad) {
  const std::string warp = "the long warp\n", weft = "the short weft\n", reed = "the wide reed\n";
  LineOrigins file;
  file.become(warp);
  file.become(warp + weft, 1);
  file.become(reed, 2);
  file.become(warp + weft, 3);
  EXPECT_THAT(file.origins(), ElementsAre(kNobody, 1));
  file.become(weft + warp, 4);
  EXPECT_THAT(file.origins(), testing::Contains(testing::Optional(4))) << "one was moved";
}

// Each line is unique and names its origin.
TEST(LineOrigins, AreThoseByConstruction) {
  std::mt19937 random(4711);
  std::vector<std::string> lines;
  LineOrigins file;
  for (std::size_t step = 0; step < 300; ++step) {
    const std::size_t at = random() % (lines.size() + 1);
    const std::size_t gone = std::min<std::size_t>(random() % 4, lines.size() - at);
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at),
                lines.begin() + static_cast<std::ptrdiff_t>(at + gone));
    for (std::size_t i = random() % 5; i > 0; --i) {
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at),
                   std::to_string(step) + " " + std::to_string(i));
    }
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    file.become(text, step);
    ASSERT_EQ(file.origins().size(), lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      ASSERT_EQ(file.origins()[i], std::stoul(lines[i])) << step;
    }
  }
}

}  // namespace
}  // namespace weft::edits

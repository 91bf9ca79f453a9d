#include "weft/mcp/answers/sanitize.hpp"

#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

namespace weft::mcp {
namespace {

TEST(Cleaned, LosesWhatCouldMisleadAndKeepsWhatWasSaid) {
  EXPECT_EQ(cleaned("two\nlines\tand a tab"), "two\nlines\tand a tab");
  EXPECT_EQ(cleaned("red \x1b[31mwords\x1b[0m"), "red words");
  EXPECT_EQ(cleaned("a\u202Eb\u2066c"), "abc");        // bidi
  EXPECT_EQ(cleaned("hi\U000E0041\U000E0042"), "hi");  // tags
  EXPECT_EQ(cleaned(std::string("nul\0bell\a", 9)), "nulbell");
  EXPECT_EQ(cleaned("cut \xC3"), "cut \uFFFD");
  EXPECT_EQ(cleaned("grüße 你好 🙂"), "grüße 你好 🙂");
}

TEST(Clean, ReachesEveryTextAndName) {
  json::value value = json::object{{"a\u202E", json::array{"b\u202E", json::object{{"c", "d\a"}}}}};
  clean(value);
  EXPECT_EQ(value, (json::object{{"a", json::array{"b", json::object{{"c", "d"}}}}}));
}

}  // namespace
}  // namespace weft::mcp

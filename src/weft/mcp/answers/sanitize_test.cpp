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

TEST(Fit, LeavesAloneWhatIsShortEnough) {
  json::object value{{"text", std::string(1'000, 'x')}};
  const json::object before = value;
  EXPECT_FALSE(fit(value, 2'000));
  EXPECT_EQ(value, before);
}

TEST(Fit, CutsTheLongestTextsToOneLengthAndSaysSo) {
  json::object value{{"cid", std::string(75, 'c')},
                     {"small", std::string(300, 's')},
                     {"texts", json::array{std::string(50'000, 'a'), std::string(3'000, 'b'),
                                           std::string(90'000, 'd')}}};
  EXPECT_TRUE(fit(value, 20'000));
  EXPECT_LE(json::serialize(value).size(), 20'000u);
  EXPECT_GT(json::serialize(value).size(), 15'000u);
  EXPECT_EQ(view(value.at("cid").as_string()), std::string(75, 'c'));
  EXPECT_EQ(view(value.at("small").as_string()), std::string(300, 's'));
  const json::array& texts = value.at("texts").as_array();
  EXPECT_EQ(view(texts.at(1).as_string()), std::string(3'000, 'b'));
  const std::string cut(view(texts.at(0).as_string()));
  EXPECT_NE(cut.find("more bytes were cut here]"), std::string::npos);
  const std::size_t kept = cut.find("…");
  EXPECT_NE(cut.find("[" + std::to_string(50'000 - kept) + " more"), std::string::npos);
}

TEST(Fit, CutsBetweenCharactersAndCountsEscapes) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "ä\n\"";
  json::object value{{"text", text}};
  EXPECT_TRUE(fit(value, 10'000));
  EXPECT_LE(json::serialize(value).size(), 10'000u);
  EXPECT_TRUE(parse_json(json::serialize(value)));
}

TEST(Fit, KeepsSomethingOfEachHoweverManyThereAre) {
  json::array many;
  for (int i = 0; i < 1'000; ++i) many.emplace_back(std::string(1'000, 'x'));
  json::object value{{"texts", many}};
  EXPECT_TRUE(fit(value, 10'000));
  EXPECT_TRUE(view(value.at("texts").as_array().at(999).as_string()).starts_with("xxxx"));
}

}  // namespace
}  // namespace weft::mcp

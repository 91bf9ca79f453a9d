#include "weft/mcp/answers/answer_size.hpp"

#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

namespace weft::mcp {
namespace {

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

TEST(Fit, CutsToTheSizeThatPagingCountsOn) {
  json::object value;
  for (int i = 0; i < 20; ++i) value["text" + std::to_string(i)] = std::string(5'000, 'x');
  const std::size_t least = least_chars(value);
  EXPECT_TRUE(fit(value, 1));
  EXPECT_LE(json::serialize(value).size(), least);
  EXPECT_GT(json::serialize(value).size(), least / 2);
}

}  // namespace
}  // namespace weft::mcp

#include "weft/formats/reading/members.hpp"

#include <gtest/gtest.h>

namespace weft::formats {
namespace {

json::object parsed(std::string_view text) { return parse_json(text).value().value.as_object(); }

TEST(Members, EmptyTextsSayNothing) {
  const json::object object = parsed(R"({"a":"x","b":"","c":1,"d":{"a":"y","b":""}})");
  EXPECT_EQ(text_in(object, "a"), "x");
  EXPECT_EQ(text_in(object, "c"), "");
  EXPECT_EQ(find_words(object, "a"), "x");
  EXPECT_EQ(find_words(object, "b"), std::nullopt);
  EXPECT_EQ(find_words(object, "c"), std::nullopt);
  EXPECT_EQ(find_words(object, "d", "a"), "y");
  EXPECT_EQ(find_words(object, "d", "b"), std::nullopt);
  EXPECT_EQ(find_words(object, "a", "a"), std::nullopt);
}

TEST(Members, NamesAndIdsAreBounded) {
  const json::object object{{"longest", std::string(kMaxNameBytes, 'x')},
                            {"longer", std::string(kMaxNameBytes + 1, 'x')},
                            {"id", std::string(kMaxIdBytes, 'x')},
                            {"no id", std::string(kMaxIdBytes + 1, 'x')},
                            {"blank", "a b"},
                            {"none", ""}};
  EXPECT_TRUE(find_name(object, "longest"));
  EXPECT_FALSE(find_name(object, "longer"));
  EXPECT_FALSE(find_name(object, "none"));
  EXPECT_TRUE(find_id(object, "id"));
  EXPECT_FALSE(find_id(object, "no id"));
  EXPECT_FALSE(find_id(object, "blank"));
  EXPECT_FALSE(find_id(object, "none"));
}

TEST(Members, CountsAreNeitherNegativeNorBeyondAllBounds) {
  const json::object object = parsed(R"({"a":7,"b":-7,"c":9000000000000000000,"d":"7"})");
  EXPECT_EQ(count_in(object, "a"), 7);
  EXPECT_EQ(count_in(object, "b"), 0);
  EXPECT_EQ(count_in(object, "c"), 1'000'000'000'000);
  EXPECT_EQ(count_in(object, "d"), 0);
  EXPECT_EQ(count_in(object, "e"), 0);
}

TEST(Members, AMomentIsIsoOrSecondsOrMilliseconds) {
  const json::object object =
      parsed(R"({"iso":"2026-01-01T00:00:00Z","s":1767225600,"ms":1767225600000,)"
             R"("fraction":1767225600.5,"zero":0,"far":1e300})");
  EXPECT_EQ(find_moment(object, "iso"), 1'767'225'600'000);
  EXPECT_EQ(find_moment(object, "s"), 1'767'225'600'000);
  EXPECT_EQ(find_moment(object, "ms"), 1'767'225'600'000);
  EXPECT_EQ(find_moment(object, "fraction"), 1'767'225'600'000);
  EXPECT_EQ(find_moment(object, "zero"), std::nullopt);
  EXPECT_EQ(find_moment(object, "far"), std::nullopt);
}

}  // namespace
}  // namespace weft::formats

#include <gtest/gtest.h>

#include <limits>

#include "weft/base/json.hpp"

namespace weft {
namespace {

const json::object& sample() {
  static const json::object object = {{"text", "hello"},
                                      {"int", -5},
                                      {"unsigned", std::uint64_t{7}},
                                      {"huge", std::numeric_limits<std::uint64_t>::max()},
                                      {"double", 1.0},
                                      {"yes", true},
                                      {"null", nullptr},
                                      {"object", {{"a", 1}}},
                                      {"array", json::array{1, 2}}};
  return object;
}

TEST(JsonMembers, AreFoundByNameAndKind) {
  EXPECT_EQ(find_string(sample(), "text"), "hello");
  EXPECT_EQ(find_int(sample(), "int"), -5);
  EXPECT_EQ(find_int(sample(), "unsigned"), 7);
  EXPECT_EQ(find_bool(sample(), "yes"), true);
  ASSERT_NE(find_object(sample(), "object"), nullptr);
  EXPECT_EQ(find_int(*find_object(sample(), "object"), "a"), 1);
  ASSERT_NE(find_array(sample(), "array"), nullptr);
  EXPECT_EQ(find_array(sample(), "array")->size(), 2u);
  ASSERT_NE(find_member(sample(), "null"), nullptr);
  EXPECT_TRUE(find_member(sample(), "null")->is_null());
}

TEST(JsonMembers, AreEmptyWhereAbsentOrOfAnotherKindSoThatReadersNeedOneCheck) {
  for (const char* key : {"absent", "null", "double", "huge"}) {
    EXPECT_EQ(find_string(sample(), key), std::nullopt) << key;
    EXPECT_EQ(find_int(sample(), key), std::nullopt) << key;
    EXPECT_EQ(find_bool(sample(), key), std::nullopt) << key;
    EXPECT_EQ(find_object(sample(), key), nullptr) << key;
    EXPECT_EQ(find_array(sample(), key), nullptr) << key;
  }
  EXPECT_EQ(find_member(sample(), "absent"), nullptr);
  EXPECT_EQ(find_string(sample(), "int"), std::nullopt);
  EXPECT_EQ(find_int(sample(), "text"), std::nullopt);
  EXPECT_EQ(find_object(sample(), "array"), nullptr);
  EXPECT_EQ(find_array(sample(), "object"), nullptr);
}

TEST(JsonMembers, CountsAreZeroWhereTheyAreNoCounts) {
  const json::object object{{"n", 3},         {"huge", std::uint64_t{1} << 63},
                            {"negative", -1}, {"text", "3"},
                            {"double", 3.0},  {"null", nullptr}};
  EXPECT_EQ(count_or_zero(object, "n"), 3u);
  EXPECT_EQ(count_or_zero(object, "huge"), std::uint64_t{1} << 63);
  for (const char* key : {"negative", "text", "double", "null", "absent"}) {
    EXPECT_EQ(count_or_zero(object, key), 0u) << key;
  }
}

}  // namespace
}  // namespace weft

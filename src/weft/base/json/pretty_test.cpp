#include <gtest/gtest.h>

#include "weft/base/json.hpp"

namespace weft {
namespace {

TEST(PrettyJson, IndentsByTwoInTheOrderOfTheValue) {
  const json::value value = {
      {"z", 1}, {"a", {true, nullptr, json::array{"x"}}}, {"m", {{"b", 0.5}}}};
  EXPECT_EQ(pretty_json(value), R"({
  "z": 1,
  "a": [
    true,
    null,
    [
      "x"
    ]
  ],
  "m": {
    "b": 0.5
  }
})");
}

TEST(PrettyJson, KeepsEmptyOnesAndScalarsOnOneLine) {
  EXPECT_EQ(pretty_json(json::object()), "{}");
  EXPECT_EQ(pretty_json(json::array()), "[]");
  EXPECT_EQ(pretty_json("a\n\"b\""), R"("a\n\"b\"")");
  EXPECT_EQ(pretty_json({{"a", json::object()}, {"b", json::array()}}),
            "{\n  \"a\": {},\n  \"b\": []\n}");
}

TEST(PrettyJson, WritesNumbersAsTheCanonicalFormDoesSoThatPipesReadTheSameValue) {
  EXPECT_EQ(pretty_json(9223372036854775807), "9223372036854775807");
  EXPECT_EQ(pretty_json(1e21), "1e+21");
  EXPECT_EQ(pretty_json(0.1), "0.1");
}

}  // namespace
}  // namespace weft

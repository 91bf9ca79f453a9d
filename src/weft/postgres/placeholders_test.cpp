#include "weft/postgres/placeholders.hpp"

#include <gtest/gtest.h>

namespace weft::postgres {
namespace {

TEST(Placeholders, CountUpAsInSqlite) {
  EXPECT_EQ(number_placeholders("VALUES (?, ?, ?)"), "VALUES ($1, $2, $3)");
  EXPECT_EQ(number_placeholders("a = ?2 AND b = ? AND c = ?1"), "a = $2 AND b = $3 AND c = $1");
  EXPECT_EQ(number_placeholders("?12?"), "$12$13");
  EXPECT_EQ(number_placeholders(""), "");
}

TEST(Placeholders, StringsNamesAndCommentsAreLeft) {
  EXPECT_EQ(number_placeholders("'?' ?"), "'?' $1");
  EXPECT_EQ(number_placeholders("'it''s ?' ?"), "'it''s ?' $1");
  EXPECT_EQ(number_placeholders("\"a?\" ?"), "\"a?\" $1");
  EXPECT_EQ(number_placeholders("? -- ? it's\n?"), "$1 -- ? it's\n$2");
  EXPECT_EQ(number_placeholders("? /* ? ' */ ?"), "$1 /* ? ' */ $2");
  EXPECT_EQ(number_placeholders("? - ? / ?"), "$1 - $2 / $3");
}

TEST(Placeholders, WhatDoesNotEndIsLeftToTheServer) {
  EXPECT_EQ(number_placeholders("'?"), "'?");
  EXPECT_EQ(number_placeholders("-- ?"), "-- ?");
  EXPECT_EQ(number_placeholders("/* ?"), "/* ?");
}

}  // namespace
}  // namespace weft::postgres

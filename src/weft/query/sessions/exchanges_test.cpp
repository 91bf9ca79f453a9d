#include "weft/query/sessions/exchanges.hpp"

#include <gtest/gtest.h>

namespace weft::query {
namespace {

TEST(Command, IsANameAfterASlashOrWordsAfterAnExclamationMark) {
  EXPECT_TRUE(is_command("/model large"));
  EXPECT_TRUE(is_command("/clear"));
  EXPECT_TRUE(is_command("/plugin:review src/"));
  EXPECT_TRUE(is_command("!git pull"));
}

TEST(Command, IsNoPathAndNoExclamation) {
  EXPECT_FALSE(is_command("/home/ada is full"));
  EXPECT_FALSE(is_command("/"));
  EXPECT_FALSE(is_command("//comment"));
  EXPECT_FALSE(is_command("! really"));
  EXPECT_FALSE(is_command("!stop\nand think"));
  EXPECT_FALSE(is_command("what does /clear do?"));
  EXPECT_FALSE(is_command(""));
}

}  // namespace
}  // namespace weft::query

#include "weft/cli/app/arguments.hpp"

#include <gtest/gtest.h>

namespace weft::cli {
namespace {

TEST(Arguments, ANumberIsWhole) {
  EXPECT_EQ(check_number("0"), "");
  EXPECT_EQ(check_number("18446744073709551615"), "");
  for (const char* wrong : {"", "-1", "+1", "010", "1.5", "1e3", "0x10", "18446744073709551616"}) {
    EXPECT_NE(check_number(wrong), "") << wrong;
  }
}

}  // namespace
}  // namespace weft::cli

#include "weft/base/result.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return fail(ErrorCode::invalid_input, "odd number");
  return number / 2;
}

Status checked(int number) {
  Result<int> result = half(number);
  if (!result) return fail(std::move(result).error().within("halving"));
  return {};
}

TEST(Result, IsAValueOrAnError) {
  EXPECT_EQ(half(4), 2);
  EXPECT_EQ(half(5).error().code, ErrorCode::invalid_input);
  EXPECT_TRUE(checked(4));
}

TEST(Result, SaysWhereItCameFromAsItTravelsOutward) {
  EXPECT_EQ(checked(5).error().code, ErrorCode::invalid_input);
  EXPECT_EQ(checked(5).error().message, "halving: odd number");
}

TEST(ErrorCode, IsNamedAsItIsWritten) {
  EXPECT_EQ(to_string(ErrorCode::not_found), "not_found");
  EXPECT_EQ(to_string(ErrorCode::invalid_input), "invalid_input");
  EXPECT_EQ(to_string(ErrorCode::corrupt), "corrupt");
  EXPECT_EQ(to_string(ErrorCode::denied), "denied");
  EXPECT_EQ(to_string(ErrorCode::unavailable), "unavailable");
  EXPECT_EQ(to_string(ErrorCode::internal), "internal");
  EXPECT_EQ(to_string(ErrorCode::conflict), "conflict");
}

}  // namespace
}  // namespace weft

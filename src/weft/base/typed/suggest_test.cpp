#include "weft/base/typed/suggest.hpp"

#include <gtest/gtest.h>

#include <array>

namespace weft {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"connections", "get", "ingest", "list", "why"};

TEST(Suggest, FindsTheNameThatWasMeant) {
  EXPECT_EQ(nearest("lsit", kNames), "list");
  EXPECT_EQ(nearest("ingets", kNames), "ingest");
  EXPECT_EQ(nearest("conn", kNames), "connections");
  EXPECT_EQ(nearest("wy", kNames), "why");
}

TEST(Suggest, StaysSilentWhereNothingIsNear) {
  EXPECT_EQ(nearest("photograph", kNames), std::nullopt);
  EXPECT_EQ(nearest("", kNames), std::nullopt);
  EXPECT_EQ(nearest("x", kNames), std::nullopt);
  EXPECT_EQ(nearest(std::string(100'000, 'x'), kNames), std::nullopt);
}

}  // namespace
}  // namespace weft

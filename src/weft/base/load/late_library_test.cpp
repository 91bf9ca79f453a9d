#include "weft/base/load/late_library.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace weft {
namespace {

TEST(LateLibrary, FindsFunctionsOfALibraryThatIsThere) {
  LateLibrary library("libm.so.6", "libc6");
  double (*cosine)(double) = nullptr;
  library.find(cosine, "cos");
  ASSERT_TRUE(library.status());
  EXPECT_EQ(cosine(0), 1);
}

TEST(LateLibrary, NamesThePackageOfOneThatIsMissing) {
  LateLibrary library("libno_such_library.so.1", "libnone1");
  int (*function)() = nullptr;
  library.find(function, "something");
  EXPECT_EQ(function, nullptr);
  ASSERT_FALSE(library.status());
  EXPECT_EQ(library.status().error().code, ErrorCode::unavailable);
  EXPECT_NE(library.status().error().message.find("libnone1"), std::string::npos);
}

TEST(LateLibrary, NamesAFunctionThatIsMissing) {
  LateLibrary library("libm.so.6", "libc6");
  int (*function)() = nullptr;
  library.find(function, "no_such_function");
  ASSERT_FALSE(library.status());
  EXPECT_NE(library.status().error().message.find("no_such_function"), std::string::npos);
}

}  // namespace
}  // namespace weft

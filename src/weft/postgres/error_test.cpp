#include "weft/postgres/error.hpp"

#include <gtest/gtest.h>

namespace weft::postgres {
namespace {

ErrorCode code_of(std::string_view state) {
  return to_error({.state = state, .message = "m"}).code;
}

TEST(PostgresError, StatesHaveTheCodesThatCallersActOn) {
  for (const char* state :
       {"40001", "40P01", "55P03", "57014", "57P01", "57P03", "08006", "53100", "53300"}) {
    EXPECT_EQ(code_of(state), ErrorCode::unavailable) << state;
  }
  for (const char* state : {"42501", "28P01", "28000", "25006"}) {
    EXPECT_EQ(code_of(state), ErrorCode::denied) << state;
  }
  for (const char* state : {"42P01", "3F000", "3D000"}) {
    EXPECT_EQ(code_of(state), ErrorCode::not_found) << state;
  }
  EXPECT_EQ(code_of("XX001"), ErrorCode::corrupt);
  EXPECT_EQ(code_of("54000"), ErrorCode::invalid_input);
  for (const char* state : {"42601", "23505", "22P02", "XX000", ""}) {
    EXPECT_EQ(code_of(state), ErrorCode::internal) << state;
  }
}

TEST(PostgresError, Security7MessagesThatMayRepeatValuesAreLeftOut) {
  for (const char* state : {"22P02", "23505", "44000", "P0001"}) {
    EXPECT_EQ(to_error({.state = state, .message = "input syntax: \"a secret\""}).message,
              std::string("PostgreSQL: ") + state);
  }
  EXPECT_EQ(to_error({.state = "42601", .message = "syntax error at or near \"FORM\""}).message,
            "PostgreSQL: 42601 (syntax error at or near \"FORM\")");
}

TEST(PostgresError, AConnectionThatIsRefusedSaysWhy) {
  const Error error = connect_error(
      "connection to server at \"db\" (10.0.0.1), port 5432 failed: FATAL:  28P01: password "
      "authentication failed for user \"ann\"\nLOCATION:  auth_failed, auth.c:326\n");
  EXPECT_EQ(error.code, ErrorCode::denied);
  EXPECT_EQ(error.message,
            "the server does not let this role in; check the user and its password (password "
            "authentication failed for user \"ann\")");
  EXPECT_EQ(connect_error("could not translate host name \"db\"").code, ErrorCode::unavailable);
  EXPECT_EQ(connect_error("FATAL:  x").code, ErrorCode::unavailable);
  EXPECT_EQ(connect_error(":  12345").code, ErrorCode::unavailable);
}

TEST(PostgresError, AServersWordsAreCutAndCleaned) {
  EXPECT_EQ(clean("a\nb\x1b[31mc\x7f\r\n"), "a b [31mc");
  EXPECT_EQ(clean("\xc2\x9b"
                  "31m"),
            "  31m")
      << "the one-character form of ESC [";
  EXPECT_EQ(clean("\xff"), "\xef\xbf\xbd");
  EXPECT_EQ(clean(std::string(1000, 'x')).size(), 200u);
}

}  // namespace
}  // namespace weft::postgres

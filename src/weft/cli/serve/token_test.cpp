#include "weft/cli/serve/token.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "weft/base/file.hpp"
#include "weft/cli/app/scratch_for_test.hpp"

namespace weft::cli {
namespace {

TEST(Token, IsMadeForItsOwnerAloneAndStaysTheSame) {
  const ScratchDirectory scratch;
  const Result<Token> made = read_or_make_token(scratch / "token");
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->made);
  EXPECT_EQ(made->text.size(), 64u);
  struct stat info{};
  ASSERT_EQ(::stat((scratch / "token").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0600u);

  const Result<Token> again = read_or_make_token(scratch / "token");
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->made);
  EXPECT_EQ(again->text, made->text);
  EXPECT_NE(read_or_make_token(scratch / "other")->text, made->text);
}

Result<Token> token_of(std::string_view text) {
  const ScratchDirectory scratch;
  EXPECT_TRUE(write_file_atomically(scratch / "token", text, 0600));
  return read_or_make_token(scratch / "token");
}

TEST(Token, IsOneLineOfVisibleCharacters) {
  EXPECT_EQ(token_of("0123456789abcdef\n")->text, "0123456789abcdef");
  EXPECT_EQ(token_of("0123456789abcdef\r\n")->text, "0123456789abcdef");
  for (const std::string& text :
       {std::string(), std::string("0123456789abcde\n"), std::string("0123456789 abcdef"),
        std::string("0123456789abcdef\n\n"), std::string("0123456789abcdef\nmore"),
        std::string("0123456789ghijkl\xc3\xa9"), std::string(2000, 'x')}) {
    const Result<Token> token = token_of(text);
    ASSERT_FALSE(token) << text;
    EXPECT_EQ(token.error().code, ErrorCode::invalid_input) << text;
    EXPECT_TRUE(text.empty() || token.error().message.find(text) == std::string::npos);
  }
}

TEST(Token, IsRefusedWhereOthersCanReadIt) {
  const ScratchDirectory scratch;
  for (const unsigned mode : {0640u, 0604u, 0660u}) {
    ASSERT_TRUE(write_file_atomically(scratch / "token", "0123456789abcdef", mode));
    const Result<Token> token = read_or_make_token(scratch / "token");
    ASSERT_FALSE(token);
    EXPECT_EQ(token.error().code, ErrorCode::denied);
  }
}

TEST(Token, IsNotMadeWhereThereIsNoPlaceForIt) {
  const ScratchDirectory scratch;
  EXPECT_EQ(read_or_make_token(scratch / "nowhere/token").error().code, ErrorCode::not_found);
  EXPECT_EQ(read_or_make_token(scratch.path()).error().code, ErrorCode::invalid_input);
}

}  // namespace
}  // namespace weft::cli

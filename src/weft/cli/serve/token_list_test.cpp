#include "weft/cli/serve/token_list.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "weft/base/file.hpp"

namespace weft::cli {
namespace {

class TokenList : public testing::Test {
 protected:
  TokenList() {
    std::string name = testing::TempDir() + "weft_tokens_XXXXXX";
    folder_ = ::mkdtemp(name.data());
    path_ = token_list_path(folder_);
  }
  ~TokenList() override { std::filesystem::remove_all(folder_); }

  void write(const std::vector<PersonToken>& tokens) {
    ASSERT_TRUE(write_token_list(path_, tokens));
  }
  static PersonToken token(const std::string& name, net::Rights rights, const std::string& text) {
    return {.name = name, .rights = rights, .hash = hash_of_token(text), .created_at = 7};
  }

  std::filesystem::path folder_, path_;
};

TEST_F(TokenList, IsReadAsItWasWritten) {
  EXPECT_TRUE(read_token_list(path_).value().empty()) << "there is no file";
  const std::vector<PersonToken> all = {token("ada", {net::Right::read}, "one"),
                                        token("grace", net::Rights::all(), "two")};
  write(all);
  EXPECT_EQ(read_token_list(path_).value(), all);
  struct stat info{};
  ASSERT_EQ(::stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(TokenList, IsTheExampleOfItsPage) {
  const std::string_view page =
      R"({"tokens":[{"created_at":1763596800000,"hash":"blake3:5b1210c38e454dbbf8bf4bb31eecd32fd0bfbc957f811275bad950c92799b17f","name":"ada","rights":["read","push"]}],"version":1})";
  ASSERT_TRUE(write_file_atomically(path_, page, 0600));
  const auto tokens = read_token_list(path_);
  ASSERT_TRUE(tokens) << tokens.error().message;
  ASSERT_EQ(tokens->size(), 1u);
  EXPECT_EQ(tokens->front().name, "ada");
  const std::string token = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
  EXPECT_EQ(tokens->front().hash, hash_of_token(token));
  EXPECT_EQ(tokens->front().rights, (net::Rights{net::Right::read, net::Right::push}));
}

TEST_F(TokenList, ThatOthersCanReadIsRefused) {
  write({token("ada", {net::Right::read}, "one")});
  ASSERT_EQ(::chmod(path_.c_str(), 0640), 0);
  EXPECT_EQ(read_token_list(path_).error().code, ErrorCode::denied);
}

TEST_F(TokenList, ThatIsDamagedIsRefused) {
  for (
      const char* text :
      {"", "{}", R"({"version":2,"tokens":[]})", R"({"version":1,"tokens":[{}]})",
       R"({"version":1,"tokens":[{"name":"a b","rights":["read"],"hash":"blake3:00","created_at":1}]})"}) {
    ASSERT_TRUE(write_file_atomically(path_, text, 0600));
    EXPECT_EQ(read_token_list(path_).error().code, ErrorCode::corrupt) << text;
  }
}

TEST_F(TokenList, OfARunningServerFollowsTheFile) {
  int warned = 0;
  WatchedTokens watched(path_, [&](const Error&) { ++warned; });
  EXPECT_FALSE(watched.find("one"));
  write({token("ada", {net::Right::read}, "one"), token("ci", {net::Right::push}, "two")});
  EXPECT_EQ(watched.find("one"), net::Rights{net::Right::read});
  EXPECT_EQ(watched.find("two"), net::Rights{net::Right::push});
  EXPECT_FALSE(watched.find("three"));
  EXPECT_FALSE(watched.find(""));
  write({token("ci", {net::Right::push}, "two")});
  EXPECT_FALSE(watched.find("one"));
  EXPECT_TRUE(watched.find("two"));
  EXPECT_EQ(warned, 0);
  ASSERT_EQ(::chmod(path_.c_str(), 0644), 0);
  EXPECT_FALSE(watched.find("two")) << "a file that others can change admits nobody";
  EXPECT_FALSE(watched.find("two"));
  EXPECT_EQ(warned, 1);
  ASSERT_EQ(::unlink(path_.c_str()), 0);
  EXPECT_FALSE(watched.find("two"));
}

TEST_F(TokenList, KeepsNoToken) {
  const std::string secret = "0123456789abcdef-the-token-itself";
  write({token("ada", {net::Right::read}, secret)});
  EXPECT_FALSE(read_file(path_).value().contains(secret));
}

}  // namespace
}  // namespace weft::cli

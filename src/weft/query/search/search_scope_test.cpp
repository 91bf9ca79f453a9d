#include "weft/query/search/search_scope.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft::query {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SearchScope, TypesThatPassBothListsAreTheNarrowerOfEachPair) {
  EXPECT_THAT(common_types({"thinking"}, {"anthropic/thinking", "response"}),
              ElementsAre("anthropic/thinking"));
  EXPECT_THAT(common_types({"anthropic/thinking", "openai/thinking"}, {"thinking"}),
              ElementsAre("anthropic/thinking", "openai/thinking"));
  EXPECT_THAT(common_types({"thinking"}, {"thinking"}), ElementsAre("thinking"));
  EXPECT_THAT(common_types({"anthropic/thinking"}, {"openai/thinking"}), IsEmpty());
  EXPECT_THAT(common_types({"thinking"}, {"response"}), IsEmpty());
}

TEST(SearchScope, AProjectGoesByItsNameByTheEndOfItsPathAndByTheFolder) {
  const transcript::Facts facts{.project = "~/work/Looms/", .cwd = "/home/ada/looms/src"};
  for (const char* name : {"~/work/Looms/", "~/WORK/looms/", "looms", "LOOMS", "src", "SRC"}) {
    EXPECT_TRUE(is_called_project(facts, name)) << name;
  }
  for (const char* name : {"", "work", "loom", "ada", "/", "~/work/Looms"}) {
    EXPECT_FALSE(is_called_project(facts, name)) << name;
  }
  EXPECT_TRUE(is_called_project({.project = "C:\\work\\looms"}, "looms"));
  EXPECT_FALSE(is_called_project({}, "looms"));
  EXPECT_FALSE(is_called_project({.project = "/", .cwd = "/"}, ""));
}

TEST(SearchScope, ASessionGoesByItsIdItsFormatItsNameAndTheirBeginnings) {
  store::ConversationRow row;
  row.cid = *Cid::parse("cid:blake3:" + std::string(32, 'a') + std::string(32, '7'));
  row.format = "claude-code";
  row.session_id = "0b0e-talk-of-looms";
  for (const char* name : {"0b0e-talk-of-looms", "0b0e-tal", "claude-code:0b0e-talk-of-looms",
                           "claude-code:0b0e-tal", "aaaaaaaa", "cid:blake3:aaaaaaaa"}) {
    EXPECT_TRUE(is_called_session(row, name)) << name;
  }
  EXPECT_TRUE(is_called_session(row, row.cid.str()));
  for (const char* name : {"", "0b0e-ta", "talk-of-looms", "codex:0b0e-talk-of-looms", "aaaaaaa",
                           "AAAAAAAA", "claude-code:", "claude-code:aaaaaaaa", "cid:blake3:"}) {
    EXPECT_FALSE(is_called_session(row, name)) << name;
  }
  // A short id is a whole one.
  row.session_id = "0b0e";
  EXPECT_TRUE(is_called_session(row, "0b0e"));
  EXPECT_FALSE(is_called_session(row, "0b0"));
}

}  // namespace
}  // namespace weft::query

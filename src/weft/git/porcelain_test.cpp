#include "weft/git/porcelain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/git/history.hpp"

namespace weft::git {
namespace {

const std::string kFirst(40, 'a'), kSecond(40, 'b');

std::string line_of(const std::string& commit, std::string_view numbers, std::string_view headers,
                    std::string_view text) {
  return commit + " " + std::string(numbers) +
         "\nauthor Ada\nauthor-time 1770000000\ncommitter-time 1770000005\n" +
         std::string(headers) + "\n\t" + std::string(text) + "\n";
}

TEST(Porcelain, NamesTheOriginOfEachLine) {
  const auto blame = parse_porcelain(
      line_of(kFirst, "7 1 1", "summary weave\nfilename loom.py", "a = 1") +
      line_of(kSecond, "2 2 1", "summary mend\nprevious " + kFirst + " old.py\nfilename loom.py",
              "\ttabbed") +
      line_of(kFirst, "9 3 1", "summary weave\nfilename loom.py", ""));
  ASSERT_TRUE(blame) << blame.error().message;
  ASSERT_EQ(blame->origins.size(), 2u);
  EXPECT_EQ(blame->origins[0], (Origin{.commit = kFirst,
                                       .path = "loom.py",
                                       .subject = "weave",
                                       .author = "Ada",
                                       .author_time = 1'770'000'000'000,
                                       .committer_time = 1'770'000'005'000}));
  EXPECT_EQ(blame->origins[1].previous_path, "old.py");
  EXPECT_THAT(blame->lines,
              testing::ElementsAre(BlamedLine{0, 1, 7}, BlamedLine{1, 2, 2}, BlamedLine{0, 3, 9}));
}

TEST(Porcelain, ReadsPathsAsGitQuotesThem) {
  EXPECT_EQ(unquoted("a b.c"), "a b.c");
  EXPECT_EQ(unquoted(R"("a\"b\n\303\244\\.c")"), "a\"b\n\303\244\\.c");
  for (const char* bad : {R"("a)", R"("a"b)", R"("\q")", R"("\9")", R"("\40")", R"("\777")"}) {
    EXPECT_FALSE(unquoted(bad)) << bad;
  }
}

TEST(Porcelain, SaysWhereItCannotBeRead) {
  for (const std::string& bad :
       {std::string("fatal: no such path\n"), kFirst + " 1 1 1\nauthor Ada\n",
        kFirst + " 0 1 1\nfilename a\n\tx\n", kFirst + " 1 1 1\n\tx\n",
        kFirst + " 1 1 1\nauthor-time soon\nfilename a\n\tx\n"}) {
    const auto blame = parse_porcelain(bad);
    ASSERT_FALSE(blame) << bad;
    EXPECT_EQ(blame.error().code, ErrorCode::invalid_input);
    EXPECT_THAT(blame.error().message, testing::HasSubstr("line "));
  }
  EXPECT_TRUE(parse_porcelain("")->lines.empty());
}

TEST(Porcelain, ClampsTimesThatNoClockShows) {
  const auto blame =
      parse_porcelain(kFirst + " 1 1 1\nauthor-time 99999999999999999\nfilename a\n\tx\n");
  ASSERT_TRUE(blame);
  EXPECT_EQ(blame->origins[0].author_time, 253'402'300'799'000);
}

TEST(History, ReadsCommitsAndTheFilesThatTheyTouched) {
  using namespace std::string_literals;
  const std::string blob(40, 'c'), none(40, '0');
  const std::string text = "\x01" + kSecond + " 1770000060 1770000070 " + kFirst +
                           "\0\n:100644 000000 "s + blob + " " + none + " D\0a\nb.c\0"s + "\x01" +
                           kFirst + " 1770000000 1770000000 \0\n:000000 100644 "s + none + " " +
                           blob + " A\0a\nb.c\0"s;
  const auto history = parse_history(text);
  ASSERT_TRUE(history) << history.error().message;
  EXPECT_THAT(*history, testing::ElementsAre(HistoryEntry{.commit = kSecond,
                                                          .author_time = 1'770'000'060'000,
                                                          .committer_time = 1'770'000'070'000,
                                                          .parents = {kFirst},
                                                          .files = {{"a\nb.c", ""}}},
                                             HistoryEntry{.commit = kFirst,
                                                          .author_time = 1'770'000'000'000,
                                                          .committer_time = 1'770'000'000'000,
                                                          .files = {{"a\nb.c", blob}}}));
  for (std::size_t cut = 1; cut < text.size(); ++cut) (void)parse_history(text.substr(0, cut));
  EXPECT_FALSE(parse_history("warning: something"));
}

}  // namespace
}  // namespace weft::git

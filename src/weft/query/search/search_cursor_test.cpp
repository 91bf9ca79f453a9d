#include "weft/query/search/search_cursor.hpp"

#include <gtest/gtest.h>

namespace weft::query {
namespace {

const SearchCursor kCursor{
    .offset = 20,
    .asked_at = 1'794'999'600'000,
    .as_of = {.epoch = 3, .documents = 1'000'000, .texts = 999'990, .length = 60'000'000}};

TEST(SearchCursor, IsReadBackForTheSameQuestion) {
  const SearchOptions question{.query = "loom since:2w", .types = {"thinking"}, .limit = 20};
  const Result<SearchCursor> back = parse_cursor(to_cursor(kCursor, question), question);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->offset, kCursor.offset);
  EXPECT_EQ(back->asked_at, kCursor.asked_at);
  EXPECT_EQ(back->as_of, kCursor.as_of);
  // A page may have another size.
  EXPECT_TRUE(parse_cursor(to_cursor(kCursor, question),
                           {.query = "loom since:2w", .types = {"thinking"}, .limit = 5}));
}

TEST(SearchCursor, IsRefusedForAnotherQuestion) {
  const std::string cursor = to_cursor(kCursor, {.query = "loom"});
  for (const SearchOptions& other :
       std::vector<SearchOptions>{{.query = "looms"},
                                  {.query = "loom", .types = {"thinking"}},
                                  {.query = "loom", .projects = {"x"}},
                                  {.query = "loom", .roles = {"human"}},
                                  {.query = "loom", .since = 1},
                                  {.query = "loom", .until = 1},
                                  {.query = "loom", .group = SearchGroup::session}}) {
    const Result<SearchCursor> back = parse_cursor(cursor, other);
    ASSERT_FALSE(back);
    EXPECT_EQ(back.error().code, ErrorCode::invalid_input);
    EXPECT_TRUE(back.error().message.contains("another question")) << back.error().message;
  }
}

TEST(SearchCursor, IsNothingElse) {
  const SearchOptions question{.query = "loom"};
  const std::string cursor = to_cursor(kCursor, question);
  for (std::size_t size = 0; size < cursor.size(); ++size) {
    EXPECT_FALSE(parse_cursor(cursor.substr(0, size), question)) << size;
  }
  for (const char* text :
       {"20", "2.20.0.0.0.0.0.", "1.-1.0.0.0.0.0.x", "1.99999999999999999999."}) {
    const Result<SearchCursor> back = parse_cursor(text, question);
    ASSERT_FALSE(back) << text;
    EXPECT_EQ(back.error().code, ErrorCode::invalid_input);
  }
}

TEST(SearchCursor, RelativeTimesCountFromTheFirstPage) {
  const std::string cursor = to_cursor(kCursor, {.query = "loom"});
  EXPECT_EQ(clock_at(cursor, {.now = kCursor.asked_at + 5'000}).now, kCursor.asked_at);
  EXPECT_EQ(clock_at("", {.now = 7}).now, 7);
  EXPECT_EQ(clock_at(cursor, {.now = 7}).now, 7);  // not from the future
}

}  // namespace
}  // namespace weft::query

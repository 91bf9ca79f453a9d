// An inverted index whose pages were damaged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/store/inverted/index_pages_for_test.hpp"
#include "weft/store/inverted/inverted_index.hpp"
#include "weft/store/inverted/texts_for_test.hpp"

namespace weft::store::sql {
namespace {

using testing::HasSubstr;

class DamagedIndexTest : public testing::Test {
 protected:
  DamagedIndexTest() {
    Texts texts(7);
    Document document = 0;
    for (int run = 0; run < 8; ++run) {
      RunBuilder builder(Index::clear);
      for (int i = 0; i < 20; ++i) builder.add(++document, packed_terms_of("the " + texts.text()));
      EXPECT_TRUE(InvertedIndex(pages_, Index::clear).add(builder));
    }
  }
  // Everything that reads pages.
  std::vector<Status> use() {
    InvertedIndex index(pages_, Index::clear);
    std::vector<Status> out;
    const auto add = [&out](auto result) {
      out.push_back(result ? Status() : Status(fail(result.error())));
    };
    add(index.find({.terms = {"the"}}));
    add(index.find({.terms = {"the", "apple"}}));
    add(index.find({.terms = {""}, .is_prefix = true}));
    add(index.each_term("", [](std::string_view, std::uint64_t) { return true; }));
    add(index.merge(1'000'000));
    return out;
  }
  MemoryPages pages_;
};

TEST_F(DamagedIndexTest, ADamagedPageIsNamedAndNeverBelieved) {
  const MemoryPages whole = pages_;
  for (const auto& [place, page] : whole.all_pages) {
    const auto& [run, kind, key] = place;
    pages_ = whole;
    pages_.all_pages[place][page.size() / 2] ^= 1;
    std::size_t failed = 0;
    const std::vector<Status> all = use();
    for (const Status& status : all) {
      if (status) continue;
      ++failed;
      EXPECT_EQ(status.error().code, ErrorCode::corrupt);
      EXPECT_THAT(status.error().message, HasSubstr("in run " + std::to_string(run)));
      EXPECT_THAT(status.error().message,
                  HasSubstr(kind == PageKind::terms ? "page of terms" : "page of positions"));
      EXPECT_THAT(status.error().message, HasSubstr("weft reindex"));
    }
    EXPECT_GE(failed, 2u);
  }
}

TEST_F(DamagedIndexTest, AMissingPageOfPositionsIsNamed) {
  const MemoryPages whole = pages_;
  for (const auto& [place, page] : whole.all_pages) {
    if (std::get<1>(place) != PageKind::positions) continue;
    pages_ = whole;
    pages_.all_pages.erase(place);
    const Status status = use()[2];
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::corrupt);
    EXPECT_THAT(status.error().message, HasSubstr("positions"));
  }
}

}  // namespace
}  // namespace weft::store::sql

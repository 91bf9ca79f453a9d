#include "weft/formats/adapter.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace weft::formats {
namespace {

TEST(Adapters, AreFoundByTheirName) {
  const Adapter* adapter = find_adapter("anthropic-transcript");
  ASSERT_NE(adapter, nullptr);
  EXPECT_EQ(adapter->name, "anthropic-transcript");
  EXPECT_EQ(find_adapter("no such"), nullptr);
}

TEST(Adapters, HaveNamesOfTheirOwn) {
  std::vector<std::string_view> names;
  for (const Adapter* adapter : all_adapters()) names.push_back(adapter->name);
  EXPECT_TRUE(std::ranges::is_sorted(names));
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

TEST(Recognise, SaysWhatItSawWhereNobodyClaimsIt) {
  using namespace std::string_view_literals;
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", "nothing in it"},
      {" \n", "nothing in it"},
      {"hello", "text"},
      {"\x7f"
       "ELF\0\0"sv,
       "binary data"},
      {"[1,2]", "a JSON array"},
      {"{\"a\":1}", "a JSON object"},
  };
  for (const auto& [head, seen] : cases) {
    const Result<const Adapter*> found = recognise(head);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::invalid_input);
    EXPECT_EQ(found.error().message, "no known format: " + std::string(seen));
  }
}

TEST(HeadOf, IsWithoutAByteOrderMarkAndNotTooLong) {
  EXPECT_EQ(head_of("\xEF\xBB\xBF"
                    "a"),
            "a");
  EXPECT_EQ(head_of(std::string(kHeadBytes + 1, 'x')).size(), kHeadBytes);
}

}  // namespace
}  // namespace weft::formats

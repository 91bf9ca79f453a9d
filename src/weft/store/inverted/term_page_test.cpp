#include "weft/store/inverted/term_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>
#include <utility>

#include "weft/base/file.hpp"
#include "weft/store/inverted/position_reader.hpp"
#include "weft/store/pages/spaced_hex_for_test.hpp"

namespace weft::store::sql {
namespace {

std::string postings_of(const std::vector<Posting>& postings) {
  std::string out;
  Document last = 0;
  for (const Posting& posting : postings) {
    append_posting(out, posting.document - last, posting.times);
    last = posting.document;
  }
  return out;
}

// Every entry and posting of a body; empty if it is damaged.
using Read = std::vector<std::tuple<std::string, Document, std::uint32_t, std::uint64_t>>;
std::optional<Read> read(std::string_view body, std::uint32_t documents = 1'000'000) {
  Read out;
  TermPageReader page(body);
  while (page.next()) {
    const TermEntry& entry = page.entry();
    PostingCursor cursor(entry.postings, documents);
    while (cursor.next()) {
      out.emplace_back(entry.term, cursor.posting().document, cursor.posting().times,
                       entry.positions_at);
    }
    if (cursor.is_damaged()) return std::nullopt;
  }
  if (page.is_damaged()) return std::nullopt;
  return out;
}

std::string sample() {
  TermPageWriter writer;
  writer.start(300);
  writer.add("apple", postings_of({{0, 1}, {7, 3}}), 5);
  writer.add("apply", postings_of({{200'000, 2}}), 2);
  writer.add("zebra", postings_of({{1, 1}, {2, 1}, {999'999, UINT32_MAX}}), 9);
  return writer.body();
}

// docs/formats/index.md, "Example".
TEST(TermPage, IsWrittenAsItsFormatSays) {
  TermPageWriter writer;
  writer.start(300);
  writer.add("ab", postings_of({{5, 1}, {7, 3}}), 4);
  writer.add("ac", postings_of({{6, 1}}), 1);
  const std::string page =
      read_file(std::string(WEFT_SOURCE_DIR) + "/docs/formats/index.md").value();
  std::string shown = page.substr(page.find("AD 02"));
  shown.erase(shown.find('\n'));
  for (std::size_t at; (at = shown.find("  ")) != std::string::npos;) shown.erase(at, 1);
  EXPECT_EQ(spaced_hex(writer.body()), shown);
  EXPECT_THAT(page, testing::HasSubstr('`' + spaced_hex(term_key("ab", 5)) + '`'));
  EXPECT_EQ(spaced_hex(position_key(258)), "00 00 00 00 00 00 01 02");
}

TEST(TermPage, ReadsWhatWasWritten) {
  EXPECT_EQ(read(sample()), (Read{{"apple", 0, 1, 300},
                                  {"apple", 7, 3, 300},
                                  {"apply", 200'000, 2, 305},
                                  {"zebra", 1, 1, 307},
                                  {"zebra", 2, 1, 307},
                                  {"zebra", 999'999, UINT32_MAX, 307}}));
}

TEST(TermPage, HasNoPositionsInASealedIndex) {
  TermPageWriter writer;
  writer.start(std::nullopt);
  writer.add("a", postings_of({{3, 1}}), 0);
  EXPECT_EQ(writer.body(), from_spaced_hex("00 00 01 61 01 07"));
  EXPECT_EQ(read(writer.body()), (Read{{"a", 3, 1, 0}}));
}

TEST(TermPage, KeysHaveTheOrderOfTermsAndThenOfDocuments) {
  const std::vector<std::string> keys = {
      term_key("a", 0),        term_key("a", 255), term_key("a", 256),
      after_term("a"),         term_key("a=", 0),  term_key("ab", 0),
      term_key("ab", 1 << 30), after_prefix("a"),  term_key("b", 0)};
  EXPECT_TRUE(std::ranges::is_sorted(keys, std::ranges::less_equal{}));
}

TEST(TermPage, RefusesTermsThatItsKeysCannotOrder) {
  EXPECT_TRUE(is_indexable("a"));
  EXPECT_TRUE(is_indexable(std::string(kMaxIndexedTermBytes, 'a')));
  for (const std::string& term : {std::string(), std::string(kMaxIndexedTermBytes + 1, 'a'),
                                  std::string("a\0b", 3), std::string("a\xff")}) {
    EXPECT_FALSE(is_indexable(term));
  }
}

TEST(TermPage, EveryChangedBitAndEveryCutIsFound) {
  const std::string key = term_key("apple", 0), page = to_page(key, sample());
  ASSERT_TRUE(page_body(key, page));
  EXPECT_FALSE(page_body(term_key("apple", 1), page));
  for (std::size_t i = 0; i < page.size(); ++i) {
    EXPECT_FALSE(page_body(key, page.substr(0, i)));
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = page;
      changed[i] = static_cast<char>(changed[i] ^ 1 << bit);
      const Result<std::string_view> body = page_body(key, changed);
      ASSERT_FALSE(body);
      EXPECT_EQ(body.error().code, ErrorCode::corrupt);
    }
  }
}

TEST(TermPage, ACutBodyNeverReadsAsTheWholeOne) {
  const std::string body = sample();
  const Read whole = *read(body);
  for (std::size_t size = 0; size < body.size(); ++size) {
    const std::string cut = body.substr(0, size);
    const std::optional<Read> found = read(cut);
    EXPECT_TRUE(!found || found->size() < whole.size());
  }
}

TEST(TermPage, RefusesWhatNoWriterWrites) {
  const std::pair<const char*, const char*> cases[] = {
      {"no start", ""},
      {"a term that shares more than there is", "00 01 01 61 01 07"},
      {"a term twice", "00 00 01 61 01 07 01 00 01 07"},
      {"terms out of order", "00 00 01 62 01 07 00 01 61 01 07"},
      {"postings beyond the end", "00 00 01 61 02 07"},
      {"no postings", "00 00 01 61 00"},
      {"a document twice", "00 00 01 61 02 07 01"},
      {"a document beyond the run", "00 00 01 61 05 ff ff ff ff 0f"},
      {"times beyond 32 bits", "00 00 01 61 0b 06 ff ff ff ff ff ff ff ff ff 01"},
      {"positions that wrap around",
       "01 00 01 61 01 ff ff ff ff ff ff ff ff ff 01 07 "
       "00 01 62 01 01 07"},
  };
  for (const auto& [what, bytes] : cases) {
    EXPECT_FALSE(read(from_spaced_hex(bytes))) << what;
  }
}

TEST(TermPage, PositionsAreOneVarintForEachTime) {
  std::string bytes = from_spaced_hex("05 00 80 01 07");
  EXPECT_EQ(size_of_varints(bytes, 3), 4u);
  EXPECT_EQ(size_of_varints(bytes, 0), 0u);
  EXPECT_EQ(size_of_varints(bytes, 5), std::nullopt);
  std::vector<std::uint32_t> positions;
  const auto keep = [&](std::uint32_t position) { positions.push_back(position); };
  std::string_view left = bytes;
  EXPECT_TRUE(take_positions(left, 3, keep));
  EXPECT_EQ(positions, (std::vector<std::uint32_t>{5, 5, 133}));
  EXPECT_FALSE(take_positions(left, 2, keep));
  bytes = from_spaced_hex("ff ff ff ff 0f 01");
  left = bytes;
  EXPECT_FALSE(take_positions(left, 2, keep));
}

}  // namespace
}  // namespace weft::store::sql

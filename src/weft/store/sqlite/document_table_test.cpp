// Documents beside their terms: their pages, and how they are found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/store/open.hpp"
#include "weft/store/postings/documents.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/sql/document_table.hpp"
#include "weft/store/sqlite/schema.hpp"

namespace weft::store::sql {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Documents, ArePackedAndUnpacked) {
  const std::vector<DocumentRow> rows = {
      {.thought = 700,
       .turn = 690,
       .exchange = 600,
       .role = 1,
       .type = 3,
       .time = 1'700'000'000'000,
       .lengths = {12, 0, 65535}},
      {.thought = 702,
       .turn = 720,
       .exchange = 720,
       .role = 0,
       .type = 9,
       .time = 1'600'000'000'000},
      {},
      {.thought = 5, .type = 3, .time = -1, .lengths = {1, 2, 3}}};
  EXPECT_EQ(unpack_documents(pack_documents(rows)).value(), rows);
  EXPECT_THAT(unpack_documents("").value(), IsEmpty());
}

TEST(Documents, AreFoundByTheirThoughtsInWhateverOrderTheyCame) {
  const Scratch scratch;
  const auto database = open_store_file(scratch.path() / "weft.db", Create::yes);
  ASSERT_TRUE(database);
  DocumentTable table(*database);
  Documents documents;
  const auto add = [&](std::initializer_list<Id> thoughts) {
    std::vector<DocumentRow> rows;
    for (const Id thought : thoughts) rows.push_back({.thought = thought, .lengths = {2}});
    ASSERT_TRUE(table.append(rows));
    ASSERT_TRUE(documents.refresh(table));
  };
  const auto between = [&documents](Id first, Id last) {
    std::vector<Document> found;
    documents.each_between(first, last, [&found](Document at) { found.push_back(at); });
    return found;
  };
  add({});
  EXPECT_THAT(between(1, 99), IsEmpty());
  add({10, 12});
  add({15});
  EXPECT_THAT(between(10, 15), ElementsAre(1, 2, 3));
  EXPECT_THAT(between(11, 14), ElementsAre(2));
  EXPECT_EQ(documents.find(12), 2);
  EXPECT_EQ(documents.find(13), std::nullopt);
  // It was spoken of before it was stored.
  add({11, 20});
  EXPECT_THAT(between(10, 15), ElementsAre(1, 4, 2, 3));
  EXPECT_EQ(documents.find(20), 5);
  add({30});
  EXPECT_THAT(between(12, 99), ElementsAre(2, 3, 5, 6));
  // A forgotten one is found no more, and its text does not count.
  const std::vector<Id> forgotten = {10, 12};
  ASSERT_TRUE(table.clear(forgotten));
  ASSERT_TRUE(documents.refresh(table));
  EXPECT_THAT(between(0, 99), ElementsAre(4, 3, 5, 6));
  EXPECT_EQ(documents.find(10), std::nullopt);
  documents.need_lengths(reach_of(Index::clear));
  EXPECT_EQ(documents.lengths(reach_of(Index::clear))->texts, 4u);
}

TEST(Documents, DamageIsToldAndNeverReadBeyond) {
  const std::vector<DocumentRow> rows = {{.thought = 700, .turn = 690, .time = 5, .lengths = {9}}};
  const std::string packed = pack_documents(rows);
  for (std::size_t cut = 1; cut < packed.size(); ++cut) {
    EXPECT_EQ(unpack_documents(packed.substr(0, cut)).error().code, ErrorCode::corrupt) << cut;
  }
  EXPECT_FALSE(unpack_documents(std::string(40, '\xff')));
  // Any byte may be any other: what comes of it is an answer, and ids that may be looked up.
  for (std::size_t at = 0; at < packed.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = packed;
      changed[at] = static_cast<char>(byte);
      const auto read = unpack_documents(changed);
      EXPECT_TRUE(!read || read->front().thought >= 0) << at << " " << byte;
    }
  }
  std::string far = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";  // as far as can be, twice
  EXPECT_FALSE(unpack_documents(far + far + std::string(6, '\0')));
}

}  // namespace
}  // namespace weft::store::sql

// The indexes as whoever has the file and no key sees them.
#include "weft/store/sqlite/fulltext_index.hpp"
#include "weft/sqlite/database.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "weft/search/blind.hpp"
#include "weft/search/terms.hpp"
#include "weft/store/open.hpp"
#include "weft/store/postings/documents.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/sql/document_table.hpp"
#include "weft/store/sqlite/schema.hpp"
#include "weft/store/talk_for_test.hpp"
#include "weft/thought/seal.hpp"

namespace weft::store::sql {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Instance {
  std::string term;
  std::int64_t offset;
};

class IndexFile : public testing::Test {
 protected:
  void SetUp() override {
    Result<std::unique_ptr<Store>> store = open_store(path_, Create::yes);
    ASSERT_TRUE(store) << store.error().message;
    Talk talk("a");
    for (const char* text : {"zebra apple mango apple the of", "mango kiwi banana zebra cherry"}) {
      thought::Thought thinking;
      thinking.type = "test/thinking";
      thinking.created_by = speaker("ada").identity.cid;
      thought::set_content(thinking, {{"reasoning", text}, {"chars", 3}}, keyring_);
      talk.stands(thinking);
      thinking.type = "test/thinking_summary";
      thought::set_content(thinking, {{"summaries", json::array{text}}}, keyring_);
      talk.stands(thinking);
    }
    Batch batch = talk.batch();
    (*store)->writer().prepare(batch, {.keyring = &keyring_});
    ASSERT_TRUE((*store)->writer().commit(batch));
    Result<PlainDatabase> database = open_reader(path_);
    ASSERT_TRUE(database) << database.error().message;
    database_.emplace(*std::move(database));
  }

  // What fts5vocab tells of an index, by document.
  std::map<std::int64_t, std::vector<Instance>> instances(const std::string& table) {
    const std::string make = "CREATE VIRTUAL TABLE temp.v_" + table + " USING fts5vocab(main, '" +
                             table + "', 'instance')";
    EXPECT_TRUE(database_->script(make.c_str()));
    const std::string ask = "SELECT doc, term, offset FROM temp.v_" + table;
    sqlite::Statement statement(sqlite::handle_of(*database_), ask.c_str());
    std::map<std::int64_t, std::vector<Instance>> found;
    Rows rows = statement.query();
    while (rows.next()) {
      found[rows.integer(0)].push_back({std::string(rows.bytes(1)), rows.integer(2)});
    }
    EXPECT_TRUE(rows.status());
    return found;
  }

  Scratch scratch_;
  const std::string path_ = (scratch_.path() / "weft.db").string();
  const crypto::Keyring keyring_ =
      crypto::Keyring::create("ada", 1'000, crypto::SealMode::thinking).value();
  std::optional<PlainDatabase> database_;
};

TEST_F(IndexFile, SealedTermsStandInTheOrderOfTheirHashesAndNotOfTheText) {
  for (const char* table : {"search_content", "search_metadata"}) {
    const auto found = instances(table);
    EXPECT_EQ(found.size(), 2u);
    for (auto [document, terms] : found) {
      std::ranges::sort(terms, {}, &Instance::offset);
      for (std::size_t i = 0; i < terms.size(); ++i) {
        EXPECT_EQ(terms[i].offset, static_cast<std::int64_t>(i));
        EXPECT_EQ(terms[i].term.size(), search::kBlindChars);
      }
      EXPECT_TRUE(std::ranges::is_sorted(terms, {}, &Instance::term));
    }
  }
}

TEST_F(IndexFile, NoWordStandsInASealedIndexAndStopWordsNotEvenBlind) {
  const crypto::LayerKey& key = *keyring_.layer(crypto::Layer::content);
  std::vector<std::string> expected;
  for (const char* word : {"zebra", "apple", "mango", "apple"}) {
    const search::BlindTerm term = search::blind(key, word);
    expected.emplace_back(search::text_of(term));
  }
  std::ranges::sort(expected);
  std::vector<std::string> terms;
  const auto found = instances("search_content");
  for (const Instance& instance : found.begin()->second) terms.push_back(instance.term);
  std::ranges::sort(terms);
  EXPECT_EQ(terms, expected);
}

TEST_F(IndexFile, TheSameWordsUnderAnotherKeyOrLayerAreOtherTerms) {
  std::vector<std::string> content, metadata;
  for (const auto& [document, terms] : instances("search_content")) {
    for (const Instance& instance : terms) content.push_back(instance.term);
  }
  for (const auto& [document, terms] : instances("search_metadata")) {
    for (const Instance& instance : terms) metadata.push_back(instance.term);
  }
  EXPECT_EQ(content.size(), metadata.size());
  for (const std::string& term : content) {
    EXPECT_EQ(std::ranges::find(metadata, term), metadata.end());
  }
}

TEST_F(IndexFile, PostingsTellHowOften) {
  const crypto::LayerKey& key = *keyring_.layer(crypto::Layer::content);
  const search::BlindTerm apple = search::blind(key, "apple"), zebra = search::blind(key, "zebra");
  const auto find = [&](const search::BlindTerm& term) {
    std::vector<std::pair<Document, std::uint32_t>> out;
    const auto postings =
        Fts5(*database_).find(Index::content, {.terms = {std::string(search::text_of(term))}});
    for (const Posting& posting : *postings) out.emplace_back(posting.document, posting.times);
    return out;
  };
  EXPECT_THAT(find(apple), ElementsAre(std::pair(Document{1}, 2u)));
  EXPECT_THAT(find(zebra), ElementsAre(std::pair(Document{1}, 1u), std::pair(Document{3}, 1u)));
}

TEST_F(IndexFile, WhatIsAskedNeverBreaksTheEngine) {
  for (const char* term : {"\"", "\"\"", "*", "a\" OR \"b", "NEAR(", "^x", "{", "-", "\xff", " "}) {
    for (const bool is_prefix : {false, true}) {
      const auto found =
          Fts5(*database_).find(Index::clear, {.terms = {term}, .is_prefix = is_prefix});
      EXPECT_TRUE(found) << term << ": " << found.error().message;
    }
  }
}

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

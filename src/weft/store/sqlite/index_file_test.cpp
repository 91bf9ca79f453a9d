// The indexes as whoever has the file and no key sees them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "weft/search/blind.hpp"
#include "weft/search/terms.hpp"
#include "weft/store/inverted/run_reader.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/sql/index_tables.hpp"
#include "weft/store/sqlite/schema.hpp"
#include "weft/store/sqlite/sqlite_text.hpp"
#include "weft/store/talk_for_test.hpp"
#include "weft/thought/seal.hpp"

namespace weft::store::sql {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

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

  // The terms of each document, in the order in which the file has them, each as often as it says.
  std::map<Document, std::vector<std::string>> terms_of(Index index) {
    std::map<Document, std::vector<std::string>> found;
    IndexTables pages(*database_);
    const std::vector<IndexRun> runs = pages.runs(index).value();
    for (const IndexRun& run : runs) {
      RunReader reader(pages, run, RunReader::Positions::read);
      while (reader.next_term().value()) {
        while (reader.next_posting().value()) {
          const Posting posting = reader.posting();
          EXPECT_TRUE(reader.positions().empty());
          found[posting.document].insert(found[posting.document].end(), posting.times,
                                         reader.term());
        }
      }
    }
    return found;
  }

  Scratch scratch_;
  const std::string path_ = (scratch_.path() / "weft.db").string();
  const crypto::Keyring keyring_ =
      crypto::Keyring::create("ada", 1'000, crypto::SealMode::thinking).value();
  std::optional<PlainDatabase> database_;
};

TEST_F(IndexFile, SealedTermsAreHashesAndHaveNoPositions) {
  for (const Index sealed : {Index::metadata, Index::content}) {
    const auto found = terms_of(sealed);
    EXPECT_EQ(found.size(), 2u);
    for (const auto& [document, terms] : found) {
      for (const std::string& term : terms) EXPECT_EQ(term.size(), search::kBlindChars);
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
  EXPECT_EQ(terms_of(Index::content).begin()->second, expected);
}

TEST_F(IndexFile, TheSameWordsUnderAnotherKeyOrLayerAreOtherTerms) {
  std::vector<std::string> content, metadata;
  for (const auto& [document, terms] : terms_of(Index::content)) {
    content.insert(content.end(), terms.begin(), terms.end());
  }
  for (const auto& [document, terms] : terms_of(Index::metadata)) {
    metadata.insert(metadata.end(), terms.begin(), terms.end());
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
        SqliteText(*database_)
            .find(Index::content, {.terms = {std::string(search::text_of(term))}});
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
          SqliteText(*database_).find(Index::clear, {.terms = {term}, .is_prefix = is_prefix});
      EXPECT_TRUE(found) << term << ": " << found.error().message;
    }
  }
}

}  // namespace
}  // namespace weft::store::sql

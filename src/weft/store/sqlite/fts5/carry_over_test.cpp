// Stores of version 16 and their indexes in FTS5: read as they are, and carried over in pieces.
#include "weft/store/sqlite/fts5/carry_over.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <map>

#include "weft/search/blind.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/store/inverted/texts_for_test.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/sqlite/fts5/fts5_for_test.hpp"
#include "weft/store/sqlite/sqlite_text.hpp"
#include "weft/store/talk_for_test.hpp"
#include "weft/thought/seal.hpp"

namespace weft::store::sql {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

// What an index answers to some questions, and all its terms.
struct Answers {
  std::vector<std::vector<std::pair<Document, std::uint32_t>>> found{};
  std::map<std::string, std::uint64_t> terms{};
  friend bool operator==(const Answers&, const Answers&) = default;
};

class OldIndex : public testing::Test {
 protected:
  // The same texts in every store that is made.
  void make_store(const std::string& path) {
    const auto store = open_store(path, Create::yes).value();
    Texts texts(3);
    for (int i = 0; i < 12; ++i) {
      Talk talk("s" + std::to_string(i));
      for (int j = 0; j < 12; ++j) talk.says("apple kiwi " + texts.text());
      think(talk, "zebra hidden" + std::to_string(i));
      add(*store, talk);
    }
  }
  void add_later(Store& store) const {
    Talk talk("later");
    talk.says("apple kiwi later");
    think(talk, "zebra apple");
    add(store, talk);
  }
  void think(Talk& talk, const std::string& text) const {
    thought::Thought thinking;
    thinking.type = "test/thinking";
    thinking.created_by = speaker("ada").identity.cid;
    thought::set_content(thinking, {{"reasoning", text}}, keyring_);
    talk.stands(thinking);
  }
  void add(Store& store, Talk& talk) const {
    Batch batch = talk.batch();
    (void)store.writer().prepare(batch, {.keyring = &keyring_});
    ASSERT_TRUE(store.writer().commit(batch));
  }

  Answers answers(const PlainDatabase& database) const {
    SqliteText text(database);
    Answers out;
    const auto ask = [&](Index index, const Sought& sought) {
      const auto found = text.find(index, sought);
      EXPECT_TRUE(found) << found.error().message;
      auto& all = out.found.emplace_back();
      for (const Posting& posting : found.value())
        all.emplace_back(posting.document, posting.times);
    };
    for (const char* word : {"apple", "kiwi", "the", "a1", "b7", "nowhere"}) {
      ask(Index::clear, {.terms = {word}});
    }
    for (const char* prefix : {"ap", "a", "b1"}) {
      ask(Index::clear, {.terms = {prefix}, .is_prefix = true});
    }
    ask(Index::clear, {.terms = {"apple", "kiwi"}});
    ask(Index::clear, {.terms = {"kiwi", "la"}, .is_prefix = true});
    const crypto::LayerKey& key = *keyring_.layer(crypto::Layer::content);
    for (const char* word : {"zebra", "hidden7"}) {
      ask(Index::content, {.terms = {std::string(search::text_of(search::blind(key, word)))}});
    }
    EXPECT_TRUE(text.each_clear_term("", [&](std::string_view term, std::uint64_t documents) {
      out.terms[std::string(term)] = documents;
      return true;
    }));
    return out;
  }
  Answers answers(const std::string& path) const { return answers(open_reader(path).value()); }

  static bool has_fts5(const std::string& path) {
    const PlainDatabase database = open_reader(path).value();
    Rows rows = database.query("SELECT 1 FROM sqlite_master WHERE name LIKE 'search_clear%'");
    return rows.next();
  }
  // What verify finds in the tables, with their sums.
  std::vector<std::string> findings(const std::string& path) const {
    std::vector<std::string> all;
    const auto store = open_store(path, Create::no).value();
    const auto checks = store->derived().checks(CheckDepth::full).value();
    for (const StoreCheck& check : checks) {
      const auto found = store->derived().run(check, &keyring_).value();
      for (const StoreFinding& finding : found) all.push_back(finding.table + ": " + finding.what);
    }
    return all;
  }

  const Scratch scratch_;
  const std::string path_ = (scratch_.path() / "weft.db").string();
  const crypto::Keyring keyring_ =
      crypto::Keyring::create("ada", 1'000, crypto::SealMode::thinking).value();
};

TEST_F(OldIndex, AnswersAtEveryPieceAsTheNewOneDoes) {
  make_store(path_);
  const Answers expected = answers(path_);
  ASSERT_TRUE(turn_to_version_16(path_));
  EXPECT_EQ(answers(open_store_file_to_read(path_).value()), expected);  // as it is

  std::optional<Answers> expected_later;
  int pieces = 0;
  for (bool is_more_left = true; is_more_left; ++pieces) {
    // A process for each piece: what one knows is in the file.
    const auto store = open_store(path_, Create::no).value();
    EXPECT_EQ(answers(path_), expected_later.value_or(expected)) << pieces;
    if (pieces == 6) {
      EXPECT_TRUE(has_fts5(path_));
      add_later(*store);
      expected_later = answers(path_);
      EXPECT_NE(expected_later, expected);
    }
    const auto filled = store->filling().fill(keyring_, 0ms);
    ASSERT_TRUE(filled) << filled.error().message;
    is_more_left = *filled;
    EXPECT_THAT(findings(path_), testing::IsEmpty()) << pieces;
  }
  EXPECT_GT(pieces, 20);
  EXPECT_FALSE(has_fts5(path_));
  EXPECT_EQ(answers(path_), expected_later);

  // And as a store that never was an older one, with the same thoughts.
  const std::string fresh = (scratch_.path() / "fresh.db").string();
  make_store(fresh);
  add_later(*open_store(fresh, Create::no).value());
  EXPECT_EQ(answers(fresh), expected_later);
  EXPECT_FALSE(has_fts5(fresh));
}

TEST_F(OldIndex, IsRebuiltFromThoughtsAtAnyPiece) {
  make_store(path_);
  const Answers expected = answers(path_);
  ASSERT_TRUE(turn_to_version_16(path_));
  const auto store = open_store(path_, Create::no).value();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(store->filling().fill(keyring_, 0ms));
  ASSERT_TRUE(store->writer().reindex({.keyring = &keyring_}, {}));
  EXPECT_FALSE(has_fts5(path_));
  EXPECT_EQ(answers(path_).terms, expected.terms);
  EXPECT_THAT(findings(path_), testing::IsEmpty());
}

TEST_F(OldIndex, SaysThatItIsDamagedAndIsRebuilt) {
  make_store(path_);
  const Answers expected = answers(path_);
  ASSERT_TRUE(turn_to_version_16(path_));
  {
    const PlainDatabase raw = open_reader(path_).value();
    sqlite3_db_config(sqlite::handle_of(raw), SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
    ASSERT_TRUE(
        raw.run("UPDATE search_clear_data SET block = zeroblob(length(block)) WHERE id > 10"));
  }
  const auto store = open_store(path_, Create::no).value();
  Result<bool> filled = true;
  for (int i = 0; i < 1000 && filled && *filled; ++i) filled = store->filling().fill(keyring_, 0ms);
  ASSERT_FALSE(filled);
  EXPECT_EQ(filled.error().code, ErrorCode::corrupt);
  EXPECT_THAT(filled.error().message, HasSubstr("weft reindex"));
  EXPECT_FALSE(findings(path_).empty());
  ASSERT_TRUE(store->derived().rebuild({.keyring = &keyring_}, {}));
  EXPECT_FALSE(has_fts5(path_));
  EXPECT_EQ(answers(path_).terms, expected.terms);
  EXPECT_THAT(findings(path_), testing::IsEmpty());
}

}  // namespace
}  // namespace weft::store::sql

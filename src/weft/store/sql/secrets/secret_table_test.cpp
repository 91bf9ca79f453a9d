// The rows of the table of secrets: what a commit writes, who can read them, and that answers from
// them are those without them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "weft/secrets/mint_for_test.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/store/edits_for_test.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/sql/database.hpp"

namespace weft::store::sql {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr std::size_t kLongestRow = 2'048;

class SecretTableTest : public testing::Test {
 protected:
  explicit SecretTableTest(crypto::SealMode mode = crypto::SealMode::thinking)
      : keyring_(*crypto::Keyring::create("Ada", 1'000, mode)),
        store_(open_store(path(), Create::yes).value()),
        raw_(sqlite::open_database(path(), sqlite::Mode::read_write).value()) {}

  std::string path() const { return scratch_.path() / "weft.db"; }

  std::string mint() {
    const auto shapes = secrets::all_shapes();
    return mint_.token(shapes[minted_++ % shapes.size()]);
  }
  void commit(Talk& talk) {
    Batch batch = talk.batch();
    (void)store_->writer().prepare(batch, {.keyring = &keyring_});
    const auto report = store_->writer().commit(batch);
    ASSERT_TRUE(report) << report.error().message;
  }
  Cid says(Talk& talk, const std::string& text) {
    return add_block(talk, "test/response", {{"text", text}}, {}, time_ += 10, &keyring_);
  }
  std::vector<SecretEntry> secrets(const crypto::Keyring* keyring,
                                   std::optional<Cid> conversation = {}) const {
    const auto table = store_->secrets({.conversation = conversation, .keyring = keyring});
    EXPECT_TRUE(table) << table.error().message;
    return table ? table->entries : std::vector<SecretEntry>();
  }
  std::vector<Cid> thoughts_in(const std::vector<SecretEntry>& entries) const {
    std::vector<Cid> thoughts;
    for (const SecretEntry& entry : entries) thoughts.push_back(entry.thought);
    return thoughts;
  }
  std::int64_t number(Sql sql) const {
    Rows rows = raw_.query(sql);
    return rows.next() ? rows.integer(0) : -1;
  }
  void expect_same_as_computed() {
    const auto stored = places();
    ASSERT_TRUE(raw_.run("UPDATE late_tables SET version = 0 WHERE name = 'secrets'"));
    EXPECT_EQ(stored, places());
    ASSERT_TRUE(raw_.run("UPDATE late_tables SET version = 1 WHERE name = 'secrets'"));
  }
  std::multiset<std::tuple<Cid, Cid, Millis, SecretPlace>> places() const {
    std::multiset<std::tuple<Cid, Cid, Millis, SecretPlace>> all;
    for (const SecretEntry& one : secrets(&keyring_)) {
      all.emplace(one.conversation, one.thought, one.time, one.place);
    }
    return all;
  }
  // The tables to which the recount objects, without the sums.
  std::vector<std::string> findings(const crypto::Keyring* keyring) const {
    std::vector<std::string> tables;
    const auto checks = store_->derived().checks(CheckDepth::full).value();
    for (const StoreCheck& check : checks) {
      if (!check.table.empty()) continue;
      const auto found = store_->derived().run(check, keyring).value();
      for (const StoreFinding& finding : found) tables.push_back(finding.table);
    }
    return tables;
  }
  // In the tables of secrets and the search index.
  bool derived_rows_have(std::string_view value) const {
    bool has = false;
    for (const Sql sql : {Sql("SELECT clear FROM secrets WHERE clear IS NOT NULL"),
                          Sql("SELECT clear FROM secret_pages WHERE clear IS NOT NULL"),
                          Sql("SELECT body FROM index_pages")}) {
      Rows rows = raw_.query(sql);
      while (rows.next()) has = has || rows.bytes(0).contains(value);
      EXPECT_TRUE(rows.status());
    }
    return has;
  }

  Scratch scratch_;
  crypto::Keyring keyring_;
  std::unique_ptr<Store> store_;
  PlainDatabase raw_;
  Millis time_ = 1'770'000'000'000;
  secrets::Mint mint_{5};
  std::size_t minted_ = 0;
};

TEST_F(SecretTableTest, ACommitNotesWhereSecretsStandAndNotWhatTheyAre) {
  Talk talk("s1");
  const std::string token = mint();
  const Cid first = says(talk, "use " + token + " and " + token);
  says(talk, "nothing here");
  commit(talk);
  const auto found = secrets(&keyring_);
  ASSERT_THAT(thoughts_in(found), ElementsAre(first, first));
  EXPECT_EQ(found[0].place.offset, 4u);
  EXPECT_EQ(found[0].place.length, token.size());
  EXPECT_EQ(found[0].place.fingerprint, found[1].place.fingerprint);
  EXPECT_EQ(found[0].conversation, talk.cid());
  EXPECT_FALSE(derived_rows_have(token));
  expect_same_as_computed();
  EXPECT_THAT(findings(&keyring_), IsEmpty());
}

TEST_F(SecretTableTest, FactsHaveThemToo) {
  Talk talk("s1");
  says(talk, "nothing");
  const Cid facts = talk.facts("deploy with " + mint());
  commit(talk);
  EXPECT_THAT(thoughts_in(secrets(&keyring_)), ElementsAre(facts));
  expect_same_as_computed();
}

TEST_F(SecretTableTest, AThoughtThatTwoConversationsHoldIsNotedInBoth) {
  Talk talk("s1"), fork("s2");
  const Cid block = says(talk, "use " + mint());
  commit(talk);
  says(fork, "other words");
  commit(fork);
  fork.brings(without_covers(store_->get(block).value()));
  fork.shares(block);
  commit(fork);
  EXPECT_THAT(thoughts_in(secrets(&keyring_, talk.cid())), ElementsAre(block));
  EXPECT_THAT(thoughts_in(secrets(&keyring_, fork.cid())), ElementsAre(block));
  expect_same_as_computed();
  EXPECT_THAT(findings(&keyring_), IsEmpty());
}

TEST_F(SecretTableTest, ALongRowBecomesAPageThatStaysAsItIs) {
  Talk talk("s1");
  std::vector<Cid> blocks;
  for (int i = 0; i < 90; ++i) {
    blocks.push_back(says(talk, "use " + mint()));
    commit(talk);
  }
  EXPECT_GT(number("SELECT count(*) FROM secret_pages"), 1);
  EXPECT_LT(number("SELECT max(length(clear)) FROM secrets"), kLongestRow);
  EXPECT_EQ(thoughts_in(secrets(&keyring_)), blocks);
  expect_same_as_computed();
  EXPECT_THAT(findings(&keyring_), IsEmpty());
}

TEST_F(SecretTableTest, ACommitWithoutSecretsLeavesTheRowAsItIs) {
  Talk talk("s1");
  says(talk, "one");
  commit(talk);
  EXPECT_EQ(number("SELECT count(*) FROM secrets"), 1) << "it was looked for";
  const std::int64_t before = number("SELECT total_changes()");
  says(talk, "two");
  commit(talk);
  EXPECT_EQ(number("SELECT count(*) FROM secrets WHERE clear IS NULL"), 1);
  EXPECT_EQ(number("SELECT total_changes()"), before);
}

TEST_F(SecretTableTest, VerifyNamesARowThatWasChanged) {
  Talk talk("s1");
  says(talk, "use " + mint());
  commit(talk);
  ASSERT_TRUE(raw_.run("UPDATE secrets SET clear = NULL"));
  EXPECT_THAT(findings(&keyring_), ElementsAre("secrets"));
}

class SealedSecretTableTest : public SecretTableTest {
 protected:
  SealedSecretTableTest() : SecretTableTest(crypto::SealMode::all) {}
};

TEST_F(SealedSecretTableTest, WithoutTheKeyNobodySeesWhetherThereAreAny) {
  Talk with("s1"), without("s2");
  says(with, "use " + mint());
  says(without, "nothing");
  commit(with);
  commit(without);
  EXPECT_EQ(number("SELECT count(*) FROM secrets WHERE content IS NOT NULL"), 2);
}

TEST_F(SealedSecretTableTest, NothingIsSaidInTheClearOfWhatIsSealed) {
  Talk talk("s1");
  const Cid block = says(talk, "use " + mint());
  commit(talk);
  EXPECT_THAT(thoughts_in(secrets(&keyring_)), ElementsAre(block));
  EXPECT_EQ(number("SELECT count(*) FROM secrets WHERE clear IS NOT NULL"), 0);
  EXPECT_EQ(number("SELECT count(*) FROM secrets WHERE content IS NOT NULL"), 1);
  const auto stranger = *crypto::Keyring::create("Eve", 1'000, crypto::SealMode::all);
  for (const crypto::Keyring* reader : {&stranger, static_cast<const crypto::Keyring*>(nullptr)}) {
    const auto table = store_->secrets({.keyring = reader}).value();
    EXPECT_THAT(table.entries, IsEmpty());
    EXPECT_EQ(table.sealed, 1u);
    EXPECT_THAT(findings(reader), IsEmpty());
  }
  expect_same_as_computed();
  EXPECT_THAT(findings(&keyring_), IsEmpty());
}

// A row is written with the keyring of whoever wrote it: what that did not open, another may.
TEST_F(SealedSecretTableTest, WhatTheWriterDidNotOpenItsOwnKeyringReads) {
  const auto other = *crypto::Keyring::create("Eve", 1'000, crypto::SealMode::all);
  Talk talk("s1");
  const Cid own = says(talk, "use " + mint());
  const Cid theirs = add_block(talk, "test/response", {{"text", "and " + mint()}}, {}, 1, &other);
  commit(talk);
  EXPECT_THAT(thoughts_in(secrets(&keyring_)), ElementsAre(own));
  EXPECT_THAT(thoughts_in(secrets(&other)), ElementsAre(theirs));
  EXPECT_EQ(store_->secrets({.keyring = &keyring_}).value().sealed, 1u);
  EXPECT_THAT(findings(&keyring_), IsEmpty());
}

}  // namespace
}  // namespace weft::store::sql

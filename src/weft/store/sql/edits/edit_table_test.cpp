// The rows of the index of edits: what a commit writes, who can read them, and that answers from
// them are those without them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "weft/sqlite/database.hpp"
#include "weft/store/edits_for_test.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/sql/database.hpp"
#include "weft/store/sql/edits/edit_names.hpp"

namespace weft::store::sql {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t kLongestRow = 2'048;

class EditTableTest : public testing::Test {
 protected:
  explicit EditTableTest(crypto::SealMode mode = crypto::SealMode::thinking)
      : keyring_(*crypto::Keyring::create("Ada", 1'000, mode)),
        store_(open_store(path(), Create::yes).value()),
        raw_(sqlite::open_database(path(), sqlite::Mode::read_write).value()) {}

  std::string path() const { return scratch_.path() / "weft.db"; }

  void commit(Talk& talk) {
    Batch batch = talk.batch();
    (void)store_->writer().prepare(batch, {.keyring = &keyring_});
    const auto report = store_->writer().commit(batch);
    ASSERT_TRUE(report) << report.error().message;
  }
  TestCall write(Talk& talk, std::string_view file, std::string_view text) {
    return writes(talk, file, text, time_ += 10, &keyring_);
  }
  static std::string lines(int from, int count) {
    std::string text;
    for (int i = from; i < from + count; ++i) text += "line number " + std::to_string(i) + "\n";
    return text;
  }
  std::int64_t number(Sql sql) const {
    Rows rows = raw_.query(sql);
    return rows.next() ? rows.integer(0) : -1;
  }
  using Dump = std::map<std::pair<int, std::int64_t>, std::string>;
  Dump dump() const {
    Dump rows;
    const auto read = [&](int table, Rows found) {
      while (found.next()) {
        rows[{table, found.integer(0)}] =
            std::string(found.bytes(1)) + "/" + std::string(found.bytes(2));
      }
    };
    read(0, raw_.query("SELECT conversation, clear, content FROM edits"));
    read(1, raw_.query("SELECT id, clear, content FROM edit_pages"));
    return rows;
  }
  std::vector<EditEntry> edits(std::string file, const crypto::Keyring* keyring) const {
    const auto list = store_->edits({.file_name = std::move(file), .keyring = keyring});
    EXPECT_TRUE(list) << list.error().message;
    return list ? list->entries : std::vector<EditEntry>();
  }
  void expect_same_as_computed() {
    const std::vector<EditEntry> stored = edits("", &keyring_);
    ASSERT_TRUE(raw_.run("UPDATE late_tables SET version = 0 WHERE name = 'edits'"));
    EXPECT_EQ(stored, edits("", &keyring_));
    ASSERT_TRUE(raw_.run("UPDATE late_tables SET version = 1 WHERE name = 'edits'"));
  }
  // The tables to which the recount objects, without the sums.
  std::vector<std::string> findings(const crypto::Keyring* keyring) const {
    std::vector<std::string> tables;
    for (const StoreCheck& check : store_->derived().checks(CheckDepth::full).value()) {
      if (!check.table.empty()) continue;
      for (const StoreFinding& finding : store_->derived().run(check, keyring).value()) {
        tables.push_back(finding.table);
      }
    }
    return tables;
  }

  Scratch scratch_;
  crypto::Keyring keyring_;
  std::unique_ptr<Store> store_;
  PlainDatabase raw_;
  Millis time_ = 1'770'000'000'000;
};

TEST_F(EditTableTest, OneCallRewritesTheRowAndNoPage) {
  Talk talk("s1");
  for (int i = 0; i < 20; ++i) write(talk, "a.py", lines(100 * i, 100));
  commit(talk);
  EXPECT_EQ(number("SELECT count(*) FROM edit_pages"), 1) << "a long commit is one page";
  for (int i = 0; i < 100; ++i) {
    const Dump before = dump();
    write(talk, "a.py", lines(10'000 + 10 * i, 10));
    commit(talk);
    int changed = 0;
    for (const auto& [key, row] : dump()) {
      const auto old = before.find(key);
      if (old != before.end() && key.first == 1) EXPECT_EQ(old->second, row) << "a page";
      if (old == before.end() || old->second != row) ++changed;
    }
    EXPECT_LE(changed, 2) << "the row, and the page that it becomes";
  }
  EXPECT_GT(number("SELECT count(*) FROM edit_pages"), 2);
  EXPECT_LT(number("SELECT max(length(clear)) FROM edits"), kLongestRow);
  EXPECT_EQ(edits("a.py", nullptr).size(), 120u);
  expect_same_as_computed();
  EXPECT_THAT(findings(&keyring_), IsEmpty());
}

// Its page stays as it is: what counts is said again.
TEST_F(EditTableTest, AResultCountsWhereverItsRequestIsStored) {
  Talk talk("s1");
  const Cid failed = asks_to_write(talk, "a.py", lines(0, 600), 1, &keyring_);
  const Cid made = asks_to_write(talk, "b.py", lines(0, 600), 2, &keyring_);
  commit(talk);
  EXPECT_EQ(number("SELECT count(*) FROM edit_pages"), 1);
  answers(talk, failed, 3, Succeeds::no, &keyring_);
  commit(talk);
  const Cid result = answers(talk, made, 4, Succeeds::yes, &keyring_);
  commit(talk);
  EXPECT_THAT(edits("a.py", &keyring_), IsEmpty());
  ASSERT_EQ(edits("b.py", &keyring_).size(), 1u);
  EXPECT_EQ(edits("b.py", &keyring_)[0].result, result);
  expect_same_as_computed();
  EXPECT_THAT(findings(&keyring_), IsEmpty());
}

TEST_F(EditTableTest, ConversationsThatDoNotEditTheFileAreNotRead) {
  for (int i = 0; i < 10; ++i) {
    Talk talk("s" + std::to_string(i));
    write(talk, i == 3 ? "this.py" : "other.py", lines(i, 1));
    commit(talk);
  }
  std::uint64_t looked_into = 0;
  const auto list =
      store_->edits({.file_name = "this.py", .go_on = [&](std::uint64_t, std::uint64_t) {
                       ++looked_into;
                       return true;
                     }});
  ASSERT_TRUE(list) << list.error().message;
  EXPECT_EQ(list->entries.size(), 1u);
  EXPECT_EQ(looked_into, 1u);
}

TEST_F(EditTableTest, VerifyFindsRowsThatAreNotWhatTheCallsSayAndRepairMendsThem) {
  Talk talk("s1");
  for (int i = 0; i < 8; ++i) write(talk, "a.py", lines(100 * i, 100));
  commit(talk);
  write(talk, "b.py", lines(0, 3));
  commit(talk);
  const std::vector<EditEntry> before = edits("", &keyring_);
  ASSERT_EQ(before.size(), 9u);
  for (const char* sql :
       {"UPDATE edits SET clear = NULL", "UPDATE edits SET clear = x'05'", "DELETE FROM edits",
        "UPDATE edits SET pages = 0", "DELETE FROM edit_pages",
        "UPDATE edit_pages SET clear = substr(clear, 1, length(clear) - 4)",
        "DELETE FROM edit_names", "UPDATE edit_names SET name = name + 1",
        "INSERT INTO edit_names SELECT conversation, 1, 5 FROM edits"}) {
    ASSERT_TRUE(raw_.script(sql)) << sql;
    EXPECT_THAT(findings(&keyring_), ElementsAre("edits")) << sql;
    const auto rebuilt = store_->derived().rebuild({.keyring = &keyring_}, {});
    ASSERT_TRUE(rebuilt) << rebuilt.error().message;
    EXPECT_THAT(findings(&keyring_), IsEmpty()) << sql;
    EXPECT_EQ(edits("", &keyring_), before) << sql;
  }
}

class SealedEditTableTest : public EditTableTest {
 protected:
  SealedEditTableTest() : EditTableTest(crypto::SealMode::all) {}

  bool file_has(std::string_view bytes) const {
    for (const char* suffix : {"", "-wal"}) {
      std::ifstream file(path() + suffix, std::ios::binary);
      const std::string all{std::istreambuf_iterator<char>(file), {}};
      if (all.contains(bytes)) return true;
    }
    return false;
  }
};

TEST_F(SealedEditTableTest, NothingOfAPathIsReadWithoutTheKey) {
  Talk talk("s1");
  write(talk, "/home/ada/zanzibar.py", lines(0, 700));
  commit(talk);
  write(talk, "/home/ada/quokka.py", lines(0, 3));
  commit(talk);
  ASSERT_EQ(edits("zanzibar.py", &keyring_).size(), 1u);
  ASSERT_EQ(edits("quokka.py", &keyring_).size(), 1u);
  expect_same_as_computed();
  EXPECT_FALSE(file_has("zanzibar"));
  EXPECT_FALSE(file_has("quokka"));
  EXPECT_EQ(number("SELECT count(*) FROM edits WHERE clear IS NOT NULL"), 0);
  EXPECT_EQ(number("SELECT count(*) FROM edit_pages WHERE clear IS NOT NULL"), 0);
  // The names are hashes that nobody can compute without the key.
  for (const char* file : {"zanzibar.py", "quokka.py"}) {
    for (const EditName& name : names_of_file(file, CallKeys(nullptr))) {
      EXPECT_THAT(find_conversations(raw_, name).value(), IsEmpty());
    }
  }
  EXPECT_THAT(findings(&keyring_), IsEmpty());
}

TEST_F(SealedEditTableTest, AnAnswerSaysHowManyConversationsItCouldNotLookInto) {
  Talk talk("s1"), clear("s2");
  write(talk, "a.py", lines(0, 3));
  writes(clear, "a.py", lines(5, 1), 5);
  commit(talk);
  commit(clear);
  const auto metadata =
      crypto::Keyring::parse(*keyring_.exported(crypto::Reach::metadata), {}).value();
  const auto stranger = *crypto::Keyring::create("Eve", 1'000, crypto::SealMode::all);
  for (const crypto::Keyring* reader :
       {&metadata, &stranger, static_cast<const crypto::Keyring*>(nullptr)}) {
    for (const char* file : {"a.py", ""}) {
      const EditList list = store_->edits({.file_name = file, .keyring = reader}).value();
      ASSERT_EQ(list.entries.size(), 1u);
      EXPECT_EQ(list.entries[0].conversation, clear.cid());
      EXPECT_EQ(list.sealed, 1u);
    }
    EXPECT_THAT(findings(reader), IsEmpty());
  }
  EXPECT_EQ(store_->edits({.file_name = "a.py", .keyring = &keyring_}).value().sealed, 0u);
}

// A row is written with the keyring of whoever wrote it: what that did not open, another may.
TEST_F(SealedEditTableTest, CallsOfAnotherOwnerAreReadByTheirKeyring) {
  const auto other = *crypto::Keyring::create("Eve", 1'000, crypto::SealMode::all);
  Talk talk("s1");
  writes(talk, "a.py", lines(0, 3), 1, &other);
  write(talk, "a.py", lines(9, 1));
  commit(talk);
  for (const char* file : {"a.py", ""}) {
    const EditList own = store_->edits({.file_name = file, .keyring = &keyring_}).value();
    EXPECT_EQ(own.entries.size(), 1u);
    EXPECT_EQ(own.sealed, 1u);
    const EditList theirs = store_->edits({.file_name = file, .keyring = &other}).value();
    ASSERT_EQ(theirs.entries.size(), 1u);
    EXPECT_EQ(theirs.entries[0].time, 1);
    EXPECT_EQ(theirs.sealed, 1u);
  }
  EXPECT_THAT(findings(&keyring_), IsEmpty());
  EXPECT_THAT(findings(&other), IsEmpty());
}

}  // namespace
}  // namespace weft::store::sql

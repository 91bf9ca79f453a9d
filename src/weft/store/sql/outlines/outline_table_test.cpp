// The rows of outlines: what a commit writes, and that answers from them are those without them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "weft/sqlite/database.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/sql/database.hpp"
#include "weft/store/sql/outlines/outline_pages.hpp"
#include "weft/store/talk_for_test.hpp"

namespace weft::store::sql {
namespace {

class OutlineTableTest : public testing::Test {
 protected:
  OutlineTableTest()
      : store_(open_store(path(), Create::yes).value()),
        raw_(sqlite::open_database(path(), sqlite::Mode::read_write).value()) {}

  std::string path() const { return scratch_.path() / "weft.db"; }

  void commit(Talk& talk) {
    Batch batch = talk.batch();
    (void)store_->writer().prepare(batch, {.keyring = &keyring_});
    const auto report = store_->writer().commit(batch);
    ASSERT_TRUE(report) << report.error().message;
  }
  // Every row of the two tables, by table and key.
  using Dump = std::map<std::pair<int, std::int64_t>, std::string>;
  Dump dump() const {
    Dump rows;
    const auto read = [&](int table, Rows found) {
      while (found.next()) {
        rows[{table, found.integer(0)}] = std::string(found.bytes(1));
      }
    };
    read(0, raw_.query("SELECT conversation, clear FROM outlines"));
    read(1, raw_.query("SELECT id, clear FROM outline_pages"));
    return rows;
  }
  // How many rows differ.
  static int changes(const Dump& before, const Dump& after) {
    int changed = 0;
    for (const auto& [key, row] : after) {
      const auto old = before.find(key);
      if (old == before.end() || old->second != row) ++changed;
    }
    return changed;
  }
  // Entries and facts as text; from pages, and computed.
  std::string shown(const Cid& conversation) const {
    const auto outline = store_->outline(conversation);
    EXPECT_TRUE(outline) << outline.error().message;
    std::string out;
    std::size_t at = 0;
    const Status status =
        store_->outline_facts(*outline, outline->entries, nullptr, [&](const BlockFacts& facts) {
          const OutlineEntry& entry = outline->entries[at++];
          out += facts.type + " " + std::to_string(entry.block) + " " +
                 std::to_string(outline->turns[entry.turn].sequence) + " " +
                 std::to_string(entry.is_superseded) + " " + std::to_string(facts.created_at) +
                 " " + std::to_string(facts.stated.chars.value_or(0)) + " " +
                 std::to_string(facts.is_closed);
          for (const Handle cause : facts.causes) out += " <" + std::to_string(cause);
          out += "\n";
        });
    EXPECT_TRUE(status) << status.error().message;
    return out;
  }
  void expect_same_as_computed(const Talk& talk) {
    EXPECT_FALSE(store_->outline(talk.cid())->pages.empty());
    const std::string stored = shown(talk.cid());
    ASSERT_TRUE(raw_.run("UPDATE late_tables SET version = 0 WHERE name = 'outlines'"));
    EXPECT_TRUE(store_->outline(talk.cid())->pages.empty());
    EXPECT_EQ(stored, shown(talk.cid()));
    ASSERT_TRUE(raw_.run("UPDATE late_tables SET version = 1 WHERE name = 'outlines'"));
  }
  void expect_sound() const {
    for (const StoreCheck& check : store_->derived().checks(CheckDepth::full).value()) {
      if (!check.table.empty()) continue;
      for (const StoreFinding& finding : store_->derived().run(check).value()) {
        ADD_FAILURE() << finding.table << ": " << finding.what;
      }
    }
  }

  Scratch scratch_;
  crypto::Keyring keyring_ = *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking);
  std::unique_ptr<Store> store_;
  PlainDatabase raw_;
};

TEST_F(OutlineTableTest, OneLineRewritesThePageAtTheEndOnly) {
  Talk talk("s1");
  for (std::size_t i = 0; i < 5 * kPageBlocks + 7; ++i) {
    if (i % 5 == 0) talk.turn();
    talk.says("said " + std::to_string(i));
  }
  commit(talk);
  EXPECT_EQ(dump().size(), 6u) << "five full pages, and the rest";
  expect_same_as_computed(talk);
  for (std::size_t i = 0; i < kPageBlocks + 1; ++i) {
    const Dump before = dump();
    talk.says("more " + std::to_string(i));
    commit(talk);
    const int changed = changes(before, dump());
    EXPECT_GE(changed, 1);
    EXPECT_LE(changed, 2) << "a second one when a page is full";
  }
  EXPECT_EQ(dump().size(), 7u);
  expect_same_as_computed(talk);
  expect_sound();
}

TEST_F(OutlineTableTest, ASupersededBlockRewritesItsPage) {
  Talk talk("s1");
  std::vector<Cid> said;
  for (std::size_t i = 0; i < 4 * kPageBlocks; ++i) said.push_back(talk.says(std::to_string(i)));
  commit(talk);
  talk.says("the end");
  commit(talk);
  const Dump before = dump();
  talk.connect("supersedes", said.back(), said[kPageBlocks + 3]);
  commit(talk);
  EXPECT_EQ(changes(before, dump()), 1);
  EXPECT_TRUE(store_->outline(talk.cid())->entries[kPageBlocks + 3].is_superseded);
  expect_same_as_computed(talk);
  expect_sound();
}

TEST_F(OutlineTableTest, ASummaryThatComesLaterStandsAfterItsThinkingWhereverThatStands) {
  Talk talk("s1"), fork("s2"), other("s3");
  const Cid thought = talk.says("hm");
  for (std::size_t i = 0; i < 2 * kPageBlocks; ++i) talk.says(std::to_string(i));
  commit(talk);
  fork.shares(thought);
  commit(fork);
  const Cid second = other.says("of it again"), first = other.says("of it");
  other.connect("rework", second, thought, 2);
  other.connect("rework", first, thought, 1);
  commit(other);
  for (const Talk* one : {&talk, &fork}) {
    const auto outline = store_->outline(one->cid());
    EXPECT_EQ(store_->cid_of(outline->entries[0].block).value(), thought);
    EXPECT_EQ(store_->cid_of(outline->entries[1].block).value(), first);
    EXPECT_EQ(store_->cid_of(outline->entries[2].block).value(), second);
    expect_same_as_computed(*one);
  }
  // One that is copied once it has them.
  Talk later("s4");
  later.shares(thought);
  commit(later);
  EXPECT_EQ(store_->outline(later.cid())->entries.size(), 3u);
  expect_same_as_computed(later);
  expect_sound();
}

TEST_F(OutlineTableTest, ReadingOrderIsNotTheOrderInWhichBlocksCame) {
  Talk talk("s1");
  talk.says("a");
  talk.turn();
  talk.says("c");
  commit(talk);
  // The first turn is continued; and a block comes with a position before others.
  const auto outline = store_->outline(talk.cid());
  const Cid first_turn = store_->cid_of(outline->turns[0].turn).value();
  const Cid second_turn = store_->cid_of(outline->turns[1].turn).value();
  Talk elsewhere("s2");
  const Cid b = elsewhere.says("b"), d = elsewhere.says("d");
  commit(elsewhere);
  talk.connect("contains", first_turn, b, 1);
  talk.connect("contains", second_turn, d, 0);
  commit(talk);
  std::vector<Cid> order;
  for (const OutlineEntry& entry : store_->outline(talk.cid())->entries) {
    order.push_back(store_->cid_of(entry.block).value());
  }
  ASSERT_EQ(order.size(), 4u);
  EXPECT_EQ(order[1], b);
  EXPECT_EQ(order[3], d) << "of two at one position, the older first";
  expect_same_as_computed(talk);
  expect_sound();
}

TEST_F(OutlineTableTest, VerifyReportsAPageThatIsNotWhatItsBlocksSay) {
  Talk talk("s1");
  for (std::size_t i = 0; i < 2 * kPageBlocks; ++i) talk.says(std::to_string(i));
  talk.connect("supersedes", talk.says("x"), talk.says("y"));
  commit(talk);
  expect_sound();
  ASSERT_TRUE(raw_.run("UPDATE outline_pages SET first = first + 1 WHERE id = 1"));
  std::vector<std::string> findings;
  for (const StoreCheck& check : store_->derived().checks(CheckDepth::full).value()) {
    if (!check.table.empty()) continue;
    for (const StoreFinding& finding : store_->derived().run(check).value()) {
      findings.push_back(finding.table);
    }
  }
  EXPECT_THAT(findings, testing::ElementsAre("outlines"));
}

}  // namespace
}  // namespace weft::store::sql

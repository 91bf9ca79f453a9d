// A damaged web, woven from a file: what repair brings back, from where, and what it says is lost.
#include <gmock/gmock.h>

#include <random>

#include "web_for_test.hpp"
#include "weft/base/hex.hpp"
#include "weft/cli/upkeep/repair.hpp"
#include "weft/store/dump_for_test.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Damaged {
  explicit Damaged(crypto::SealMode seal)
      : keyring(crypto::Keyring::create("Ada", 1'000, seal).value()), web(kTalk, &keyring) {
    Tool(web.store_path()).run("PRAGMA wal_checkpoint(TRUNCATE)");
    clean = store::dump(web.store_path());
  }
  // Changes one bit of a value.
  void flip(const std::string& column, const std::string& id, std::size_t bit) const {
    const Tool tool(web.store_path());
    std::string bytes =
        tool.rows("SELECT " + column + " FROM thoughts WHERE id = " + id).at(0).at(0);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    const std::string hex =
        to_hex({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    tool.run("UPDATE thoughts SET " + column + " = x'" + hex + "' WHERE id = " + id);
  }
  // The id of the first thought of a kind.
  std::string first(const std::string& kind) const {
    return Tool(web.store_path())
        .rows(
            "SELECT CAST(min(t.id) AS TEXT) FROM thoughts t JOIN words w ON w.id = t.type WHERE "
            "w.text LIKE '%" +
            kind + "'")
        .at(0)
        .at(0);
  }
  cli::RepairReport repair() const {
    const auto store = web.open();
    const TempDir scratch;
    auto report = cli::repair(*store, web.keyring, {.scratch = scratch.path(), .threads = 2});
    EXPECT_TRUE(report) << report.error().message;
    return report.value_or(cli::RepairReport{});
  }
  std::set<std::string> differences() const {
    return store::differences(store::dump(web.store_path()), clean);
  }

  crypto::Keyring keyring;
  Web web;
  store::Dump clean;
};

class RepairSealed : public testing::TestWithParam<crypto::SealMode> {};

TEST_P(RepairSealed, BringsBackChangedBitsOfEveryColumnOfThoughts) {
  const Damaged damaged(GetParam());
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto store = damaged.web.open();
  for (const auto& [column, is_blob] : {std::pair<std::string, bool>("type", false),
                                        {"created_by", false},
                                        {"created_at", false},
                                        {"source", false},
                                        {"because", true},
                                        {"signature", true},
                                        {"metadata", true},
                                        {"content", true},
                                        {"body", true}}) {
    auto rows = Tool(damaged.web.store_path())
                    .rows("SELECT CAST(id AS TEXT), " + column + " FROM thoughts WHERE " + column +
                          " IS NOT NULL AND length(" + column + ") > 0");
    ASSERT_FALSE(rows.empty()) << column;
    std::ranges::shuffle(rows, random);
    rows.resize(std::min<std::size_t>(rows.size(), test_is_long() ? 40 : 4));
    for (const auto& row : rows) {
      const std::size_t bit = random() % (is_blob ? row[1].size() * 8 : 40);
      SCOPED_TRACE(column + " of " + row[0] + ", bit " + std::to_string(bit));
      const std::string mask = std::to_string(std::int64_t{1} << (is_blob ? 0 : bit));
      if (is_blob) {
        damaged.flip(column, row[0], bit);
      } else {
        Tool(damaged.web.store_path())
            .run("UPDATE thoughts SET " + column + " = (" + column + " | " + mask + ") - (" +
                 column + " & " + mask + ") WHERE id = " + row[0]);
      }
      const auto report = store->mending().mend({.keyring = &damaged.web.keyring, .threads = 2});
      ASSERT_TRUE(report) << report.error().message;
      ASSERT_THAT(report->lost, IsEmpty());
      // Some bits of a packed body mean nothing.
      if (report->mended.empty() && is_blob) damaged.flip(column, row[0], bit);
      ASSERT_THAT(damaged.differences(), IsEmpty());
    }
  }
  EXPECT_EQ(damaged.web.verify().at("verdict"), "valid");
}

INSTANTIATE_TEST_SUITE_P(Store, RepairSealed,
                         testing::Values(crypto::SealMode::thinking, crypto::SealMode::all),
                         [](const auto& mode) { return std::string(to_string(mode.param)); });

TEST(Repair, OfASoundStoreChangesNothing) {
  const Damaged damaged(crypto::SealMode::thinking);
  const cli::RepairReport report = damaged.repair();
  EXPECT_TRUE(report.is_sound());
  EXPECT_THAT(report.repaired, IsEmpty());
  EXPECT_THAT(damaged.differences(), IsEmpty());
}

TEST(Repair, RebuildsWhatIsDerivedOnceThoughtsAreMended) {
  const Damaged damaged(crypto::SealMode::thinking);
  damaged.flip("body", damaged.first("/response"), 90);
  Tool(damaged.web.store_path())
      .run("DELETE FROM effects; UPDATE conversations SET turns = turns + 1");
  const cli::RepairReport report = damaged.repair();
  EXPECT_TRUE(report.is_sound()) << pretty_json(to_json(report));
  EXPECT_TRUE(report.rebuilt.contains("effects")) << pretty_json(to_json(report));
  EXPECT_TRUE(report.rebuilt.contains("conversations")) << pretty_json(to_json(report));
  EXPECT_THAT(damaged.differences(), IsEmpty());
}

TEST(Repair, TakesAThoughtWithTwoChangedBitsFromItsFile) {
  for (const std::string kind : {"/response", "/thinking", "/human_input", "/turn", "identity"}) {
    const Damaged damaged(crypto::SealMode::thinking);
    const std::string id = damaged.first(kind);
    damaged.flip("body", id, 9);
    Tool(damaged.web.store_path())
        .run("UPDATE thoughts SET created_at = created_at + 3 WHERE id = " + id);
    const cli::RepairReport report = damaged.repair();
    EXPECT_TRUE(report.is_sound()) << kind;
    ASSERT_FALSE(report.repaired.empty()) << kind;
    EXPECT_THAT(report.repaired[0].how, HasSubstr("talk.txt")) << kind;
    EXPECT_THAT(damaged.differences(), IsEmpty()) << kind;
  }
}

TEST(Repair, TakesARemovedThoughtFromItsFile) {
  const Damaged damaged(crypto::SealMode::all);
  Tool(damaged.web.store_path())
      .run("DELETE FROM thoughts WHERE id = " + damaged.first("/response"));
  EXPECT_TRUE(damaged.repair().is_sound());
  EXPECT_THAT(damaged.differences(), IsEmpty());
}

TEST(Repair, TakesFromTheArchiveWhatItDoesNotLeanOnWhenTheFileIsGone) {
  const Damaged damaged(crypto::SealMode::thinking);
  fs::remove(damaged.web.dir / "talk.txt");
  const std::string id = damaged.first("/turn");
  damaged.flip("body", id, 9);
  Tool(damaged.web.store_path())
      .run("UPDATE thoughts SET created_at = created_at + 3 WHERE id = " + id);
  const cli::RepairReport report = damaged.repair();
  EXPECT_TRUE(report.is_sound()) << pretty_json(to_json(report));
  ASSERT_FALSE(report.repaired.empty());
  EXPECT_THAT(report.repaired[0].how, HasSubstr("archived copy"));
  EXPECT_THAT(damaged.differences(), IsEmpty());
}

// The archived piece leans on the block, and the file is gone.
TEST(Repair, SaysWhatIsLostForGoodAndHarmsNothingElse) {
  const Damaged damaged(crypto::SealMode::thinking);
  fs::remove(damaged.web.dir / "talk.txt");
  const std::string id = damaged.first("/response");
  Tool(damaged.web.store_path())
      .run("UPDATE thoughts SET body = x'7b7d', created_at = created_at + 3 WHERE id = " + id);
  const store::Dump before = store::dump(damaged.web.store_path());
  const cli::RepairReport report = damaged.repair();
  EXPECT_FALSE(report.is_sound());
  ASSERT_FALSE(report.lost.empty());
  EXPECT_THAT(report.lost[0].type, HasSubstr("response"));
  EXPECT_EQ(report.lost[0].conversations.size(), 1u);
  for (const std::string& table :
       store::differences(store::dump(damaged.web.store_path()), before)) {
    EXPECT_TRUE(table.starts_with("search_") || table.starts_with("index_") ||
                table.starts_with("tall") || table.starts_with("outline") || table == "table_sums")
        << table;
  }
  const json::object answer = to_json(report);
  EXPECT_EQ(answer.at("verdict"), "bad");
  EXPECT_TRUE(answer.at("lost").at(0).as_object().contains("conversation"));
}

}  // namespace
}  // namespace weft

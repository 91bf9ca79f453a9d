// What an attacker with write access can do to a store, and how verify answers.
#include <gmock/gmock.h>

#include "web_for_test.hpp"
#include "weft/base/hex.hpp"
#include "weft/thought/identities.hpp"
#include "weft/weave/weaver.hpp"

namespace weft {
namespace {

bool holds(const json::object& answer) {
  return answer.at("bad").get_array().empty() && answer.at("missing").get_array().empty();
}

std::string hex(const std::string& bytes) {
  return to_hex({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

TEST(Tamper, CleanStoreIsValidForItsOwnerAndConsistentForAnyone) {
  const Web web;
  const json::object owner = web.verify();
  EXPECT_EQ(owner.at("verdict"), "valid");
  EXPECT_EQ(owner.at("valid"), owner.at("checked"));
  EXPECT_EQ(owner.at("foreign"), 0);
  const json::object anyone = web.verify(nullptr);
  EXPECT_EQ(anyone.at("verdict"), "consistent");
  EXPECT_EQ(anyone.at("valid"), 0);
  EXPECT_EQ(anyone.at("consistent"), anyone.at("checked"));
}

// Columns whose bytes make up thoughts, signatures, edges and checkpoints.
struct Column {
  std::string table, name;
  bool is_blob;
};
const Column kColumns[] = {{"thoughts", "type", false},
                           {"thoughts", "created_by", false},
                           {"thoughts", "created_at", false},
                           {"thoughts", "source", false},
                           {"thoughts", "because", true},
                           {"thoughts", "signature", true},
                           {"thoughts", "metadata", true},
                           {"thoughts", "content", true},
                           {"thoughts", "body", true},
                           {"connections", "relation", false},
                           {"connections", "from_id", false},
                           {"connections", "to_id", false},
                           {"connections", "label", false},
                           {"connections", "position", false},
                           {"connections", "created_by", false},
                           {"connections", "created_at", false},
                           {"connections", "signature", true},
                           {"edge_pages", "edges", true},
                           {"names", "cid", true},
                           {"checkpoints", "leaves", true}};

const std::string kOneByte("\x02", 1);

class TamperColumn : public testing::TestWithParam<Column> {};

TEST_P(TamperColumn, AnyByteFlippedInAnyRowIsNamed) {
  const Web web;
  const auto& [table, name, is_blob] = GetParam();
  const std::string key = table == "checkpoints" ? "seq" : table == "edge_pages" ? "first" : "id";
  std::vector<std::vector<std::string>> rows;
  {
    const Tool tool(web.store_path());
    tool.run("PRAGMA wal_checkpoint(TRUNCATE)");
    rows = tool.rows("SELECT " + key + ", " + name + " FROM " + table + " WHERE " + name +
                     " IS NOT NULL");
  }
  ASSERT_FALSE(rows.empty());
  const std::string clean = read_text(web.store_path());
  std::size_t flips = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    // What is empty says "by the tree, where I stand": then a byte comes to be.
    const std::string& value = rows[r][1].empty() ? kOneByte : rows[r][1];
    // Every byte of one row in eight, and one byte of each of the others; of pages, which are few,
    // every third.
    const std::size_t step = table == "edge_pages"   ? 3
                             : r % 8 == 0 && is_blob ? 7
                                                     : value.size() + 1;
    for (std::size_t at = is_blob ? r % value.size() : 0; at < value.size(); at += step) {
      write_text(web.store_path(), clean);
      {
        const Tool tool(web.store_path());
        std::string changed = value;
        changed[at] = static_cast<char>(changed[at] ^ 0x10);
        const std::string now = is_blob ? "x'" + hex(changed) + "'" : name + " + 1";
        tool.run("UPDATE " + table + " SET " + name + " = " + now + " WHERE " + key + " = " +
                 rows[r][0]);
      }
      EXPECT_FALSE(holds(web.verify(nullptr)))
          << table << "." << name << " row " << rows[r][0] << " byte " << at;
      ++flips;
    }
  }
  EXPECT_GT(flips, 0u);
}

INSTANTIATE_TEST_SUITE_P(Store, TamperColumn, testing::ValuesIn(kColumns), [](const auto& column) {
  return column.param.table + "_" + column.param.name;
});

TEST(Tamper, RemovedBlockIsMissing) {
  for (const std::string kind : {"human_input", "thinking", "tool_result", "response"}) {
    const Web web;
    Tool(web.store_path())
        .run(
            "DELETE FROM thoughts WHERE id = (SELECT max(t.id) FROM thoughts t JOIN words w ON "
            "w.id = t.type "
            "WHERE w.text = 'anthropic/" +
            kind + "')");
    const json::object answer = web.verify(nullptr);
    EXPECT_EQ(answer.at("missing").get_array().size(), 1u) << kind;
  }
}

TEST(Tamper, RemovedEdgeIsNamed) {
  const Web web;
  Tool(web.store_path())
      .run("DELETE FROM connections WHERE id = (SELECT max(id) FROM connections)");
  EXPECT_FALSE(holds(web.verify(nullptr)));
}

// The names of most edges go with them; what is left is the leaf of the tree that signs them.
std::vector<std::string> reasons(const json::object& answer) {
  std::vector<std::string> all;
  for (const json::value& bad : answer.at("bad").get_array()) {
    all.emplace_back(view(bad.at("reason").get_string()));
  }
  return all;
}

TEST(Tamper, RemovedOrChangedEdgeIsNamedByItsLeaf) {
  const Web web;
  Tool(web.store_path()).run("PRAGMA wal_checkpoint(TRUNCATE)");
  const std::string clean = read_text(web.store_path());
  const auto after = [&](const std::string& sql) {
    write_text(web.store_path(), clean);
    Tool(web.store_path()).run(sql);
    return reasons(web.verify(nullptr));
  };
  const std::string first =
      "(SELECT min(id) FROM connections WHERE relation = (SELECT id FROM words WHERE text = "
      "'causes'))";
  // All ids before it are leaves but that of the checkpoint.
  const std::string leaf =
      Tool(web.store_path()).rows("SELECT " + first + " - (SELECT min(id) FROM names) - 1")[0][0];
  EXPECT_THAT(after("DELETE FROM connections WHERE id = " + first),
              testing::Contains("leaf " + leaf + " of its tree is gone"));
  const Cid conversation = web.open()->conversations({})->front().cid;
  EXPECT_THAT(reasons(web.verify(nullptr, {.conversations = {conversation}})),
              testing::Contains("leaf " + leaf + " of its tree is gone"));
  EXPECT_THAT(after("DELETE FROM connections WHERE id BETWEEN " + first + " AND " + first + " + 1"),
              testing::Contains(testing::StartsWith("leaf " + leaf + " of its tree")));
  EXPECT_THAT(after("UPDATE connections SET created_at = created_at + 1 WHERE id = " + first),
              testing::Contains("the leaves of its tree do not lead to its root: leaf " + leaf +
                                " was changed"));
}

TEST(Tamper, BlockAndItsEdgesRemovedTogetherStillShow) {
  const Web web;
  const Tool tool(web.store_path());
  const std::string last =
      "(SELECT max(t.id) FROM thoughts t JOIN words w ON w.id = t.type WHERE w.text = "
      "'anthropic/response')";
  tool.run("DELETE FROM connections WHERE from_id = " + last + " OR to_id = " + last);
  tool.run("DELETE FROM thoughts WHERE id = " + last);
  EXPECT_FALSE(holds(web.verify(nullptr)));
}

TEST(Tamper, TwoBlocksThatChangedPlacesShow) {
  const Web web;
  Tool(web.store_path())
      .run(
          "UPDATE connections SET position = 1 - position WHERE position IN (0, 1) AND relation = "
          "(SELECT id FROM words WHERE text = 'contains')");
  EXPECT_FALSE(holds(web.verify(nullptr)));
}

// Ids are handed out from 1 on, but an attacker may write any.
TEST(Tamper, RowMovedToTheEndsOfAllIdsShows) {
  for (const auto& [table, key] : {std::pair<std::string, std::string>("thoughts", "id"),
                                   {"edge_pages", "first"},
                                   {"names", "id"}}) {
    for (const std::string id : {"9223372036854775807", "-9223372036854775808", "0"}) {
      const Web web;
      Tool(web.store_path())
          .run("UPDATE " + table + " SET " + key + " = " + id + " WHERE " + key +
               " = (SELECT max(" + key + ") FROM " + table + ")");
      EXPECT_FALSE(holds(web.verify(nullptr))) << table << " " << id;
    }
  }
}

TEST(Tamper, ManyFindingsAreTheSameOnAnyNumberOfThreads) {
  std::string talk(kTalk);
  const std::string rounds = talk.substr(talk.find("Human:"));
  for (int i = 0; i < 60; ++i) talk += rounds;
  const Web web(talk);
  const Tool tool(web.store_path());
  ASSERT_GT(std::stoi(tool.rows("SELECT max(id) FROM names")[0][0]), 2048) << "several stretches";
  ASSERT_TRUE(holds(web.verify()));
  tool.run("UPDATE thoughts SET created_at = created_at + 1 WHERE id % 7 = 0");
  tool.run("UPDATE connections SET to_id = from_id WHERE id % 11 = 0");
  tool.run(
      "UPDATE connections SET signature = CAST(x'0201' || ifnull(substr(signature, -1), x'00') AS "
      "BLOB) WHERE id % 13 = 0");
  tool.run("DELETE FROM connections WHERE id % 17 = 0");
  const json::object alone = web.verify(&web.keyring, {.threads = 1});
  EXPECT_GT(alone.at("bad").get_array().size(), 100u);
  for (const unsigned threads : {2u, 2u, 3u, 8u}) {
    EXPECT_EQ(web.verify(&web.keyring, {.threads = threads}), alone) << threads;
  }
}

TEST(Tamper, RemovedCheckpointBreaksTheChain) {
  Web web;
  const std::string more(kTalk);
  const std::size_t half = more.find("Human:", more.find("Human:") + 1);
  Web grown(more.substr(0, half), &web.keyring);
  write_text(grown.dir / "talk.txt", more);
  grown.ingest(grown.dir / "talk.txt");
  ASSERT_TRUE(holds(grown.verify()));
  const Tool tool(grown.store_path());
  ASSERT_EQ(tool.rows("SELECT seq FROM checkpoints").size(), 2u);
  tool.run("DELETE FROM thoughts WHERE id = (SELECT id FROM checkpoints WHERE seq = 1)");
  EXPECT_FALSE(holds(grown.verify(nullptr)));
}

TEST(Tamper, StoreRolledBackIsFoundByAHeadKeptElsewhere) {
  Web web;
  const std::string more(kTalk);
  const std::size_t half = more.find("Human:", more.find("Human:") + 1);
  Web grown(more.substr(0, half), &web.keyring);
  const auto head_of = [](const json::object& answer) {
    Digest digest;
    EXPECT_TRUE(parse_hex(view(answer.at("head").get_string()), digest));
    return digest;
  };
  const Digest early = head_of(grown.verify());
  Tool(grown.store_path()).run("PRAGMA wal_checkpoint(TRUNCATE)");
  const std::string old_copy = read_text(grown.store_path());
  write_text(grown.dir / "talk.txt", more);
  grown.ingest(grown.dir / "talk.txt");
  const Digest late = head_of(grown.verify());
  EXPECT_NE(early, late);
  EXPECT_TRUE(holds(grown.verify(&web.keyring, {.head = early}))) << "growth is no rollback";
  Tool(grown.store_path()).run("PRAGMA wal_checkpoint(TRUNCATE)");
  write_text(grown.store_path(), old_copy);
  EXPECT_TRUE(holds(grown.verify())) << "a store rolled back whole is consistent";
  EXPECT_FALSE(holds(grown.verify(&web.keyring, {.head = late})))
      << "but the head was kept elsewhere";
}

TEST(Tamper, StoreOfAnotherOwnerIsForeignWhateverNamesItUses) {
  const Web theirs;
  const auto mine = *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking);
  const json::object answer = theirs.verify(&mine);
  EXPECT_EQ(answer.at("valid"), 0);
  EXPECT_EQ(answer.at("foreign"), answer.at("checked"));
  EXPECT_TRUE(holds(answer));
}

}  // namespace
}  // namespace weft

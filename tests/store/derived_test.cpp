// What a store derives, and what follows from nothing signed: each edit is found by verify, and
// what is derived comes back.
#include <gmock/gmock.h>

#include <set>

#include "forget_for_test.hpp"
#include "weft/ingest/check_archive.hpp"
#include "weft/store/sqlite/sums/table_sums.hpp"

namespace weft {
namespace {

using testing::HasSubstr;

// Every row of every table, sorted, without the index of names and of words, whose layout may
// differ, and whose content the questions show.
std::set<std::vector<std::string>> dump(const std::string& path) {
  const Tool tool(path);
  std::set<std::vector<std::string>> all;
  for (const auto& table : tool.rows(
           "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")) {
    const std::string& name = table[0];
    const bool may_differ =
        name.starts_with("search_") || name.starts_with("index_") || name.starts_with("name_");
    if (may_differ || name == "table_sums") continue;
    for (std::vector<std::string>& row : tool.rows("SELECT * FROM " + name)) {
      row.insert(row.begin(), name);
      EXPECT_TRUE(all.insert(std::move(row)).second);
    }
  }
  return all;
}

json::object verify_all(const Web& web, const crypto::Keyring* keyring) {
  const auto store = web.open();
  query::VerifyOptions options;
  if (keyring != nullptr) options.further = ingest::archive_checks(*store, *keyring).value();
  const auto answer = query::verify(*store, keyring, options);
  EXPECT_TRUE(answer) << answer.error().message;
  return answer.value_or(json::object());
}

// The tables that verify objects to.
std::set<std::string> damaged_tables(const json::object& answer) {
  std::set<std::string> tables;
  for (const json::value& finding : answer.at("store").get_array()) {
    tables.emplace(finding.at("table").as_string());
    EXPECT_FALSE(finding.at("cure").as_string().empty());
  }
  return tables;
}

struct Edit {
  const char* name;
  const char* table;
  const char* sql;
  bool comes_back = true;
};
void PrintTo(const Edit& edit, std::ostream* out) { *out << edit.name; }

// Two conversations that share rounds, and one that was forgotten.
class Security4 : public testing::TestWithParam<Edit> {
 protected:
  Security4() {
    write_text(forks_.web.dir / "gone.txt", heading("gone") + round_of("gone", 40));
    forks_.web.ingest(forks_.web.dir / "gone.txt");
    write_text(forks_.web.dir / "talk.txt", heading("origin") + Forks::common() +
                                                round_of("origin-only", 20) +
                                                round_of("origin-later", 21));
    forks_.web.ingest(forks_.web.dir / "talk.txt");
    forget(forks_.web, "gone");
  }
  Forks forks_;
};

TEST_P(Security4, AnEditOfWhatIsDerivedIsFoundAndUndone) {
  const Web& web = forks_.web;
  ASSERT_EQ(verify_all(web, &web.keyring).at("verdict"), "valid")
      << canonical_json(verify_all(web, &web.keyring).at("store"));
  const auto before = dump(web.store_path());
  Tool(web.store_path()).run(GetParam().sql);
  for (const crypto::Keyring* keyring :
       {&web.keyring, static_cast<const crypto::Keyring*>(nullptr)}) {
    const json::object answer = verify_all(web, keyring);
    EXPECT_EQ(answer.at("verdict"), "bad");
    EXPECT_TRUE(damaged_tables(answer).contains(GetParam().table))
        << canonical_json(answer.at("store"));
  }
  const auto rebuilt = web.open()->derived().rebuild({.keyring = &web.keyring}, {});
  ASSERT_TRUE(rebuilt) << rebuilt.error().message;
  if (!GetParam().comes_back) {
    EXPECT_FALSE(rebuilt->lost.empty());
    ASSERT_TRUE(web.open()->derived().accept());
    return;
  }
  EXPECT_FALSE(rebuilt->mended.empty());
  for (const store::StoreFinding& lost : rebuilt->lost) {
    ADD_FAILURE() << lost.table << ": " << lost.what;
  }
  EXPECT_TRUE(dump(web.store_path()) == before);
  EXPECT_EQ(verify_all(web, &web.keyring).at("verdict"), "valid");
}

INSTANTIATE_TEST_SUITE_P(
    Edits, Security4,
    testing::Values(
        Edit{"EdgeEndsRemoved", "edge_ends",
             "DELETE FROM edge_ends WHERE page IN (SELECT first FROM edge_pages ORDER BY first "
             "LIMIT 3)"},
        Edit{"EdgeEndsFlipped", "edge_ends",
             "UPDATE edge_ends SET end = end - 4096 WHERE end = (SELECT min(end) FROM edge_ends)"},
        Edit{"SessionsSwapped", "conversations",
             "CREATE TEMP TABLE two AS SELECT id, session_id FROM conversations; "
             "UPDATE conversations SET session_id = (SELECT session_id FROM two WHERE two.id <> "
             "conversations.id)"},
        Edit{"FactsSwapped", "conversations",
             "CREATE TEMP TABLE two AS SELECT id, facts FROM conversations; "
             "UPDATE conversations SET facts = (SELECT facts FROM two WHERE two.id <> "
             "conversations.id)"},
        Edit{"ConversationRemoved", "conversations",
             "DELETE FROM conversations WHERE id = (SELECT min(id) FROM conversations)"},
        Edit{"ConversationFlipped", "conversations",
             "UPDATE conversations SET touched = touched + 1024 WHERE id = (SELECT min(id) FROM "
             "conversations)"},
        Edit{"RunRemoved", "runs", "DELETE FROM runs WHERE first = (SELECT min(first) FROM runs)"},
        Edit{"NewestRunRemoved", "runs",
             "DELETE FROM runs WHERE first = (SELECT max(first) FROM runs)"},
        Edit{"PlacesEmptied", "places", "DELETE FROM places", false},
        Edit{"SourcesEmptied", "sources", "DELETE FROM sources", false},
        Edit{"SourceFlipped", "sources",
             "UPDATE sources SET woven = (woven | 4096) - (woven & 4096) WHERE id = 2"},
        Edit{"DocumentsEmptied", "search_documents", "DELETE FROM search_documents"},
        Edit{"WordsOfTheIndexRemoved", "index_pages",
             "DELETE FROM index_pages WHERE rowid = (SELECT max(rowid) FROM index_pages)"},
        Edit{"ARunOfTheIndexRemoved", "index_runs",
             "DELETE FROM index_runs WHERE run = (SELECT max(run) FROM index_runs)"},
        Edit{"ADocumentOfTheIndexChanged", "index_pages",
             "UPDATE index_pages SET body = CAST(substr(body, 1, length(body) - 1) || x'05' AS "
             "BLOB) WHERE rowid = (SELECT min(rowid) FROM index_pages WHERE kind = 0)"},
        Edit{"LogReordered", "checkpoints",
             "UPDATE checkpoints SET seq = -seq WHERE seq IN (1, 2); "
             "UPDATE checkpoints SET seq = 3 + seq WHERE seq < 0"},
        Edit{"EffectsEmptied", "effects", "DELETE FROM effects"},
        Edit{"EffectAdded", "effects", "INSERT INTO effects VALUES (1, 2)"},
        Edit{"NamesOfTheIndexRemoved", "name_pages", "DELETE FROM name_pages"},
        Edit{"TombstonesEmptied", "tombstones", "DELETE FROM tombstones"},
        Edit{"ForgottenFlipped", "forgotten",
             "UPDATE forgotten SET tombstone = (tombstone | 2) - (tombstone & 2)"},
        Edit{"ASumRemoved", "table_sums", "DELETE FROM table_sums WHERE name = 'places'", false}),
    [](const auto& info) { return std::string(info.param.name); });

// The thought and its name: nothing else speaks of it.
TEST(Security4, RemovingTheNewestFactsWithTheirNameIsFound) {
  const Web web;
  Tool(web.store_path())
      .run(
          "DELETE FROM names WHERE id = (SELECT facts FROM conversations); "
          "DELETE FROM thoughts WHERE id = (SELECT facts FROM conversations); "
          "UPDATE conversations SET facts = NULL");
  const json::object answer = verify_all(web, nullptr);
  EXPECT_EQ(answer.at("verdict"), "bad");
  EXPECT_TRUE(damaged_tables(answer).contains("thoughts"));
}

// Somebody who changes a derived row and its sum with it is still found, for the rest does not fit.
TEST(Security4, AChangedConversationIsFoundWithoutItsSum) {
  const Web web;
  Tool(web.store_path()).run("UPDATE conversations SET turns = turns + 1");
  ASSERT_TRUE(web.open()->derived().accept());
  const json::object answer = verify_all(web, nullptr);
  EXPECT_EQ(answer.at("verdict"), "bad");
  const json::value& finding = answer.at("store").get_array().front();
  EXPECT_EQ(finding.at("table"), "conversations");
  EXPECT_TRUE(finding.get_object().contains("cid"));
}

TEST(Security10, AnArchivedPieceInAnothersPlaceIsFound) {
  const Forks forks;
  Tool(forks.web.store_path())
      .run(
          "CREATE TEMP TABLE two AS SELECT id, sealed FROM archive; "
          "UPDATE archive SET sealed = (SELECT sealed FROM two WHERE two.id <> archive.id)");
  const json::object open = verify_all(forks.web, &forks.web.keyring);
  EXPECT_EQ(open.at("verdict"), "bad");
  EXPECT_THAT(canonical_json(open.at("store")), HasSubstr("talk.txt cannot be restored"));
  const json::object closed = verify_all(forks.web, nullptr);
  EXPECT_EQ(closed.at("verdict"), "bad");
  EXPECT_TRUE(damaged_tables(closed).contains("archive"));
}

TEST(UxA5, DamageToTheArchiveIsFound) {
  const Web web;
  const Tool tool(web.store_path());
  const std::string sealed = tool.rows("SELECT sealed FROM archive")[0][0];
  const std::string half = std::to_string(sealed.size() / 2);
  tool.run("UPDATE archive SET sealed = CAST(substr(sealed, 1, " + half +
           ") || zeroblob(16) || substr(sealed, " + half + " + 17) AS BLOB)");
  ASSERT_EQ(tool.rows("SELECT sealed FROM archive")[0][0].size(), sealed.size());
  const json::object answer = verify_all(web, &web.keyring);
  EXPECT_EQ(answer.at("verdict"), "bad");
  EXPECT_THAT(canonical_json(answer.at("store")), HasSubstr("cannot be restored"));
}

// The archive is found damaged even by someone who recomputed the sums.
TEST(Security10, AnArchivedPieceThatDoesNotOpenIsFoundWithoutItsSum) {
  const Web web;
  Tool(web.store_path()).run("UPDATE archive SET size = size + 1");
  ASSERT_TRUE(web.open()->derived().accept());
  EXPECT_EQ(verify_all(web, &web.keyring).at("verdict"), "bad");
}

}  // namespace
}  // namespace weft

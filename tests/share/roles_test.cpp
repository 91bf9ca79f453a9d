// The roles of a web on a server: what each of them can do is tried statement by statement, and by
// the commands that it is for.
#include <algorithm>
#include <future>
#include <map>

#include "share_for_test.hpp"
#include "web_on_server_for_test.hpp"
#include "weft/base/file.hpp"

namespace weft::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class Roles : public WebOnServer {
 protected:
  void SetUp() override {
    WebOnServer::SetUp();
    if (IsSkipped()) return;
    ASSERT_EQ(one({"store", "init", url()}).exit, 0);
    for (const char* as : {"reader", "writer", "keeper"}) {
      add_role(name(as), "LOGIN");
      ASSERT_EQ(one({"store", "grant", url(), name(as), "--as", as}).exit, 0);
    }
  }
  std::string name(const std::string& as) const { return schema->name() + "_a_" + as; }
  // One statement by a role that has a part of its own.
  std::string refusal_of(const std::string& as, const std::string& sql) const {
    return refusal(url(name(as)), sql);
  }
};

// What a writer may do beside SELECT, by hand: a right more or less is a decision.
const std::map<std::string, std::string> kWriter = {
    {"web", "U(turn)"},
    {"words", "I"},
    {"names", "I"},
    {"name_hashes", "I"},
    {"thoughts", "I"},
    {"effects", "I"},
    {"connections", "I"},
    {"runs", "I"},
    {"shares", "I"},
    {"checkpoints", "I(id,conversation,leaves) U(leaves)"},
    {"tombstones", "I"},
    {"conversations",
     "I(id,format,session_id,source,created_at,touched,adopted) "
     "U(facts,checkpoint,turns,blocks,thoughts,touched)"},
    {"search_state", "U"},
    {"search_keys", "I"},
    {"search_documents", "I U(documents)"},
    {"index_runs", "I D"},
    {"index_pages", "I D"},
    {"late_tables", "U(behind)"},
    {"catalogue", "D"},
    {"tallies", "D"},
    {"tally_days", "D"},
    {"requests", "D"},
    {"request_pages", "D"},
    {"request_sums", "D"},
    {"outlines", "D"},
    {"outline_pages", "D"},
    {"edits", "D"},
    {"edit_pages", "D"},
    {"edit_names", "D"},
    {"secrets", "D"},
    {"secret_pages", "D"},
};

// Whether `rights` have the letter, for all columns or for this one.
bool has_right(const std::string& rights, char letter, const std::string& column) {
  std::istringstream words(rights);
  for (std::string word; words >> word;) {
    if (word.front() != letter) continue;
    if (word.size() == 1) return true;
    const std::string columns = "," + word.substr(2, word.size() - 3) + ",";
    if (columns.contains("," + column + ",")) return true;
  }
  return false;
}

TEST_F(Roles, MayDoWhatTheyWereGrantedAndNothingElse) {
  std::size_t tried = 0;
  const auto tables = column_of("SELECT tablename FROM pg_tables WHERE schemaname = '" +
                                schema->name() + "' ORDER BY 1");
  ASSERT_GT(tables.size(), 35u);
  for (const std::string as : {"reader", "writer", "keeper"}) {
    const auto database = postgres::open_database(parsed(url(name(as)))).value();
    const auto expect = [&](const std::string& sql, bool may) {
      ++tried;
      const Status done = database.script(sql.c_str());
      EXPECT_EQ(done.has_value(), may)
          << as << ": " << sql << ": " << (done ? "done" : done.error().message);
      if (!done) EXPECT_EQ(done.error().code, ErrorCode::denied) << as << ": " << sql;
    };
    for (const std::string& table : tables) {
      std::string rights = as == "keeper" ? "I U D" : "";
      if (as == "writer" && kWriter.contains(table)) rights = kWriter.at(table);
      // No row is touched: rights are checked all the same.
      expect("SELECT 1 FROM " + table + " LIMIT 0", true);
      expect("DELETE FROM " + table + " WHERE false", has_right(rights, 'D', ""));
      for (const std::string& column :
           column_of("SELECT attname FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped AND "
                     "attrelid = '" +
                     schema->name() + "." + table + "'::regclass")) {
        expect("UPDATE " + table + " SET " + column + " = " + column + " WHERE false",
               has_right(rights, 'U', column));
        expect("INSERT INTO " + table + " (" + column + ") SELECT " + column + " FROM " + table +
                   " WHERE false",
               has_right(rights, 'I', column));
      }
      for (const char* sql :
           {"TRUNCATE $", "DROP TABLE $", "ALTER TABLE $ ADD COLUMN more BIGINT",
            "ALTER TABLE $ DISABLE ROW LEVEL SECURITY", "CREATE INDEX ON $ ((1))",
            "CREATE POLICY mine ON $ USING (true)", "GRANT DELETE ON $ TO PUBLIC",
            "ALTER TABLE $ OWNER TO current_user", "COMMENT ON TABLE $ IS 'mine'"}) {
        std::string words = sql;
        words.replace(words.find('$'), 1, table);
        // Without the right to pass on, a GRANT warns and does nothing.
        if (words.starts_with("GRANT")) {
          std::ignore = database.script(words.c_str());
          continue;
        }
        expect(words, false);
      }
    }
    for (const std::string& sql :
         {std::string("CREATE TABLE more (id BIGINT)"),
          "DROP SCHEMA " + schema->name() + " CASCADE", std::string("CREATE VIEW more AS SELECT 1"),
          std::string("CREATE SEQUENCE more"), "ALTER SCHEMA " + schema->name() + " RENAME TO more",
          std::string("CREATE FUNCTION more() RETURNS BIGINT LANGUAGE sql AS 'SELECT 1'"),
          "GRANT " + schema->name() + "_keeper TO " + name("reader"),
          "CREATE ROLE " + schema->name() + "_more"}) {
      expect(sql, false);
    }
    expect("SELECT rewrite_table('web')", as == "keeper");
  }
  EXPECT_GT(tried, 1500u);
  EXPECT_THAT(column_of("SELECT grantee FROM information_schema.table_privileges WHERE "
                        "table_schema = '" +
                        schema->name() + "' AND grantee = 'PUBLIC'"),
              IsEmpty());
}

TEST_F(Roles, AReaderAsksEverythingAndChangesNothing) {
  one.ingests(long_session(kOne));
  one.push("server");
  const std::string store = url(name("reader"));
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"list"},
                                             {"search", "question"},
                                             {"get", cid_of(kOne)},
                                             {"walk", cid_of(kOne)},
                                             {"why", "last"},
                                             {"stats"},
                                             {"cost"},
                                             {"secrets"},
                                             {"verify"},
                                             {"doctor"},
                                             {"transcript", cid_of(kOne)},
                                             {"export", cid_of(kOne), "--as", "thoughts"}}) {
    std::vector<std::string> there = words;
    there.insert(there.end(), {"--store", store});
    const Ran ran = one(there);
    EXPECT_EQ(ran.exit, 0) << testing::PrintToString(words) << ran;
  }
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"forget", "last", "--yes"}, {"reindex"}, {"repair"}, {"ingest", place(one, kOne)}}) {
    std::vector<std::string> there = words;
    there.insert(there.end(), {"--store", store});
    const Ran ran = one(there);
    EXPECT_EQ(ran.exit, 3) << testing::PrintToString(words) << ran;
    EXPECT_THAT(ran.err, AllOf(HasSubstr("may read the web"), HasSubstr("weft store grant")));
  }
  one.has_remotes({{"read", store}});
  one.ingests(short_session(kTwo));
  EXPECT_EQ(one({"push", "read", "--yes"}).exit, 3);
  two.has_remotes({{"read", store}});
  EXPECT_THAT(list(two.pull("read"), "taken"), SizeIs(1));
}

TEST_F(Roles, AWriterPushesAgainAndAgainAndForgetsNothing) {
  Session session = long_session(kOne);
  one.has_remotes({{"team", url(name("writer"))}});
  one.ingests(session);
  EXPECT_THAT(list(one.push("team"), "sent"), SizeIs(1));
  EXPECT_THAT(list(one.push("team"), "sent"), IsEmpty());
  // A keeper fills the tables that a push leaves behind; the next push takes rows from them.
  const Ran filled = one({"reindex", "--store", url(name("keeper"))});
  EXPECT_EQ(filled.exit, 0) << filled;
  EXPECT_EQ(column_of("SELECT count(*) FROM catalogue"), std::vector<std::string>{"1"});
  for (int i = 0; i < 9; ++i) {  // so many that the index is merged
    session.human("more " + std::to_string(i));
    session.says("said " + std::to_string(i));
    one.ingests(session);
    EXPECT_THAT(list(one.push("team"), "sent"), SizeIs(1));
  }
  one.ingests(short_session(kTwo));
  EXPECT_THAT(list(one.push("team"), "sent"), SizeIs(1));
  const Ran verified = one({"verify", "--store", url()});
  EXPECT_EQ(verified.exit, 0) << verified;
  const Ran ran = one({"forget", "last", "--yes", "--store", url(name("writer"))});
  EXPECT_EQ(ran.exit, 3) << ran;
  EXPECT_THAT(ran.err, HasSubstr("weft store grant"));
  EXPECT_THAT(list(two.pull("server"), "taken"), SizeIs(2));
  EXPECT_EQ(web_of(two), web_of(one));
}

TEST_F(Roles, AWriterExtendsWhatItsOwnRoleAddedAlone) {
  one.has_remotes({{"team", url(name("writer"))}});
  Session session = short_session(kOne);
  one.ingests(session);
  one.push("team");
  const std::string other = schema->name() + "_a_other";
  add_role(other, "LOGIN");
  ASSERT_EQ(one({"store", "grant", url(), other, "--as", "writer"}).exit, 0);
  EXPECT_THAT(refusal(url(other), "UPDATE conversations SET turns = 7"),
              HasSubstr("another role of the web"));
  // What it adds for itself goes.
  const Machine lone;
  lone.has_remotes({{"team", url(other)}});
  ASSERT_EQ(lone({"init"}).exit, 0);
  lone.ingests(short_session(kTwo, "whose is the shuttle?"));
  EXPECT_THAT(list(lone.push("team"), "sent"), SizeIs(1));
  // The same person by another role is another writer, until it is a member of the first.
  session.human("and now?");
  session.says("now this");
  one.ingests(session);
  one.has_remotes({{"team", url(other)}});
  const Ran refused = one({"push", "team", "--yes"});
  EXPECT_EQ(refused.exit, 3) << refused;
  EXPECT_THAT(refused.err, HasSubstr("another role of the web"));
  run("GRANT " + name("writer") + " TO " + other);
  EXPECT_THAT(list(one.push("team"), "sent"), SizeIs(1));
  EXPECT_EQ(column_of("SELECT DISTINCT writer FROM conversations ORDER BY 1"),
            (std::vector<std::string>{other, name("writer")}));
}

TEST_F(Roles, ALeafThatIsThereIsNotChangedByAWriter) {
  one.ingests(short_session(kOne));
  one.push("server");
  EXPECT_EQ(refusal_of("writer", "UPDATE checkpoints SET leaves = NULL"), "");  // of no row
  EXPECT_EQ(column_of("SELECT count(*) FROM checkpoints WHERE leaves IS NULL"),
            std::vector<std::string>{"0"});
  EXPECT_EQ(refusal_of("keeper", "UPDATE checkpoints SET leaves = leaves"), "");
}

TEST_F(Roles, AKeeperForgetsAndNothingIsLeftInTheTables) {
  one.ingests(long_session(kOne));
  one.ingests(short_session(kTwo, "where is the weftlessmark?"));
  one.push("server");
  const auto there = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--store", url(name("keeper"))});
    return one(words);
  };
  EXPECT_EQ(there({"reindex"}).exit, 0);
  EXPECT_EQ(there({"repair"}).exit, 0);
  const std::string files = "SELECT pg_relation_filenode('thoughts')";
  const auto before = column_of(files);
  const Ran ran = there({"forget", cid_of(kTwo), "--yes"});
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_EQ(column_of("SELECT count(*) FROM wipes"), std::vector<std::string>{"0"});
  EXPECT_EQ(there({"search", "weftlessmark"}).exit, 1);
  EXPECT_EQ(there({"verify"}).exit, 0) << there({"verify"});
  // The tables were written anew: what was deleted takes no place in them.
  EXPECT_NE(column_of(files), before);
  // Who may not write them anew says so, and the rest stays due.
  run("REVOKE EXECUTE ON FUNCTION rewrite_table(TEXT) FROM " + schema->name() + "_keeper");
  const Ran half = there({"forget", cid_of(kOne), "--yes"});
  EXPECT_EQ(half.exit, 3) << half;
  EXPECT_THAT(half.err, AllOf(HasSubstr("still in the store's files"), HasSubstr("--as keeper")));
  EXPECT_EQ(column_of("SELECT count(*) FROM wipes"), std::vector<std::string>{"1"});
}

}  // namespace
}  // namespace weft::test

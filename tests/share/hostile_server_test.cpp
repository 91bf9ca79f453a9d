// A server that lies: its rows are changed, exchanged, removed and made up behind weft's back.
// `verify` names what is not signed as it stands, a pull refuses it, and no answer shows it as
// valid.
#include <algorithm>
#include <numeric>
#include <random>

#include "web_on_server_for_test.hpp"

namespace weft::test {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class HostileServer : public WebOnServer {
 protected:
  void SetUp() override {
    WebOnServer::SetUp();
    if (IsSkipped()) return;
    one.ingests(long_session(kOne));
    one.ingests(short_session(kTwo, "where is the shuttle?"));
    one.push("server");
    // What a keeper fills: otherwise there would be nothing to damage.
    ASSERT_EQ(one({"reindex", "--store", url()}).exit, 0);
    tables_ = column_of("SELECT tablename FROM pg_tables WHERE schemaname = '" + schema->name() +
                        "' ORDER BY 1");
    sound_ = verify();
    ASSERT_EQ(sound_.exit, 0) << sound_;
    keep();
  }
  void TearDown() override {
    if (schema) run("DROP SCHEMA IF EXISTS " + kept() + " CASCADE");
    WebOnServer::TearDown();
  }

  std::string kept() const { return schema->name() + "kept"; }
  void keep() const {
    std::string sql = "DROP SCHEMA IF EXISTS " + kept() + " CASCADE; CREATE SCHEMA " + kept() + ";";
    for (const std::string& table : tables_) {
      sql += "CREATE TABLE " + kept() + "." + table + " AS SELECT * FROM " + table + ";";
    }
    run(sql);
  }
  void bring_back(const std::vector<std::string>& tables) const {
    for (const std::string& table : tables) {
      run("TRUNCATE " + table + "; INSERT INTO " + table +
          " OVERRIDING SYSTEM VALUE SELECT * FROM " + kept() + "." + table);
    }
  }
  Ran verify(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"verify", "--store", url()});
    return one(more);
  }
  std::string head() const { return text(one.json({"verify", "--store", url()}), "head"); }
  // The number of a thought of a type, counted from 0.
  static std::string id_of(const std::string& type, int number = 0) {
    return "(SELECT id FROM thoughts WHERE type = (SELECT id FROM words WHERE text LIKE '%" + type +
           "') ORDER BY id OFFSET " + std::to_string(number) + " LIMIT 1)";
  }
  void expect_found(const std::string& what, const std::string& sql, const std::string& named) {
    SCOPED_TRACE(what);
    run(sql);
    const Ran ran = verify();
    EXPECT_EQ(ran.exit, 1) << ran;
    EXPECT_THAT(ran.out + ran.err, HasSubstr(named));
    EXPECT_THAT(ran.out, Not(HasSubstr("valid: 0 ")));
  }
  // A machine that pulls for the first time has nothing that its own verify objects to, and no
  // thought that was never said.
  void expect_no_lie_is_pulled() const {
    const Machine reader;
    fs::create_directories(reader.home());
    fs::copy_file(one.home() / "keyring.json", reader.home() / "keyring.json");
    reader.has_remotes({{"server", url()}});
    const Ran pulled = reader({"pull", "server", "--json"});
    EXPECT_NE(pulled.exit, 2) << pulled;
    if (reader({"list"}).exit != 0) return;  // nothing came
    EXPECT_TRUE(reader.verifies()) << reader({"verify"});
    const std::set<std::string> said = web_of(one);
    for (const std::string& cid : web_of(reader)) EXPECT_TRUE(said.contains(cid)) << cid;
  }

  std::vector<std::string> tables_;
  Ran sound_;
};

TEST_F(HostileServer, WrongBytesAreNamedAndNeitherShownNorPulled) {
  const std::string response = id_of("/response");
  const std::string cid =
      "cid:blake3:" +
      column_of("SELECT encode(cid, 'hex') FROM names WHERE id = " + response).at(0);
  struct Lie {
    const char* what;
    std::string sql;
  };
  const std::string flipped = "set_byte($, length($) - 1, get_byte($, length($) - 1) # 1)";
  const auto flip = [&](const std::string& column) {
    std::string out = flipped;
    for (std::size_t at = 0; (at = out.find('$', at)) != out.npos;) out.replace(at, 1, column);
    return "UPDATE thoughts SET " + column + " = " + out + " WHERE id = ";
  };
  for (const Lie& lie :
       {Lie{"a byte of a text", flip("body") + response},
        Lie{"the text of another one",
            "UPDATE thoughts SET body = (SELECT body FROM thoughts WHERE "
            "id = " +
                id_of("/response", 1) + ") WHERE id = " + response},
        Lie{"another author",
            "UPDATE thoughts SET created_by = created_by + 1 WHERE id = " + response},
        Lie{"another time",
            "UPDATE thoughts SET created_at = created_at + 1 WHERE id = " + response},
        Lie{"other causes", "UPDATE thoughts SET because = NULL WHERE id = " + response},
        Lie{"another word for a type",
            "UPDATE words SET text = text || 's' WHERE text LIKE '%/response'"},
        Lie{"another name",
            "UPDATE names SET cid = set_byte(cid, 3, get_byte(cid, 3) # 1) WHERE id = " +
                response}}) {
    SCOPED_TRACE(lie.what);
    run(lie.sql);
    const Ran ran = verify();
    EXPECT_EQ(ran.exit, 1) << ran;
    const Ran got = one({"get", cid, "--store", url(), "--json"});
    EXPECT_THAT(got.exit, AnyOf(1, 3)) << got;  // not there, or not what its name says
    expect_no_lie_is_pulled();
    bring_back({"thoughts", "words", "names"});
  }
  const std::string sealed = id_of("/thinking");
  for (const std::string column : {"metadata", "content"}) {
    run(flip(column) + sealed);
    EXPECT_EQ(verify().exit, 1) << column;
    expect_no_lie_is_pulled();
    bring_back({"thoughts"});
  }
  EXPECT_EQ(verify().out, sound_.out);
}

TEST_F(HostileServer, ExchangedAndForgedRowsAreNamed) {
  const std::string a = id_of("/response"), b = id_of("/response", 1);
  const auto exchange = [](const std::string& table, const std::string& column,
                           const std::string& x, const std::string& y) {
    return "UPDATE " + table + " SET " + column + " = (SELECT o." + column + " FROM " + table +
           " AS o WHERE o.id = CASE WHEN " + table + ".id = " + x + " THEN " + y + " ELSE " + x +
           " END) WHERE id IN (" + x + ", " + y + ")";
  };
  struct Lie {
    const char* what;
    std::string sql, named;
    std::vector<std::string> tables;
  };
  for (const Lie& lie : {
           Lie{"names of two", exchange("names", "cid", a, b), "bad", {"names"}},
           Lie{"texts of two", exchange("thoughts", "body", a, b), "bad", {"thoughts"}},
           Lie{"an edge to another thought",
               "UPDATE connections SET to_id = " + b +
                   " WHERE id = (SELECT min(id) FROM "
                   "connections WHERE to_id = " +
                   a + ")",
               "",
               {"connections"}},
           Lie{"a conversation that never was",
               "INSERT INTO conversations (id, format, session_id, source, created_at, touched, "
               "adopted) VALUES (900000, 'claude-code', 'forged', '', 0, 99, 0)",
               "conversations",
               {"conversations"}},
           Lie{"a conversation of a response",
               "INSERT INTO conversations (id, format, session_id, source, created_at, touched, "
               "adopted) VALUES (" +
                   a + ", 'claude-code', 'forged', '', 0, 99, 0)",
               "conversations",
               {"conversations"}},
           Lie{"an older checkpoint as the newest",
               "UPDATE conversations SET checkpoint = NULL",
               "conversations",
               {"conversations"}},
           Lie{"counts",
               "UPDATE conversations SET turns = turns + 1",
               "conversations",
               {"conversations"}},
           Lie{"leaves of a checkpoint",
               "UPDATE checkpoints SET leaves = NULL WHERE seq = (SELECT min(seq) FROM "
               "checkpoints)",
               "",
               {"checkpoints"}},
           Lie{"a checkpoint of another conversation",
               "UPDATE checkpoints SET conversation = (SELECT max(conversation) FROM checkpoints)",
               "checkpoints",
               {"checkpoints"}},
           Lie{"a cause that is none",
               "UPDATE effects SET cause = " + b + " WHERE cause = " + a,
               "effects",
               {"effects"}},
           Lie{"a page of the index",
               "UPDATE index_pages SET body = set_byte(body, 9, get_byte(body, 9) # 1)",
               "index_pages",
               {"index_pages"}},
           Lie{"the state of a table",
               "UPDATE late_tables SET version = 0 WHERE name = 'tallies'",
               "",
               {"late_tables"}},
           Lie{"figures",
               "UPDATE tallies SET clear = set_byte(clear, length(clear) - 1, 77)",
               "tallies",
               {"tallies"}},
           Lie{"something forgotten that is not",
               "INSERT INTO tombstones (cid, tombstone) SELECT cid, " + a +
                   " FROM names WHERE id = " + b,
               "tombstones",
               {"tombstones"}},
       }) {
    if (std::string_view(lie.what) == "the state of a table") continue;  // only not up to date
    expect_found(lie.what, lie.sql, lie.named);
    if (lie.tables.front() != "index_pages") expect_no_lie_is_pulled();
    bring_back(lie.tables);
  }
  EXPECT_EQ(verify().out, sound_.out);
}

// Every table, some rows of each or, in a long run, all. What may be removed without a trace is
// said here: it is the list in docs/threat-model.md.
TEST_F(HostileServer, ARemovedRowIsNoticedOrSaysNothing) {
  const unsigned seed = test_seed();
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(seed));
  std::mt19937 random(seed);
  std::size_t tried = 0;
  for (const std::string& table : tables_) {
    const std::size_t count = std::stoul(column_of("SELECT count(*) FROM " + table).at(0));
    std::vector<std::size_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    std::ranges::shuffle(numbers, random);
    if (!test_is_long() && numbers.size() > 2) numbers.resize(2);
    for (const std::size_t number : numbers) {
      const std::string where = " FROM " + table + " WHERE ctid = (SELECT ctid FROM " + table +
                                " AS o ORDER BY o::text OFFSET " + std::to_string(number) +
                                " LIMIT 1)";
      SCOPED_TRACE(table + ": row " + std::to_string(number) + " in the order of text");
      // The name of a connection follows from its columns.
      const bool is_spare =
          table == "search_keys" ||
          (table == "names" &&
           column_of("SELECT count(*) FROM connections WHERE id = (SELECT id" + where + ")")
                   .at(0) != "0");
      run("DELETE" + where);
      const Ran ran = verify();
      ++tried;
      if (is_spare && ran.exit == 0) {
        EXPECT_EQ(ran.out, sound_.out);
      } else {
        EXPECT_NE(ran.exit, 0) << ran;
      }
      bring_back({table});
    }
  }
  EXPECT_GT(tried, 40u);
  EXPECT_EQ(verify().out, sound_.out);
}

// What follows from thoughts comes back, head and all.
TEST_F(HostileServer, RepairBringsBackWhatFollowsFromThoughts) {
  std::vector<std::string> tables = {
      "conversations", "effects",     "name_hashes", "runs",       "catalogue",       "tallies",
      "outlines",      "late_tables", "index_pages", "index_runs", "search_documents"};
  const unsigned seed = test_seed();
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(seed));
  std::mt19937 random(seed);
  std::ranges::shuffle(tables, random);
  if (!test_is_long()) tables.resize(4);
  for (const std::string& table : tables) {
    if (column_of("SELECT count(*) FROM " + table).at(0) == "0") continue;
    SCOPED_TRACE(table);
    run("DELETE FROM " + table + " WHERE ctid = (SELECT min(ctid) FROM " + table + ")");
    EXPECT_EQ(verify().exit, 1);
    const Ran repaired = one({"repair", "--store", url()});
    EXPECT_EQ(repaired.exit, 0) << repaired;
    EXPECT_EQ(verify().out, sound_.out);
    bring_back(tables_);
  }
  run("INSERT INTO conversations (id, format, session_id, source, created_at, touched, adopted) "
      "VALUES (900000, 'claude-code', 'forged', '', 0, 99, 0)");
  EXPECT_EQ(one({"repair", "--store", url()}).exit, 0);
  EXPECT_EQ(verify().out, sound_.out);
}

// A checkpoint's place in the log comes back, so a head that was kept is met. Which thoughts are
// its leaves does not follow where they came by a push: they stay bad.
TEST_F(HostileServer, RepairPutsACheckpointBackIntoItsPlaceInTheLog) {
  const std::string before = head();
  run("DELETE FROM checkpoints WHERE seq = (SELECT min(seq) FROM checkpoints)");
  EXPECT_EQ(verify({"--head", before}).exit, 1);
  one({"repair", "--store", url()});
  const Ran ran = verify({"--json"});
  EXPECT_EQ(ran.exit, 1) << ran;
  EXPECT_EQ(text(ran.object(), "head"), before);
}

TEST_F(HostileServer, AnOlderStateIsFoundByAHeadThatWasKept) {
  const std::string old_head = head();
  Session session = long_session(kOne);
  session.human("and now?");
  session.says("now this");
  one.ingests(session);
  one.push("server");
  const std::string new_head = head();
  EXPECT_EQ(verify({"--head", old_head}).exit, 0);
  bring_back(tables_);          // the whole schema of before
  EXPECT_EQ(verify().exit, 0);  // consistent, as every state was
  EXPECT_EQ(verify({"--head", new_head}).exit, 1);
  EXPECT_EQ(verify({"--head", old_head}).exit, 0);
  // A machine that has more keeps it, and brings the server back up to date once it looks.
  EXPECT_THAT(list(one.pull("server"), "taken"), IsEmpty());
  EXPECT_THAT(list(one.push("server", 0, {"--check"}), "sent"), testing::SizeIs(1));
  EXPECT_EQ(verify({"--head", new_head}).exit, 0);
}

TEST_F(HostileServer, AConversationThatIsGoneAltogetherIsFoundByAHeadAlone) {
  const std::string before = head();
  const std::string id = "(SELECT id FROM conversations WHERE session_id = '" + kTwo + "')";
  run("CREATE TEMPORARY TABLE gone AS SELECT id FROM thoughts, runs WHERE runs.conversation = " +
      id +
      " AND id BETWEEN first AND last UNION SELECT id FROM connections, runs WHERE "
      "runs.conversation = " +
      id +
      " AND id BETWEEN first AND last;"
      "DELETE FROM checkpoints WHERE conversation = " +
      id +
      ";"
      "DELETE FROM runs WHERE conversation = " +
      id +
      ";"
      "DELETE FROM shares WHERE conversation = " +
      id +
      ";"
      "DELETE FROM effects WHERE thought IN (SELECT id FROM gone);"
      "DELETE FROM thoughts WHERE id IN (SELECT id FROM gone);"
      "DELETE FROM connections WHERE id IN (SELECT id FROM gone);"
      "DELETE FROM conversations WHERE session_id = '" +
      kTwo + "'");
  ASSERT_EQ(one({"reindex", "--store", url()}).exit, 0);
  EXPECT_EQ(verify({"--head", before}).exit, 1);
  EXPECT_THAT(list(one.push("server", 0, {"--check"}), "sent"),
              testing::SizeIs(1));  // who has it sends it again
}

}  // namespace
}  // namespace weft::test

// weft store: setting up a web on a server, its versions, and who may use it.
#include <future>

#include "web_on_server_for_test.hpp"
#include "weft/store/postgres/tables.hpp"

namespace weft::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class StoreCommand : public WebOnServer {
 protected:
  Ran init(const std::string& store) const { return one({"store", "init", store}); }
  Ran grant(const std::string& role, const std::string& as) const {
    return one({"store", "grant", url(), role, "--as", as});
  }
  static std::vector<std::string> names_in(const json::object& report) {
    std::vector<std::string> names;
    for (const json::value& role : list(report, "roles")) {
      names.push_back(text(role.as_object(), "name"));
    }
    return names;
  }
};

TEST_F(StoreCommand, InitMakesSchemaTablesAndRolesAndAgainNothing) {
  run("DROP SCHEMA " + schema->name());
  const json::object first = one.json({"store", "init", url()});
  const std::string name = schema->name();
  EXPECT_THAT(names_in(first), ElementsAre(name + "_reader", name + "_writer", name + "_keeper"));
  EXPECT_TRUE(first.at("made_tables").as_bool());
  EXPECT_EQ(number(first, "version"), store::sql::kTablesVersion);
  EXPECT_THAT(list(first, "to_run"), IsEmpty());
  one.ingests(short_session(kOne));
  one.push("server");
  const json::object again = one.json({"store", "init", url()});
  EXPECT_FALSE(again.at("made_tables").as_bool());
  EXPECT_EQ(again.at("web"), first.at("web"));
  EXPECT_EQ(names_in(again), names_in(first));
  for (const json::value& role : list(again, "roles")) {
    EXPECT_FALSE(role.at("made").as_bool());
    EXPECT_TRUE(role.at("exists").as_bool());
  }
  EXPECT_THAT(list(two.pull("server"), "taken"), SizeIs(1));
  EXPECT_THAT(init(url()).out, AllOf(HasSubstr("found the web"), HasSubstr("weft store grant")));
}

TEST_F(StoreCommand, InitAfterAPushGivesItsWebRoles) {
  one.ingests(short_session(kOne));
  one.push("server");
  const json::object report = one.json({"store", "init", url()});
  EXPECT_FALSE(report.at("made_tables").as_bool());
  EXPECT_THAT(names_in(report), SizeIs(3));
  EXPECT_THAT(list(one.push("server"), "sent"), IsEmpty());
}

TEST_F(StoreCommand, TwoInitsAtOnceMakeOneWeb) {
  for (int round = 0; round < 3; ++round) {
    run("DROP SCHEMA " + schema->name() + " CASCADE");
    std::vector<std::future<Ran>> inits;
    for (int i = 0; i < 3; ++i) {
      inits.push_back(std::async(std::launch::async, [&] { return init(url() + ""); }));
    }
    for (auto& done : inits) {
      const Ran ran = done.get();
      EXPECT_EQ(ran.exit, 0) << ran;
    }
    EXPECT_EQ(column_of("SELECT count(*) FROM web"), std::vector<std::string>{"1"});
    EXPECT_EQ(column_of("SELECT count(*) FROM late_tables"), std::vector<std::string>{"6"});
    run("DROP OWNED BY " + schema->name() + "_reader, " + schema->name() + "_writer, " +
        schema->name() + "_keeper");
    run("DROP ROLE " + schema->name() + "_reader, " + schema->name() + "_writer, " +
        schema->name() + "_keeper");
  }
}

// An administrator makes schema and roles for somebody who may make neither.
TEST_F(StoreCommand, InitSaysTheSqlWhereItMayNotMakeRoles) {
  const std::string owner = schema->name() + "_owner", reader = schema->name() + "_ada";
  add_role(owner, "LOGIN");
  add_role(reader, "LOGIN");
  run("ALTER SCHEMA " + schema->name() + " OWNER TO " + owner);
  const Ran ran = init(url(owner));
  EXPECT_EQ(ran.exit, 1) << ran;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("made the web"), HasSubstr("CREATE ROLE"),
                             HasSubstr("weft store init again")));
  const Ran early = one({"store", "grant", url(owner), reader, "--as", "reader"});
  EXPECT_EQ(early.exit, 1) << early;
  EXPECT_THAT(early.err, HasSubstr("weft store init"));
  const Ran document = one({"store", "init", url(owner), "--json"});
  EXPECT_EQ(document.exit, 1);
  const json::array statements = list(document.object(), "to_run");
  ASSERT_THAT(statements, SizeIs(6));
  for (const json::value& sql : statements) run(std::string(sql.as_string()));
  EXPECT_EQ(init(url(owner)).exit, 0) << init(url(owner));
  const Ran granted = one({"store", "grant", url(owner), reader, "--as", "reader"});
  EXPECT_EQ(granted.exit, 0) << granted;
  EXPECT_EQ(one({"list", "--store", url(reader)}).exit, 0);
}

TEST_F(StoreCommand, RolesOfAnotherWebAreNotTaken) {
  // Of a web in another database, say.
  add_role(schema->name() + "_reader", "NOLOGIN");
  const json::object report = one.json({"store", "init", url()});
  const std::string id = text(report, "web").substr(0, 8);
  EXPECT_THAT(names_in(report),
              ElementsAre(schema->name() + "_" + id + "_reader", schema->name() + "_writer",
                          schema->name() + "_keeper"));
  EXPECT_EQ(names_in(one.json({"store", "init", url()})), names_in(report));
  // The same schema once more is another web, whose members are not those of the first.
  run("DROP SCHEMA " + schema->name() + " CASCADE");
  const auto names = names_in(one.json({"store", "init", url()}));
  for (const std::string& name : names) EXPECT_THAT(names_in(report), Not(testing::Contains(name)));
}

TEST_F(StoreCommand, GrantIsHarmlessAgainAndRefusesWhatIsNoPerson) {
  const std::string ada = schema->name() + "_ada";
  EXPECT_EQ(grant(ada, "reader").exit, 1);  // no web
  ASSERT_EQ(init(url()).exit, 0);
  const Ran missing = grant(ada, "reader");
  EXPECT_EQ(missing.exit, 1) << missing;
  EXPECT_THAT(missing.err, HasSubstr("CREATE ROLE"));
  add_role(ada, "LOGIN");
  const Ran before = one({"list", "--store", url(ada)});
  EXPECT_NE(before.exit, 0) << before;
  const json::object first = one.json({"store", "grant", url(), ada, "--as", "reader"});
  EXPECT_TRUE(first.at("granted").as_bool());
  EXPECT_TRUE(first.at("may_connect").as_bool());
  EXPECT_EQ(text(first, "group"), schema->name() + "_reader");
  EXPECT_FALSE(one.json({"store", "grant", url(), ada, "--as", "reader"}).at("granted").as_bool());
  EXPECT_EQ(one({"list", "--store", url(ada)}).exit, 0);
  for (const std::string everybody : {"PUBLIC", "public"}) {
    const Ran ran = grant(everybody, "reader");
    EXPECT_EQ(ran.exit, 3) << ran;
    EXPECT_THAT(ran.err, HasSubstr("everybody"));
  }
  EXPECT_EQ(grant(schema->name() + "_writer", "reader").exit, 3);
  EXPECT_EQ(grant(ada, "boss").exit, 2);
  // Who has no say over roles is told who has.
  const Ran by_ada = one({"store", "grant", url(ada), ada, "--as", "keeper"});
  EXPECT_EQ(by_ada.exit, 3) << by_ada;
  EXPECT_THAT(by_ada.err, HasSubstr("GRANT \"" + schema->name() + "_keeper\""));
  const Ran by_reader = one({"store", "init", url(ada)});
  EXPECT_EQ(by_reader.exit, 3) << by_reader;
  EXPECT_THAT(by_reader.err, HasSubstr("owns the tables"));
  EXPECT_EQ(init("sqlite:" + one.path("weft.db")).exit, 2);
}

class OldTables : public StoreCommand {
 protected:
  // Turns the web into one of version 1 with the same rows: its tables are made by the steps up to
  // that version, and filled column by column.
  void go_back_to_version_1() const {
    const std::string now = schema->name(), kept = now + "_kept";
    run("ALTER SCHEMA " + now + " RENAME TO " + kept);
    run("CREATE SCHEMA " + now);
    {
      const auto database = postgres::open_database(parsed(url())).value();
      ASSERT_TRUE(store::sql::create_tables(database, store::sql::kPostgresTypes, {}, 1));
    }
    for (const std::string& table :
         column_of("SELECT tablename FROM pg_tables WHERE schemaname = '" + now + "'")) {
      const auto columns = column_of(
          "SELECT string_agg(attname, ', ' ORDER BY attnum) FROM pg_attribute WHERE attnum > 0 "
          "AND attrelid = '" +
          now + "." + table + "'::regclass");
      run("DELETE FROM " + table);
      run("INSERT INTO " + table + " (" + columns.at(0) + ") SELECT " + columns.at(0) + " FROM " +
          kept + "." + table);
    }
    run("UPDATE web SET version = 1");
    run("SELECT setval(pg_get_serial_sequence('checkpoints', 'seq'), 1000), "
        "setval(pg_get_serial_sequence('words', 'id'), 1000), "
        "setval(pg_get_serial_sequence('shares', 'id'), 1000)");
    run("DROP SCHEMA " + kept + " CASCADE");
  }
};

TEST_F(OldTables, AreReadAndNotWrittenToUntilTheyAreMigrated) {
  Session session = long_session(kOne);
  one.ingests(session);
  one.push("server");
  const Ran before = one({"verify", "--store", url()});
  ASSERT_EQ(before.exit, 0) << before;
  go_back_to_version_1();
  EXPECT_EQ(one({"verify", "--store", url()}).out, before.out);
  EXPECT_EQ(one({"search", "question", "--store", url()}).exit, 0);
  EXPECT_THAT(list(two.pull("server"), "taken"), SizeIs(1));
  session.human("and now?");
  session.says("now this");
  one.ingests(session);
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"push", "server", "--yes"}, {"store", "init", url()}}) {
    const Ran ran = one(words);
    EXPECT_NE(ran.exit, 0) << ran;
    EXPECT_THAT(ran.out + ran.err, AllOf(HasSubstr("version 1"), HasSubstr("weft store migrate")));
  }
  const std::string ada = schema->name() + "_ada";
  add_role(ada, "LOGIN");
  run("GRANT USAGE ON SCHEMA " + schema->name() + " TO " + ada);
  run("GRANT SELECT ON ALL TABLES IN SCHEMA " + schema->name() + " TO " + ada);
  const Ran by_another = one({"store", "migrate", url(ada)});
  EXPECT_EQ(by_another.exit, 3) << by_another;
  EXPECT_THAT(by_another.err, HasSubstr("owns the tables"));

  const json::object report = one.json({"store", "migrate", url()});
  EXPECT_EQ(number(report, "from_version"), 1);
  EXPECT_EQ(number(report, "to_version"), store::sql::kTablesVersion);
  EXPECT_THAT(one({"store", "migrate", url()}).out, HasSubstr("is up to date"));
  EXPECT_THAT(one({"migrate", "--store", url()}).out, HasSubstr("is up to date"));
  EXPECT_EQ(one({"verify", "--store", url()}).out, before.out);
  EXPECT_THAT(list(one.push("server"), "sent"), SizeIs(1));
  EXPECT_EQ(init(url()).exit, 0);
  EXPECT_EQ(one({"verify", "--store", url()}).exit, 0);
}

TEST_F(OldTables, OfANewerWeftAreRefusedWithTheCure) {
  one.ingests(short_session(kOne));
  one.push("server");
  run("UPDATE web SET version = version + 1");
  one.ingests(short_session(kTwo));
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"list", "--store", url()},
                                             {"verify", "--store", url()},
                                             {"push", "server", "--yes"},
                                             {"store", "init", url()},
                                             {"store", "migrate", url()}}) {
    const Ran ran = one(words);
    EXPECT_EQ(ran.exit, 3) << testing::PrintToString(words) << ran;
    EXPECT_THAT(ran.err, HasSubstr("a newer weft made them; use that one"));
  }
}

}  // namespace
}  // namespace weft::test

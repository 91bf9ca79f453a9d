// weft serve over a store on a server keeps it: it checks what comes, and carries out what was
// forgotten by people who may only add.
#include <signal.h>

#include "kill_moments_for_test.hpp"
#include "serving_for_test.hpp"
#include "share_for_test.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;
using testing::Not;

json::object body_of(const std::string& answer) {
  const std::size_t end = answer.find("\r\n\r\n");
  const auto parsed = parse_json(answer.substr(end == std::string::npos ? 0 : end + 4));
  return parsed && parsed->value.is_object() ? parsed->value.as_object() : json::object();
}

// A web on a server. The first machine owns its tables; the second may only add.
class Kept : public Sharing {
 protected:
  void SetUp() override {
    if (!schema) GTEST_SKIP() << "built without libpq";
    run("CREATE ROLE " + writer() + " LOGIN");
    one.ingests(short_session(kOne, "why does the loom creak?"));
    one.push("server");
    // Of the rows that stand for thoughts, it may remove none.
    run("GRANT USAGE ON SCHEMA " + schema->name() + " TO " + writer());
    run("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA " + schema->name() + " TO " +
        writer());
    for (const char* table : {"thoughts", "names", "connections", "conversations", "wipes"}) {
      run("REVOKE DELETE ON " + schema->name() + "." + table + " FROM " + writer());
    }
    two.has_remotes({{"server", url_of(writer())}});
  }
  void TearDown() override {
    if (!schema) return;
    run("DROP OWNED BY " + writer());
    run("DROP ROLE " + writer());
  }

  std::string writer() const { return "writer_" + schema->name(); }
  std::string url_of(const std::string& role) const {
    return "postgres://" + role + "@/weft?host=" + postgres::test_server().directory() +
           "&schema=" + schema->name();
  }
  void run(const std::string& sql) const {
    const Status done = postgres::open_database(schema->url()).value().script(sql.c_str());
    EXPECT_TRUE(done) << sql << ": " << done.error().message;
  }
  std::string option() const { return "--store '" + schema->text() + "'"; }
  static json::object report(const Serving& serving) { return body_of(serving.get("/api/keeper")); }
  static bool is_idle(const Serving& serving) {
    const json::object said = report(serving);
    return find_bool(said, "is_kept") == true && find_int(said, "behind") == 0 &&
           find_int(said, "checked").value_or(0) > 0;
  }
  bool is_there(const std::string& words) const {
    return one({"search", words, "--store", schema->text()}).exit == 0;
  }
  Ran verify() const { return one({"verify", "--store", schema->text()}); }
  // Whether any file of a table on the server has these bytes.
  bool files_hold(const std::string& bytes) const {
    run("CHECKPOINT");
    return run_program("/bin/grep",
                       {"-rqaF", bytes, postgres::test_server().directory() + "/data/base"}, {})
               .exit == 0;
  }
};

TEST_F(Kept, WhatWasPushedIsCheckedAndBadThoughtsAreFound) {
  Serving serving(one, option());
  ASSERT_TRUE(becomes_true([&] { return is_idle(serving); })) << serving.errors();
  EXPECT_TRUE(list(report(serving), "findings").empty());
  two.ingests(short_session(kTwo, "why does the shuttle stick?"));
  two.push("server");
  ASSERT_TRUE(becomes_true([&] { return is_idle(serving); }));
  EXPECT_TRUE(list(report(serving), "findings").empty());
  EXPECT_EQ(one({"doctor", "--store", schema->text()}).exit, 0);

  // A thought that nobody signed, under a name of its own.
  const std::string name(64, 'b');
  run("INSERT INTO names (id, cid) SELECT max(id) + 1, decode('" + name + "', 'hex') FROM names; " +
      "INSERT INTO thoughts SELECT (SELECT max(id) FROM names), type, created_by, created_at, " +
      "source, because, signature, metadata, content, body FROM thoughts " +
      "WHERE id = (SELECT max(id) FROM thoughts); NOTIFY weft_log");
  const std::string cid = "cid:blake3:" + name;
  ASSERT_TRUE(becomes_true([&] { return !list(report(serving), "findings").empty(); }));
  const json::object found = list(report(serving), "findings").at(0).as_object();
  EXPECT_EQ(text(found, "cid"), cid);
  EXPECT_EQ(text(found, "kind"), "bad");
  EXPECT_THAT(serving.errors(), HasSubstr(cid));
  EXPECT_THAT(serving.errors(), Not(HasSubstr("shuttle")));
  const Ran doctor = one({"doctor", "--store", schema->text()});
  EXPECT_EQ(doctor.exit, 1) << doctor;
  EXPECT_THAT(doctor.out, HasSubstr(cid));
  // Once it is put right, nothing is left of it in the report.
  run("DELETE FROM thoughts WHERE id = (SELECT max(id) FROM names); "
      "DELETE FROM names WHERE id = (SELECT max(id) FROM names)");
  EXPECT_TRUE(becomes_true([&] { return list(report(serving), "findings").empty(); }));

  // An old row that was changed is found by the round over everything.
  run("UPDATE thoughts SET created_at = created_at + 1 WHERE id = (SELECT min(id) FROM thoughts)");
  EXPECT_TRUE(becomes_true([&] { return !list(report(serving), "findings").empty(); }));
}

TEST_F(Kept, WhatAWriterForgetsTheKeeperRemovesFromTheServersFiles) {
  const std::string word = "unspeakable" + schema->name();
  two.ingests(short_session(kTwo, word));
  two.push("server");
  ASSERT_TRUE(is_there(word));
  ASSERT_TRUE(files_hold(word));
  const Serving serving(one, option());
  const Ran ran = two({"forget", kTwo, "--remote", "server", "--yes", "--json"});
  EXPECT_EQ(ran.exit, 0) << ran << serving.errors();
  const json::object there = list(ran.object(), "remotes").at(0).as_object();
  EXPECT_EQ(text(there, "state"), "carried_out");
  EXPECT_EQ(there.at("wiped"), true);
  EXPECT_THAT(ran.out, HasSubstr("standbys"));
  EXPECT_FALSE(is_there(word));
  EXPECT_FALSE(files_hold(word));
  EXPECT_THAT(serving.errors(), Not(HasSubstr(word)));
  const Ran verified = verify();
  EXPECT_EQ(verified.exit, 0) << verified;
  EXPECT_TRUE(becomes_true([&] { return list(report(serving), "forgotten").size() == 1; }));
  // Another machine that pulls forgets it too, and nothing brings it back.
  EXPECT_EQ(two({"push", "server"}).exit, 0);
  EXPECT_FALSE(is_there(word));
  EXPECT_TRUE(is_there("creak")) << "the other conversation stays";
}

TEST_F(Kept, WithoutAKeeperTheTombstoneWaitsAndAnotherPersonsIsNotCarriedOut) {
  two.ingests(short_session(kTwo, "why does it wait?"));
  two.push("server");
  const std::string cid = text(list(two.json({"list"}), "conversations").at(0).as_object(), "cid");
  const Ran waits = two({"forget", kTwo, "--remote", "server", "--wait", "0", "--yes", "--json"});
  EXPECT_EQ(waits.exit, 1) << waits;
  EXPECT_EQ(text(list(waits.object(), "remotes").at(0).as_object(), "state"), "waiting");
  EXPECT_TRUE(is_there("wait"));
  EXPECT_EQ(verify().exit, 0);
  const json::object again = two.push("server");
  EXPECT_EQ(list(again, "waiting").size(), 1u) << "a push says so as well";

  // A stranger pulled it, and says that it was forgotten.
  Machine stranger;
  ASSERT_EQ(stranger({"init"}).exit, 0);
  stranger.has_remotes({{"server", schema->text()}});
  stranger.pull("server");
  const Ran refused = stranger({"forget", kOne, "--remote", "server", "--yes", "--json"});
  EXPECT_EQ(refused.exit, 0) << refused;
  EXPECT_EQ(text(list(refused.object(), "remotes").at(0).as_object(), "state"), "not_there");

  const Serving serving(one, option());
  const Ran done = two({"forget", cid, "--remote", "server", "--json"});
  EXPECT_EQ(done.exit, 0) << done;
  EXPECT_EQ(text(list(done.object(), "remotes").at(0).as_object(), "state"), "carried_out");
  EXPECT_FALSE(is_there("wait"));
  EXPECT_TRUE(is_there("creak"));
  EXPECT_EQ(verify().exit, 0);
}

TEST_F(Kept, OneKeeperWorksAtATimeAndAnotherGoesOnWhenItIsKilled) {
  auto first = std::make_unique<Serving>(one, option());
  ASSERT_TRUE(becomes_true([&] { return is_idle(*first); }));
  const Machine other;
  share_keyring(one, other);
  Serving second(other, option());
  const auto name = [](const Serving& serving) {
    const json::object said = report(serving);
    const json::object* keeper = find_object(said, "keeper");
    return keeper == nullptr ? std::string() : text(*keeper, "name");
  };
  EXPECT_EQ(name(second), name(*first)) << "the second reads what the first one said";
  EXPECT_THAT(second.errors(), Not(HasSubstr("keeping the web")));
  const std::string before = name(*first);
  first->kill(SIGKILL);
  EXPECT_TRUE(becomes_true([&] { return name(second) != before; }));
  EXPECT_THAT(second.errors(), HasSubstr("keeping the web"));
  two.ingests(short_session(kTwo, "why did it go?"));
  two.push("server");
  const Ran done = two({"forget", kTwo, "--remote", "server", "--yes"});
  EXPECT_EQ(done.exit, 0) << done << second.errors();
}

TEST_F(Kept, ARoleThatMayOnlyAddAnswersQuestionsAndLeavesTheKeepingToOthers) {
  const Serving adds(two, "--store '" + url_of(writer()) + "'");
  EXPECT_TRUE(becomes_true([&] { return adds.errors().contains("may not keep the web"); }));
  EXPECT_THAT(adds.get("/api/hello"), HasSubstr("HTTP/1.1 200 "));
  EXPECT_EQ(find_bool(report(adds), "is_kept"), false);
  const Serving serving(one, option());
  EXPECT_TRUE(becomes_true([&] { return is_idle(serving); }));
  EXPECT_EQ(find_bool(report(adds), "is_kept"), true) << "it reads what the keeper says";
}

TEST_F(Kept, AKeeperThatIsKilledAtAnyMomentLosesNothing) {
  const int rounds = test_is_long() ? 20 : 2;
  KillMoments moments(std::chrono::milliseconds(1'500));
  for (int i = 0; i < rounds; ++i) {
    SCOPED_TRACE(moments.trace());
    const std::string id = "33333333-3333-4333-8333-3333333333" + std::to_string(10 + i);
    const std::string word = "fleeting" + std::to_string(i) + schema->name();
    two.ingests(short_session(id, word));
    two.push("server");
    const Ran asked = two({"forget", id, "--remote", "server", "--wait", "0", "--yes"});
    EXPECT_EQ(asked.exit, 1) << asked;
    // Whose time is over at once, as if a while had passed since the last one was killed.
    run("UPDATE " + schema->name() + ".keeper SET until = 0");
    StdioClient killed(WEFT_BINARY,
                       {"serve", "--json", "--listen", "127.0.0.1:0", "--store", schema->text()},
                       one.environment);
    moments.strike(killed);
    run("UPDATE " + schema->name() + ".keeper SET until = 0");
    const Serving next(one, option());
    EXPECT_TRUE(becomes_true([&] { return !is_there(word) && !files_hold(word); }))
        << next.errors();
  }
  const Ran verified = verify();
  EXPECT_EQ(verified.exit, 0) << verified;
  EXPECT_TRUE(is_there("creak"));
}

}  // namespace
}  // namespace weft::test

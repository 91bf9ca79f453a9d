// A store on a PostgreSQL server, asked with --store: it answers as a file does.
#include "share_for_test.hpp"
#include "weft/base/file.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class OnAServer : public Sharing {
 protected:
  void SetUp() override {
    if (!schema) GTEST_SKIP() << "built without libpq";
  }
  // The answer of the store on the server.
  Ran there(std::vector<std::string> words) const {
    words.insert(words.end(), {"--store", schema->text()});
    return one(words);
  }
};

// Without what depends on where a store lies and when its tables were filled.
json::value comparable(json::value value) {
  if (json::object* object = value.if_object()) {
    for (const char* name : {"behind", "notes", "elapsed_ms", "next_cursor"}) object->erase(name);
    for (auto& member : *object) member.value() = comparable(member.value());
  } else if (json::array* array = value.if_array()) {
    for (json::value& one : *array) one = comparable(one);
  }
  return value;
}

TEST_F(OnAServer, TheSameQuestionsHaveTheSameAnswers) {
  one.ingests(long_session(kOne));
  one.ingests(short_session(kTwo, "why is the shuttle by the loom?"));
  one.push("server");
  // A push brings no key, so what is sealed is not in the index there.
  ASSERT_EQ(there({"reindex"}).exit, 0);
  std::vector<std::vector<std::string>> questions = {{"list"},    {"list", "--project", "looms"},
                                                     {"stats"},   {"cost", "--by", "session"},
                                                     {"secrets"}, {"verify", "--quick"}};
  for (const char* query :
       {"question", "answer 2", "\"question 3\"", "shuttle loom", "thinking", "listing -contents",
        "sh*", "con*", "+file question", "type:response answer", "tool:Bash ls", "loom OR listing",
        "nothing-of-this", "1", "because of why", "project:looms answer", "the"}) {
    questions.push_back({"search", query});
    questions.push_back({"search", query, "--limit", "2", "--offset", "1"});
  }
  for (const std::string& session : {kOne, kTwo}) {
    const std::string cid = cid_of(session);
    for (const char* command : {"walk", "why", "transcript", "read", "diff"}) {
      questions.push_back({command, cid});
    }
    questions.push_back({"walk", cid, "--outline"});
    questions.push_back({"connections", cid});
    questions.push_back({"get", cid});
  }
  ASSERT_GE(questions.size(), 50u);
  for (std::vector<std::string> words : questions) {
    SCOPED_TRACE(testing::PrintToString(words));
    words.push_back("--json");
    const Ran here = one(words), on_server = there(words);
    EXPECT_EQ(on_server.exit, here.exit) << on_server << here;
    EXPECT_EQ(canonical_json(comparable(parse_json(on_server.out)->value)),
              canonical_json(comparable(parse_json(here.out)->value)));
  }
}

TEST_F(OnAServer, IsWrittenToAndForgottenInDirectly) {
  const std::string path = place(one, kOne);
  append(path, long_session(kOne).text());
  ASSERT_EQ(there({"ingest", path}).exit, 0);
  EXPECT_EQ(there({"verify"}).exit, 0) << there({"verify"});
  EXPECT_EQ(there({"restore", path}).out, *read_file(path));
  const Ran ran = there({"forget", "last", "--yes"});
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_EQ(there({"search", "answer"}).exit, 1);
  const Ran verified = there({"verify"});
  EXPECT_EQ(verified.exit, 0) << verified;
  EXPECT_THAT(there({"ingest", path}).out, Not(HasSubstr("1 conversation ")));
}

TEST_F(OnAServer, SaysWhatIsWrongWithAUrlOrAServer) {
  const auto refused = [&](const std::string& url, int exit) {
    const Ran ran = one({"list", "--store", url});
    EXPECT_EQ(ran.exit, exit) << ran;
    return ran.err;
  };
  constexpr int kUsage = 2, kFailed = 3, kNotFound = 1;
  std::string err = refused("postgres://ada:hush-now@localhost/weft", kUsage);
  EXPECT_THAT(err, HasSubstr("PGPASSFILE"));
  EXPECT_THAT(err, Not(HasSubstr("hush-now")));
  EXPECT_THAT(refused("postgres://db.example.com/weft?sslmode=disable", kUsage), HasSubstr("TLS"));
  EXPECT_THAT(refused("mysql://localhost/weft", kUsage), HasSubstr("postgres://"));
  EXPECT_THAT(refused("postgres:///weft?host=" + one.path("nowhere"), kFailed),
              HasSubstr("cannot be reached"));
  EXPECT_THAT(refused(schema->text() + "&schema=not_there", kNotFound),
              HasSubstr("create one there"));
  EXPECT_THAT(there({"backup", one.path("copy.backup")}).err, HasSubstr("pg_dump"));
}

}  // namespace
}  // namespace weft::test

// weft itself, killed or cut off while it writes to a store on a server: the next run finishes what
// was begun, and a run after that finds nothing to do.
#include "acknowledged_for_test.hpp"
#include "kill_moments_for_test.hpp"
#include "message_proxy_for_test.hpp"
#include "share_for_test.hpp"
#include "start_for_test.hpp"

namespace weft::test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class ClientKilled : public Sharing {
 protected:
  void SetUp() override {
    if (!schema) GTEST_SKIP() << "built without libpq";
    for (int i = 0; i < 3; ++i) {
      sessions.push_back(std::to_string(i) + kOne.substr(1));
      paths.push_back(place(one, sessions.back()));
      append(paths.back(), long_session(sessions.back()).text());
    }
  }
  std::vector<std::string> ingest() const {
    std::vector<std::string> words = {"ingest"};
    words.insert(words.end(), paths.begin(), paths.end());
    words.insert(words.end(), {"--store", schema->text()});
    return words;
  }
  std::uint64_t new_thoughts() const {
    std::vector<std::string> words = ingest();
    words.emplace_back("--json");
    const Ran ran = one(words);
    EXPECT_EQ(ran.exit, 0) << ran;
    return static_cast<std::uint64_t>(number(ran.object(), "new_thoughts"));
  }

  std::size_t tips() const {
    const auto store = store::open_store(schema->text(), store::Create::no);
    return store ? (*store)->conversations({}).value().size() : 0;
  }

  std::vector<std::string> sessions, paths;
};

TEST_F(ClientKilled, AnIngestIntoAServerIsFinishedByTheNext) {
  KillMoments moments([&] { EXPECT_EQ(wait_for(start(one, ingest())), 0); });
  const Ran calm = one({"list", "--json", "--store", schema->text()});
  while (moments.goes_on(KillMoments::count() / 5)) {
    SCOPED_TRACE(moments.trace());
    schema->clear();
    moments.strike(start(one, ingest()));
    Acknowledged all;
    if (store::open_store(schema->text(), store::Create::no)) all.check(schema->text());
    new_thoughts();
    all.check(schema->text());
    EXPECT_EQ(new_thoughts(), 0u);
  }
  EXPECT_THAT(list(one({"list", "--json", "--store", schema->text()}).object(), "conversations"),
              SizeIs(list(calm.object(), "conversations").size()));
  EXPECT_GT(moments.killed(), 0);
}

// A push whose connection is cut: at seeded messages, and before the answer to its last COMMIT.
TEST_F(ClientKilled, APushThatIsCutOffIsFinishedByTheNext) {
  MessageProxy proxy(postgres::test_server().directory());
  for (const std::string& path : paths) ASSERT_EQ(one({"ingest", path}).exit, 0);
  one.has_remotes({{"server", schema->text()}, {"cut", schema->text(proxy.directory())}});
  proxy.count();
  one.push("cut");
  const std::int64_t messages = proxy.counted(MessageProxy::to_server);
  const unsigned seed = test_seed();
  std::mt19937 random(seed);
  for (int i = 0; i < (test_is_long() ? 60 : 4); ++i) {
    schema->clear();
    fs::remove_all(one.home() / "remotes");
    const bool is_after_commit = i % 4 == 3;
    const auto message = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(messages));
    SCOPED_TRACE("seed " + std::to_string(seed) + ", message " + std::to_string(message));
    if (is_after_commit) {
      // The first COMMIT of all makes the tables.
      ASSERT_TRUE(store::open_store(schema->text(), store::Create::yes));
      proxy.strike_after_commit();
    } else {
      proxy.strike_at(i % 2 == 0 ? MessageProxy::to_server : MessageProxy::to_client, message);
    }
    // Between two transactions a connection that was cut is opened again.
    const Ran cut = one({"push", "cut", "--yes"});
    if (is_after_commit) EXPECT_NE(cut.exit, 0) << cut;
    proxy.count();
    Acknowledged all;
    if (store::open_store(schema->text(), store::Create::no)) all.check(schema->text());
    if (cut.exit == 0) EXPECT_EQ(tips(), 3u);
    one.push("cut");
    EXPECT_EQ(tips(), 3u);
    EXPECT_THAT(list(one.push("cut"), "sent"), IsEmpty());
    EXPECT_THAT(list(one.push("server"), "sent"), IsEmpty());
    all.check(schema->text());
  }
}

}  // namespace
}  // namespace weft::test

// A server that no longer answers, and a writer that no longer asks: everybody else goes on within
// a limit, and is told why.
#include "own_server_for_test.hpp"
#include "program.hpp"
#include "weft/store/postgres/postgres_store.hpp"
#include "writers_for_test.hpp"

namespace weft::test {
namespace {

using namespace std::chrono_literals;

class FrozenServer : public testing::Test {
 protected:
  void SetUp() override {
    if (!postgres::is_built()) GTEST_SKIP() << "built without libpq";
  }
  std::unique_ptr<store::Store> open(const postgres::Limits& limits) const {
    auto store = store::sql::open_postgres_store(postgres::Url::parse(server_.url()).value(),
                                                 store::Create::yes, limits);
    EXPECT_TRUE(store) << store.error().message;
    return *std::move(store);
  }
  static std::string message_of(const auto& result) {
    EXPECT_FALSE(result);
    if (result) return {};
    EXPECT_EQ(result.error().code, ErrorCode::unavailable);
    return result.error().message;
  }

  const OwnServer server_;
};

// Once it goes on, the server may carry out what it was sent before: that was the same commit.
TEST_F(FrozenServer, AWriterGivesUpAndFindsItsCommitLater) {
  const auto store = open({.silence = 300ms});
  Acknowledged all;
  store::Talk talk("frozen");
  talk.says("before");
  ASSERT_TRUE(commit_surely(*store, talk.batch(), all));
  server_.freeze();
  talk.says("meanwhile");
  const store::Batch batch = talk.batch();
  const std::string message = message_of(store->writer().commit(batch));
  EXPECT_NE(message.find("no answer within 300 ms"), std::string::npos) << message;
  EXPECT_NE(message_of(store->conversations({})).find("no answer within"), std::string::npos);
  server_.thaw();
  ASSERT_TRUE(commit_surely(*store, batch, all));
  all.check(*store);
}

TEST_F(FrozenServer, WhoOpensItIsToldThatItDoesNotAnswer) {
  open({});
  server_.freeze();
  const auto refused = store::sql::open_postgres_store(postgres::Url::parse(server_.url()).value(),
                                                       store::Create::no, {.connect = 200ms});
  EXPECT_NE(message_of(refused).find("no answer within 200 ms"), std::string::npos);
  server_.thaw();
  open({});
}

// A machine that fell asleep in the middle of a write holds the lock of the web.
TEST_F(FrozenServer, AWriterThatSaysNothingLosesItsTurn) {
  const auto store = open({});
  const sql::Database asleep =
      postgres::open_database(postgres::Url::parse(server_.url()).value(), {.idle = 300ms}).value();
  auto transaction = sql::Transaction::begin(asleep, sql::TransactionKind::immediate).value();
  {
    sql::Rows rows = asleep.query("SELECT version FROM web FOR UPDATE");
    ASSERT_TRUE(rows.next());
  }
  Acknowledged all;
  store::Talk talk("awake");
  talk.says("something");
  const store::Batch batch = talk.batch();
  ASSERT_TRUE(store->writer().commit(batch));
  all.note(batch);
  const std::string message = message_of(transaction.commit());
  EXPECT_NE(message.find("nothing was sent for too long"), std::string::npos) << message;
  all.check(*store);
}

// What `weft` says with its own limits, which take their time.
TEST(FrozenServers, WeftSaysThatTheyDoNotAnswer) {
  if (!test_is_long()) GTEST_SKIP() << "it waits for ten seconds: ./test long";
  if (!postgres::is_built()) GTEST_SKIP() << "built without libpq";
  const OwnServer server;
  ASSERT_TRUE(store::open_store(server.url(), store::Create::yes));
  server.freeze();
  const Weft weft;
  const Ran ran = weft({"list", "--store", server.url()});
  server.thaw();
  EXPECT_EQ(ran.exit, 3) << ran;
  EXPECT_NE(ran.err.find("no answer within 10000 ms"), std::string::npos) << ran;
}

}  // namespace
}  // namespace weft::test

// A fault at each message of a write: the connection is cut on either way, or the server is killed.
// The write was made as a whole or not at all, whoever was told so finds it, and doing it again
// adds nothing. Usually a sample of the messages, all of them in `./test long`.
#include <random>

#include "message_proxy_for_test.hpp"
#include "own_server_for_test.hpp"
#include "weft/crypto/keyring.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "writers_for_test.hpp"

namespace weft::test {
namespace {

constexpr std::chrono::hours kLong{1};

enum class Fault { cut_on_the_way_there, cut_on_the_way_back, server_killed };

class CutMessages : public testing::TestWithParam<Fault> {
 protected:
  void SetUp() override {
    if (!postgres::is_built()) GTEST_SKIP() << "built without libpq";
    direct_ = store::open_store(server_.url(), store::Create::yes).value();
    proxied_ = store::open_store(OwnServer::url_of(proxy_.directory()), store::Create::no).value();
  }

  // Makes the fault at messages of `work`, which `prepare` precedes each time. `work` answers
  // whether it was acknowledged; `again` does it once more, as a client would.
  void sweep(const std::function<void()>& prepare, const std::function<bool()>& work,
             const std::function<void()>& again) {
    prepare();
    proxy_.count();
    ASSERT_TRUE(work());
    const MessageProxy::Way way = GetParam() == Fault::cut_on_the_way_back
                                      ? MessageProxy::to_client
                                      : MessageProxy::to_server;
    const std::int64_t messages = proxy_.counted(way);
    ASSERT_GT(messages, 20);
    const unsigned seed = test_seed();
    std::mt19937 random(seed);
    int struck = 0;
    for (const std::int64_t message : moments(messages, random)) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", message " + std::to_string(message) +
                   " of " + std::to_string(messages));
      prepare();
      proxy_.strike_at(way, message, [this] {
        if (GetParam() == Fault::server_killed) server_.kill();
      });
      const bool is_acknowledged = work();
      if (proxy_.has_struck() && GetParam() == Fault::server_killed) server_.start_again();
      struck += proxy_.has_struck() ? 1 : 0;
      if (is_acknowledged) EXPECT_TRUE(is_there()) << "it was acknowledged";
      proxy_.count();
      again();
      if (testing::Test::HasFailure()) return;
      EXPECT_TRUE(is_there());
      if (test_is_long() ? message % 16 == 0 : true) all_.note_log(*direct_);
    }
    EXPECT_GT(struck, 0);
    all_.check(*direct_);
  }
  // The last ones too: between them lies the end of the transaction.
  static std::vector<std::int64_t> moments(std::int64_t all, std::mt19937& random) {
    std::vector<std::int64_t> chosen;
    const bool is_dear = GetParam() == Fault::server_killed;
    if (test_is_long()) {
      for (std::int64_t i = 0; i < all; i += is_dear ? 8 : 1) chosen.push_back(i);
      return chosen;
    }
    for (int i = 0; i < (is_dear ? 2 : 8); ++i) {
      chosen.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(all)));
    }
    for (std::int64_t last = 1; last <= (is_dear ? 1 : 3); ++last) chosen.push_back(all - last);
    return chosen;
  }
  // Whether everything is there that the last write brought.
  bool is_there() const {
    for (const weave::CommitUnit& unit : batch_.units) {
      for (const thought::Thought& thought : unit.thoughts) {
        const auto found = direct_->has(thought.cid);
        if (!found || !*found) return false;
      }
    }
    return true;
  }
  static bool is_acknowledged(const auto& result) {
    if (!result) EXPECT_EQ(result.error().code, ErrorCode::unavailable) << result.error().message;
    return result.has_value();
  }
  void say_more(int blocks) {
    for (int i = 0; i < blocks; ++i) talk_.says("word" + std::to_string(++said_) + " common words");
    batch_ = talk_.batch();
  }

  const OwnServer server_;
  MessageProxy proxy_{server_.directory()};
  std::unique_ptr<store::Store> direct_, proxied_;
  Acknowledged all_;
  store::Talk talk_{"cut"};
  store::Batch batch_;
  int said_ = 0;
};

TEST_P(CutMessages, OfACommit) {
  sweep([this] { say_more(3); },
        [this] {
          const bool done = is_acknowledged(proxied_->writer().commit(batch_));
          if (done) all_.note(batch_);
          return done;
        },
        [this] { EXPECT_TRUE(commit_surely(*proxied_, batch_, all_)); });
}

// Seven runs of postings lie there, and the eighth commit merges them.
TEST_P(CutMessages, OfACommitThatMergesTheInvertedIndex) {
  const auto runs = [this] { return server_.ask("SELECT count(*) FROM web.index_runs"); };
  std::int64_t before = 0;
  const auto prepare = [&] {
    do {
      say_more(1);
      ASSERT_TRUE(commit_surely(*direct_, batch_, all_));
      before = runs();
    } while (before % 8 != 7);
    say_more(1);
  };
  prepare();
  ASSERT_TRUE(commit_surely(*direct_, batch_, all_));
  ASSERT_LT(runs(), before) << "the eighth commit merges";
  sweep(
      prepare,
      [this] {
        const bool done = is_acknowledged(proxied_->writer().commit(batch_));
        if (done) all_.note(batch_);
        return done;
      },
      [this] { EXPECT_TRUE(commit_surely(*proxied_, batch_, all_)); });
  const auto found = direct_->search({.query = search::parse_query("common")});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->total, static_cast<std::uint64_t>(said_)) << "each word is there once";
}

TEST_P(CutMessages, OfFillingLateTables) {
  for (int i = 0; i < 3; ++i) {
    say_more(5);
    ASSERT_TRUE(commit_surely(*direct_, batch_, all_));
  }
  const crypto::Keyring keyring =
      *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking);
  const auto fill = [&]() -> Result<bool> {
    while (true) {
      const Result<bool> more = proxied_->filling().fill(keyring, kLong);
      if (!more || !*more) return more;
    }
  };
  sweep([this] { ASSERT_TRUE(server_.open().script("UPDATE late_tables SET version = 0")); },
        [&] { return is_acknowledged(fill()); }, [&] { EXPECT_TRUE(fill()); });
  const auto progress = direct_->filling().progress();
  ASSERT_TRUE(progress);
  EXPECT_EQ(progress->done, progress->all);
}

// As a push to a store does it.
TEST_P(CutMessages, OfAnImport) {
  const store::Scratch scratch;
  const auto local = store::open_store((scratch.path() / "weft.db").string(), store::Create::yes);
  ASSERT_TRUE(local);
  std::vector<thought::Thought> thoughts;
  const auto import = [&] { return proxied_->writer().import(thoughts, {}); };
  sweep(
      [&] {
        say_more(3);
        ASSERT_TRUE((*local)->writer().commit(batch_));
        thoughts = store::all_of(**local, talk_.cid());
      },
      [&] {
        const bool done = is_acknowledged(import());
        if (done) all_.note(batch_);
        return done;
      },
      [&] {
        EXPECT_TRUE(import());
        all_.note(batch_);
        const auto once_more = import();
        ASSERT_TRUE(once_more) << once_more.error().message;
        EXPECT_EQ(once_more->new_thoughts, 0u);
      });
}

INSTANTIATE_TEST_SUITE_P(Faults, CutMessages,
                         testing::Values(Fault::cut_on_the_way_there, Fault::cut_on_the_way_back,
                                         Fault::server_killed),
                         [](const auto& test) {
                           switch (test.param) {
                             case Fault::cut_on_the_way_there: return "CutOnTheWayThere";
                             case Fault::cut_on_the_way_back: return "CutOnTheWayBack";
                             case Fault::server_killed: break;
                           }
                           return "ServerKilled";
                         });

class CutAfterCommit : public CutMessages {};

// The answer to COMMIT is lost: nobody knows whether it was made, and it was.
TEST_P(CutAfterCommit, TheRetryFindsItThereAndAddsNothing) {
  say_more(3);
  proxy_.strike_after_commit();
  const auto committed = proxied_->writer().commit(batch_);
  ASSERT_TRUE(proxy_.has_struck());
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().code, ErrorCode::unavailable);
  EXPECT_NE(committed.error().message.find("whether it was committed is not known"),
            std::string::npos)
      << committed.error().message;
  EXPECT_TRUE(is_there());
  const auto log = direct_->audit().checkpoint_log().value();
  EXPECT_EQ(proxied_->writer().commit(batch_).error().code, ErrorCode::conflict)
      << "whoever weaves again finds it";
  const auto imported =
      proxied_->writer().import(store::all_of(*direct_, talk_.cid()), store::Indexer{});
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->new_thoughts, 0u);
  EXPECT_EQ(direct_->audit().checkpoint_log().value(), log);
  all_.note(batch_);
  all_.check(*direct_);
}

INSTANTIATE_TEST_SUITE_P(Once, CutAfterCommit, testing::Values(Fault::cut_on_the_way_back),
                         [](const auto&) { return "CutOnTheWayBack"; });

}  // namespace
}  // namespace weft::test

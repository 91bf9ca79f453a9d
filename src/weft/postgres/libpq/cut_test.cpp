// A connection that is cut at any byte of a transaction: all of it was committed, or nothing.
#include <gtest/gtest.h>

#include <string>

#include "weft/postgres/database.hpp"
#include "weft/postgres/libpq/proxy_for_test.hpp"
#include "weft/postgres/postgres_for_test.hpp"

namespace weft::postgres {
namespace {

using sql::Database;
using sql::Rows;
using sql::Transaction;

constexpr std::int64_t kRows = 3;

class PostgresCut : public testing::TestWithParam<Proxy::Way> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(direct_.script("CREATE TABLE words(id bigint PRIMARY KEY, word text)"));
  }

  // Rows `id`, `id` + 1 and `id` + 2, as they were not there; a question stands among them.
  static Status add_rows(const Database& database, std::int64_t id) {
    Result<Transaction> transaction = Transaction::begin(database, sql::TransactionKind::immediate);
    if (!transaction) return fail(transaction.error());
    for (std::int64_t i = 0; i < kRows; ++i) {
      const Status status = database.run(
          "INSERT INTO words VALUES (?, 'one of three') ON CONFLICT DO NOTHING", id + i);
      if (!status) return status;
      if (i > 0) continue;
      Rows rows = database.query("SELECT word FROM words WHERE id = ?", id);
      if (!rows.next()) return rows.status();
    }
    return transaction->commit();
  }
  std::int64_t count_rows(std::int64_t id) const {
    Rows rows =
        direct_.query("SELECT count(*) FROM words WHERE id >= ?1 AND id < ?1 + ?2", id, kRows);
    return rows.next() ? rows.integer(0) : -1;
  }

  TestSchema schema_;
  Database direct_ = open_database(schema_.url()).value();
  Proxy proxy_;
};

TEST_P(PostgresCut, NeverLeavesHalfATransaction) {
  const Proxy::Way way = GetParam();
  const Url url = Url::parse(schema_.text(proxy_.directory())).value();
  std::int64_t all = 0;
  {
    const Database database = open_database(url).value();
    all = -proxy_.passed(way);
    ASSERT_TRUE(add_rows(database, 1'000'000));
    all += proxy_.passed(way);
  }
  ASSERT_GT(all, 100);

  const std::int64_t step = test_is_long() ? 1 : 17;
  int committed = 0, failed = 0;
  for (std::int64_t bytes = 1; bytes <= all + step; bytes += step) {
    SCOPED_TRACE("cut after " + std::to_string(bytes) + " of " + std::to_string(all) + " bytes");
    const std::int64_t id = 10 * bytes;
    proxy_.pass_all();
    const Database database = open_database(url).value();
    proxy_.cut_after(way, bytes);
    const Status status = add_rows(database, id);
    const std::int64_t there = count_rows(id);
    ++(status ? committed : failed);
    if (status) {
      EXPECT_EQ(there, kRows) << "what was acknowledged is there";
    } else {
      EXPECT_EQ(status.error().code, ErrorCode::unavailable) << status.error().message;
      EXPECT_TRUE(there == 0 || there == kRows) << there;
    }
    proxy_.pass_all();
    EXPECT_TRUE(add_rows(database, id)) << "doing it again does no harm";
    EXPECT_EQ(count_rows(id), kRows);
  }
  EXPECT_GT(failed, 10);
  EXPECT_GT(committed, 0);
}

INSTANTIATE_TEST_SUITE_P(Ways, PostgresCut, testing::Values(Proxy::to_server, Proxy::to_client),
                         [](const auto& test) {
                           return test.param == Proxy::to_server ? "ToServer" : "ToClient";
                         });

}  // namespace
}  // namespace weft::postgres

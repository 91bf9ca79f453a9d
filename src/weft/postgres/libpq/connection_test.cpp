#include "weft/postgres/libpq/connection.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>

#include "weft/postgres/database.hpp"
#include "weft/postgres/libpq/proxy_for_test.hpp"
#include "weft/postgres/postgres_for_test.hpp"

namespace weft::postgres {
namespace {

using namespace std::chrono_literals;
using sql::Database;
using sql::Rows;
using sql::Transaction;
using sql::TransactionKind;

class PostgresConnection : public testing::Test {
 protected:
  void SetUp() override {
    database_.emplace(open_database(schema_.url()).value());
    ASSERT_TRUE(database_->script("CREATE TABLE words(id bigint PRIMARY KEY, word text)"));
  }

  Database open(const std::string& text, const Limits& limits = {}) const {
    return open_database(Url::parse(text).value(), limits).value();
  }
  Result<Database> try_open(const std::string& text, const Limits& limits = {}) const {
    return open_database(Url::parse(text).value(), limits);
  }
  static Status add(const Database& database, std::int64_t id) {
    return database.run("INSERT INTO words VALUES (?, 'word')", id);
  }
  static Transaction begin(const Database& database,
                           TransactionKind kind = TransactionKind::immediate) {
    return Transaction::begin(database, kind).value();
  }
  // What the rows of a query end with.
  static Error end_of(Rows rows) {
    while (rows.next()) {
    }
    return rows.status() ? Error{} : rows.status().error();
  }
  static std::string text_of(Rows rows) {
    return rows.next() ? std::string(rows.bytes(0)) : rows.status().error().message;
  }
  static std::int64_t count(const Database& database) {
    Rows rows = database.query("SELECT count(*) FROM words");
    return rows.next() ? rows.integer(0) : -1;
  }

  TestSchema schema_;
  std::optional<Database> database_;
};

TEST_F(PostgresConnection, AFailureThatWasSentAheadIsReportedByTheNextQueryWithItsCause) {
  const Transaction transaction = begin(*database_);
  ASSERT_TRUE(add(*database_, 1));
  ASSERT_TRUE(add(*database_, 1)) << "it is only sent";
  ASSERT_TRUE(add(*database_, 2));
  const Error first = end_of(database_->query("SELECT word FROM words"));
  EXPECT_EQ(first.code, ErrorCode::internal);
  EXPECT_EQ(first.message, "PostgreSQL: 23505");
  EXPECT_EQ(end_of(database_->query("SELECT id FROM words")).message, first.message)
      << "not that the transaction is aborted";
  EXPECT_EQ(add(*database_, 3).error().message, first.message);
}

TEST_F(PostgresConnection, AStatementThatCouldNotBePreparedIsPreparedLater) {
  const auto ask = [&] { return database_->query("SELECT count(*) FROM later"); };
  EXPECT_EQ(end_of(ask()).code, ErrorCode::not_found);
  {
    const Transaction transaction = begin(*database_);
    std::ignore = database_->run("INSERT INTO missing VALUES (?)", 1);
    EXPECT_EQ(end_of(ask()).code, ErrorCode::not_found);
  }
  ASSERT_TRUE(database_->script("CREATE TABLE later(id bigint)"));
  EXPECT_EQ(end_of(ask()).message, "");
}

TEST_F(PostgresConnection, MoreStatementsThanAreSentAheadAreAllThere) {
  Transaction transaction = begin(*database_);
  const std::string large(3 << 20, 'x');
  for (std::int64_t i = 0; i < 8; ++i) {
    ASSERT_TRUE(database_->run("INSERT INTO words VALUES (?, ?)", i, std::string_view(large)));
  }
  for (std::int64_t i = 8; i < 2500; ++i) ASSERT_TRUE(add(*database_, i));
  ASSERT_TRUE(transaction.commit());
  EXPECT_EQ(count(*database_), 2500);
}

TEST_F(PostgresConnection, AMissingTableSaysThatThereIsNoWeb) {
  const Error error = end_of(database_->query("SELECT id FROM thoughts"));
  EXPECT_EQ(error.code, ErrorCode::not_found);
  EXPECT_NE(error.message.find("there is no web in this schema"), std::string::npos)
      << error.message;
}

TEST_F(PostgresConnection, NamesAreLookedUpInItsSchemaOnly) {
  const TestSchema other;
  const Database there = open(other.text());
  EXPECT_EQ(end_of(there.query("SELECT id FROM words")).code, ErrorCode::not_found);
  EXPECT_EQ(text_of(there.query("SELECT current_setting('search_path')")),
            '"' + other.name() + '"');
}

TEST_F(PostgresConnection, Security7ARoleWithoutRightsIsDenied) {
  const std::string role = schema_.name() + "_role";
  const std::string create = "CREATE ROLE " + role + " LOGIN; ALTER ROLE " + role +
                             " SET synchronous_commit = off; GRANT USAGE ON SCHEMA " +
                             schema_.name() + " TO " + role;
  ASSERT_TRUE(database_->script(create.c_str()));
  {
    std::string text = schema_.text();
    const Database poor = open(text.replace(text.find("weft@"), 4, role));
    EXPECT_EQ(end_of(poor.query("SELECT id FROM words")).code, ErrorCode::denied);
    EXPECT_EQ(text_of(poor.query("SELECT current_setting('synchronous_commit')")), "on")
        << "what is acknowledged is on disk";
  }
  const std::string drop = "DROP OWNED BY " + role + "; DROP ROLE " + role;
  EXPECT_TRUE(database_->script(drop.c_str()));
  std::string text = schema_.text();
  EXPECT_EQ(try_open(text.replace(text.find("weft@"), 4, "nobody")).error().code,
            ErrorCode::denied);
}

TEST_F(PostgresConnection, WhatCannotBeConnectedToSaysWhy) {
  std::string text = schema_.text();
  const Error missing = try_open(text.replace(text.find("/weft?"), 5, "/lost")).error();
  EXPECT_EQ(missing.code, ErrorCode::not_found);
  EXPECT_NE(missing.message.find("connecting to postgres://"), std::string::npos)
      << missing.message;
  EXPECT_EQ(try_open("postgres:///weft?host=/nowhere").error().code, ErrorCode::unavailable);
}

TEST_F(PostgresConnection, OfSeveralHostsTheFirstThatIsThereIsUsed) {
  std::string host = test_server().directory();
  for (std::size_t at = 0; (at = host.find('/', at)) != host.npos;) host.replace(at, 1, "%2F");
  const Database database =
      open("postgres://weft@%2Fnowhere," + host + "/weft?schema=" + schema_.name());
  EXPECT_EQ(count(database), 0);
}

TEST_F(PostgresConnection, ADeferredTransactionDoesNotWrite) {
  const Transaction transaction = begin(*database_, TransactionKind::deferred);
  ASSERT_TRUE(add(*database_, 1));
  EXPECT_EQ(end_of(database_->query("SELECT id FROM words")).code, ErrorCode::denied);
}

TEST_F(PostgresConnection, ALockIsWaitedForWithinTheLimit) {
  ASSERT_TRUE(add(*database_, 1));
  const Database other = open(schema_.text(), {.lock = 10ms});
  const Transaction holding = begin(*database_);
  ASSERT_EQ(end_of(database_->query("SELECT id FROM words FOR UPDATE")).message, "");
  const Transaction waiting = begin(other);
  const Error error = end_of(other.query("SELECT id FROM words FOR UPDATE"));
  EXPECT_EQ(error.code, ErrorCode::unavailable);
  EXPECT_NE(error.message.find("another writer"), std::string::npos) << error.message;
}

TEST_F(PostgresConnection, AStatementThatTakesTooLongIsEndedByTheServer) {
  const Database hasty = open(schema_.text(), {.statement = 10ms});
  EXPECT_EQ(end_of(hasty.query("SELECT CAST(pg_sleep(60) AS text)")).code, ErrorCode::unavailable);
  EXPECT_EQ(count(hasty), 0) << "the connection goes on";
}

TEST_F(PostgresConnection, AServerThatFallsSilentIsLeft) {
  Proxy proxy;
  const Database database = open(schema_.text(proxy.directory()), {.silence = 20ms});
  ASSERT_EQ(count(database), 0);
  proxy.fall_silent();
  const Error error = end_of(database.query("SELECT id FROM words"));
  EXPECT_EQ(error.code, ErrorCode::unavailable);
  EXPECT_NE(error.message.find("no answer within 20 ms"), std::string::npos) << error.message;

  const Error connecting = try_open(schema_.text(proxy.directory()), {.connect = 20ms}).error();
  EXPECT_EQ(connecting.code, ErrorCode::unavailable);
}

TEST_F(PostgresConnection, AConnectionThatWasLostBetweenTransactionsIsOpenedAgain) {
  Proxy proxy;
  const Database database = open(schema_.text(proxy.directory()));
  ASSERT_TRUE(add(database, 1));
  proxy.cut();
  EXPECT_EQ(count(database), 1);
  proxy.cut();
  ASSERT_TRUE(add(database, 2));
  proxy.cut();
  {
    Transaction transaction = begin(database);
    ASSERT_TRUE(add(database, 3));
    ASSERT_TRUE(transaction.commit());
  }
  EXPECT_EQ(count(*database_), 3);
}

TEST_F(PostgresConnection, AConnectionThatIsLostWithinATransactionFailsIt) {
  Proxy proxy;
  const Database database = open(schema_.text(proxy.directory()));
  {
    Transaction transaction = begin(database);
    ASSERT_TRUE(add(database, 1));
    ASSERT_EQ(count(database), 1);
    proxy.cut();
    EXPECT_EQ(end_of(database.query("SELECT id FROM words")).code, ErrorCode::unavailable);
    EXPECT_EQ(add(database, 2).error().code, ErrorCode::unavailable) << "no new connection";
    EXPECT_EQ(transaction.commit().error().code, ErrorCode::unavailable);
  }
  EXPECT_EQ(count(*database_), 0);
  EXPECT_TRUE(add(database, 3)) << "the next transaction has a new connection";
  EXPECT_EQ(count(*database_), 1);
}

TEST_F(PostgresConnection, AColumnThatIsReadAsWhatItIsNotFailsTheRows) {
  ASSERT_TRUE(add(*database_, 1));
  Rows rows = database_->query("SELECT word, id FROM words");
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.integer(0), 0);
  EXPECT_FALSE(rows.next());
  EXPECT_EQ(rows.status().error().code, ErrorCode::internal);
}

TEST_F(PostgresConnection, IntegersOfEveryKindAreRead) {
  Rows rows = database_->query(
      "SELECT CAST(-2 AS smallint), CAST(-70000 AS integer), true, 1 = 2, CAST(-12345678901234567 "
      "AS "
      "numeric), CAST(9223372036854775807 AS numeric), CAST(-9223372036854775808 AS numeric), "
      "CAST(0 "
      "AS numeric), CAST(100000000 AS numeric), CAST('7.00' AS numeric)");
  ASSERT_TRUE(rows.next()) << rows.status().error().message;
  EXPECT_EQ(rows.integer(0), -2);
  EXPECT_EQ(rows.integer(1), -70000);
  EXPECT_EQ(rows.integer(2), 1);
  EXPECT_EQ(rows.integer(3), 0);
  EXPECT_EQ(rows.integer(4), -12345678901234567);
  EXPECT_EQ(rows.integer(5), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(rows.integer(6), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(rows.integer(7), 0);
  EXPECT_EQ(rows.integer(8), 100000000);
  EXPECT_EQ(rows.integer(9), 7);
  EXPECT_FALSE(rows.next());
  EXPECT_TRUE(rows.status());

  for (const std::string_view odd : {"0.5", "9223372036854775808", "1e30", "NaN"}) {
    Rows one = database_->query("SELECT CAST(? AS text)::numeric", odd);
    ASSERT_TRUE(one.next());
    EXPECT_EQ(one.integer(0), 0) << odd;
    EXPECT_FALSE(one.next());
    EXPECT_FALSE(one.status()) << odd;
  }
}

}  // namespace
}  // namespace weft::postgres

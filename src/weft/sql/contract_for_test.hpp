// The contract of every database behind sql::Database. Each of them includes this file in one test
// and instantiates the suite with a Backend of its own.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "weft/sql/database.hpp"

namespace weft::sql {

// Opens one more connection to a database that was made for one test.
using OpenAgain = std::function<Result<Database>()>;

struct Backend {
  std::string name;
  std::function<OpenAgain()> make_database;  // an empty one
};
inline void PrintTo(const Backend& backend, std::ostream* out) { *out << backend.name; }

class DatabaseContract : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    open_ = GetParam().make_database();
    database_.emplace(connect());
    ASSERT_TRUE(run_script(*database_,
                           "CREATE TABLE words(id bigint PRIMARY KEY, word text, bytes "
                           "bytea); CREATE TABLE facts(id bigint, fact bigint)"));
  }

  Database connect() const {
    Result<Database> database = open_();
    if (!database) throw std::runtime_error(database.error().message);
    return std::move(*database);
  }
  static bool run_script(const Database& database, const char* sql) {
    const Status status = database.script(sql);
    EXPECT_TRUE(status) << status.error().message;
    return status.has_value();
  }
  static Status add(const Database& database, std::int64_t id, std::string_view word) {
    return database.run("INSERT INTO words(id, word) VALUES (?, ?)", id, word);
  }
  // The words in the order of their ids, and "-" for NULL; `failed: …` if they cannot be read.
  static std::string words(const Database& database) {
    std::string all;
    Rows rows = database.query("SELECT word FROM words ORDER BY id");
    while (rows.next()) all += std::string(rows.find_bytes(0).value_or("-")) + " ";
    return rows.status() ? all : "failed: " + rows.status().error().message;
  }
  static Transaction begin(const Database& database, TransactionKind kind) {
    return Transaction::begin(database, kind).value();
  }

  OpenAgain open_;
  std::optional<Database> database_;
};

TEST_P(DatabaseContract, ValuesComeBackAsTheyWereBound) {
  using Limits = std::numeric_limits<std::int64_t>;
  const std::string_view zeros("\0a\0\xff\0", 5);
  const std::vector<std::int64_t> integers = {0, -1, 1, 1LL << 40, Limits::min(), Limits::max()};
  std::int64_t id = 0;
  for (const std::int64_t integer : integers) {
    ASSERT_TRUE(database_->run("INSERT INTO facts VALUES (?, ?)", ++id, integer));
  }
  ASSERT_TRUE(database_->run("INSERT INTO words VALUES (?, ?, ?)", 1, "h\xc3\xa9ron 'x' ? $1 \\",
                             Blob{zeros}));
  ASSERT_TRUE(database_->run("INSERT INTO words VALUES (?, ?, ?)", 2, "", Blob{""}));
  ASSERT_TRUE(database_->run("INSERT INTO words VALUES (?, ?, ?)", 3,
                             std::optional<std::string_view>(), std::optional<Blob>()));

  Rows facts = database_->query("SELECT fact FROM facts ORDER BY id");
  for (const std::int64_t integer : integers) {
    ASSERT_TRUE(facts.next());
    EXPECT_EQ(facts.integer(0), integer);
  }
  EXPECT_FALSE(facts.next());
  EXPECT_TRUE(facts.status());

  Rows rows = database_->query("SELECT word, bytes FROM words ORDER BY id");
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.bytes(0), "h\xc3\xa9ron 'x' ? $1 \\");
  EXPECT_EQ(rows.bytes(1), zeros);
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.find_bytes(0), "") << "empty text is not NULL";
  EXPECT_EQ(rows.find_bytes(1), "") << "an empty blob is not NULL";
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.find_bytes(0), std::nullopt);
  EXPECT_EQ(rows.find_bytes(1), std::nullopt);
  EXPECT_EQ(rows.bytes(1), "");
  EXPECT_FALSE(rows.next());
  EXPECT_TRUE(rows.status());
}

TEST_P(DatabaseContract, AStatementTakesNullAndValuesInAnyOrder) {
  for (const std::int64_t id : {1, 2, 3, 4, 5, 6}) {
    const auto word = id % 2 == 0 ? std::optional<std::string_view>("even") : std::nullopt;
    const auto bytes = id % 3 == 0 ? std::optional<Blob>(Blob{"three"}) : std::nullopt;
    ASSERT_TRUE(database_->run("INSERT INTO words VALUES (?, ?, ?)", id, word, bytes));
  }
  Rows rows = database_->query("SELECT count(word), count(bytes), sum(id) FROM words");
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.integer(0), 3);
  EXPECT_EQ(rows.integer(1), 2);
  EXPECT_EQ(rows.integer(2), 21) << "a sum of integers is an integer";
}

TEST_P(DatabaseContract, NoRowsAreNoFailure) {
  Rows rows = database_->query("SELECT id, word FROM words");
  EXPECT_FALSE(rows.next());
  EXPECT_FALSE(rows.next());
  EXPECT_TRUE(rows.status());
  EXPECT_EQ(rows.integer(0), 0);
  EXPECT_EQ(rows.find_integer(0), std::nullopt);
  EXPECT_EQ(rows.bytes(1), "");
}

TEST_P(DatabaseContract, AParameterWithANumberIsUsedTwice) {
  ASSERT_TRUE(add(*database_, 7, "seven"));
  Rows rows = database_->query(
      "SELECT '?', word, ?2 /* ? */ FROM words WHERE id = ?1 AND id + 1 = ?1 + 1 -- ?", 7, 9);
  ASSERT_TRUE(rows.next()) << rows.status().error().message;
  EXPECT_EQ(rows.bytes(0), "?");
  EXPECT_EQ(rows.bytes(1), "seven");
  EXPECT_EQ(rows.integer(2), 9);
}

TEST_P(DatabaseContract, RowsAreReadWhileOtherStatementsRun) {
  for (const std::int64_t id : {1, 2, 3}) ASSERT_TRUE(add(*database_, id, "word"));
  std::vector<std::int64_t> seen;
  Rows rows = database_->query("SELECT id FROM words ORDER BY id");
  while (rows.next()) {
    const std::int64_t id = rows.integer(0);
    ASSERT_TRUE(database_->run("INSERT INTO facts VALUES (?, ?)", id, id * id));
    Rows fact = database_->query("SELECT fact FROM facts WHERE id = ?", id);
    ASSERT_TRUE(fact.next());
    seen.push_back(fact.integer(0));
    EXPECT_EQ(rows.integer(0), id) << "the row is still the same";
  }
  EXPECT_EQ(seen, (std::vector<std::int64_t>{1, 4, 9}));
}

TEST_P(DatabaseContract, RowsThatWereNotReadToTheEndAreLeft) {
  for (const std::int64_t id : {1, 2, 3}) ASSERT_TRUE(add(*database_, id, "word"));
  for (int i = 0; i < 3; ++i) {
    Rows rows = database_->query("SELECT id FROM words ORDER BY id");
    ASSERT_TRUE(rows.next());
    EXPECT_EQ(rows.integer(0), 1);
  }
}

TEST_P(DatabaseContract, LargeValuesAndManyRows) {
  std::string large(20 << 20, '\0');
  for (std::size_t i = 0; i < large.size(); i += 4093) large[i] = static_cast<char>(i);
  ASSERT_TRUE(database_->run("INSERT INTO words(id, bytes) VALUES (?, ?)", 1, Blob{large}));
  Rows rows = database_->query("SELECT bytes FROM words");
  ASSERT_TRUE(rows.next());
  EXPECT_TRUE(rows.bytes(0) == large);

  {
    Transaction transaction = begin(*database_, TransactionKind::immediate);
    for (std::int64_t i = 0; i < 20'000; ++i) {
      ASSERT_TRUE(database_->run("INSERT INTO facts VALUES (?, ?)", i, 3 * i));
    }
    ASSERT_TRUE(transaction.commit());
  }
  std::int64_t count = 0;
  Rows facts = database_->query("SELECT id, fact FROM facts ORDER BY id");
  for (; facts.next(); ++count) {
    ASSERT_EQ(facts.integer(0), count);
    ASSERT_EQ(facts.integer(1), 3 * count);
  }
  EXPECT_EQ(count, 20'000);
}

TEST_P(DatabaseContract, ChangesCountsTheRowsOfTheLastStatement) {
  EXPECT_TRUE(add(*database_, 1, "one"));
  EXPECT_EQ(database_->changes(), 1);
  constexpr auto add_once = [](const Database& database, std::int64_t id) {
    return database.run("INSERT INTO words(id, word) VALUES (?, 'new') ON CONFLICT DO NOTHING", id);
  };
  ASSERT_TRUE(add_once(*database_, 1));
  EXPECT_EQ(database_->changes(), 0);
  Transaction transaction = begin(*database_, TransactionKind::immediate);
  ASSERT_TRUE(add_once(*database_, 2));
  EXPECT_EQ(database_->changes(), 1);
  ASSERT_TRUE(database_->run("UPDATE words SET word = 'both' WHERE id > ?", 0));
  EXPECT_EQ(database_->changes(), 2);
  ASSERT_TRUE(database_->run("DELETE FROM words WHERE id = ?", 99));
  EXPECT_EQ(database_->changes(), 0);
}

TEST_P(DatabaseContract, WhatIsCommittedIsThereForOthers) {
  const Database other = connect();
  {
    Transaction transaction = begin(*database_, TransactionKind::immediate);
    ASSERT_TRUE(add(*database_, 1, "one"));
    EXPECT_EQ(words(*database_), "one ");
    EXPECT_EQ(words(other), "");
    ASSERT_TRUE(transaction.commit());
  }
  EXPECT_EQ(words(other), "one ");
}

TEST_P(DatabaseContract, WhatIsNotCommittedIsUndone) {
  {
    Transaction transaction = begin(*database_, TransactionKind::immediate);
    ASSERT_TRUE(add(*database_, 1, "one"));
  }
  EXPECT_EQ(words(*database_), "");
  {
    Transaction transaction = begin(*database_, TransactionKind::immediate);
    ASSERT_TRUE(add(*database_, 1, "again"));
    ASSERT_TRUE(transaction.commit());
  }
  EXPECT_EQ(words(*database_), "again ");
}

TEST_P(DatabaseContract, AFailureWithinATransactionLeavesNothingOfIt) {
  ASSERT_TRUE(add(*database_, 1, "one"));
  {
    Transaction transaction = begin(*database_, TransactionKind::immediate);
    ASSERT_TRUE(add(*database_, 2, "two"));
    Status status = add(*database_, 1, "hidden-value");  // or the commit fails
    if (status) status = add(*database_, 3, "three");
    if (status) status = transaction.commit();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::internal);
    EXPECT_EQ(status.error().message.find("hidden-value"), std::string::npos)
        << "values are transcript text: " << status.error().message;
  }
  EXPECT_EQ(words(*database_), "one ");
  EXPECT_TRUE(add(*database_, 2, "two")) << "the connection goes on";
  EXPECT_EQ(words(*database_), "one two ");
}

TEST_P(DatabaseContract, AFailureThatNobodyAskedAboutEndsWithItsTransaction) {
  ASSERT_TRUE(add(*database_, 1, "one"));
  {
    const Transaction transaction = begin(*database_, TransactionKind::immediate);
    std::ignore = add(*database_, 1, "again");
  }
  EXPECT_TRUE(add(*database_, 2, "two"));
  EXPECT_EQ(words(*database_), "one two ");
}

TEST_P(DatabaseContract, AFailureOutsideATransactionIsReportedAtOnce) {
  ASSERT_TRUE(add(*database_, 1, "one"));
  const Status status = add(*database_, 1, "again");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::internal);
  Rows rows = database_->query("SELECT id FROM nowhere");
  EXPECT_FALSE(rows.next());
  EXPECT_FALSE(rows.status());
  EXPECT_FALSE(database_->script("SELECT 1; SELECT id FROM nowhere"));
  EXPECT_EQ(words(*database_), "one ");
}

TEST_P(DatabaseContract, ADeferredTransactionReadsOneState) {
  const Database other = connect();
  ASSERT_TRUE(add(*database_, 1, "one"));
  {
    Transaction transaction = begin(*database_, TransactionKind::deferred);
    EXPECT_EQ(words(*database_), "one ");
    ASSERT_TRUE(add(other, 2, "two"));
    EXPECT_EQ(words(*database_), "one ");
    Transaction part = begin(*database_, TransactionKind::deferred);
    EXPECT_EQ(words(*database_), "one ");
    EXPECT_TRUE(part.commit());
    EXPECT_EQ(words(*database_), "one ") << "the outer one goes on";
  }
  EXPECT_EQ(words(*database_), "one two ");
}

TEST_P(DatabaseContract, AWriterSeesWhatOthersCommittedBeforeIt) {
  const Database other = connect();
  ASSERT_TRUE(add(other, 1, "one"));
  Transaction transaction = begin(*database_, TransactionKind::immediate);
  EXPECT_EQ(words(*database_), "one ");
  const Result<Transaction> inner = Transaction::begin(*database_, TransactionKind::immediate);
  ASSERT_FALSE(inner) << "a transaction for writing is no part of another one";
  EXPECT_EQ(inner.error().code, ErrorCode::internal);
}

TEST_P(DatabaseContract, AMovedTransactionIsOne) {
  std::optional<Transaction> kept;
  {
    Transaction transaction = begin(*database_, TransactionKind::immediate);
    ASSERT_TRUE(add(*database_, 1, "one"));
    kept.emplace(std::move(transaction));
  }
  EXPECT_TRUE(kept->commit());
  EXPECT_EQ(words(*database_), "one ");
}

}  // namespace weft::sql

// sql::Connection on a server, in pipeline mode. See postgres/database.hpp for what it promises.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>

#include "weft/postgres/libpq/prepared.hpp"
#include "weft/postgres/libpq/session.hpp"
#include "weft/sql/database.hpp"

namespace weft::postgres {

class Connection final : public sql::Connection {
 public:
  Connection(Url url, const Limits& limits)
      : url_(std::move(url)),
        limits_(limits),
        limit_idle_("SET LOCAL idle_in_transaction_session_timeout = " +
                    std::to_string(limits.idle.count())) {}
  Status open();

  sql::Rows query(sql::Sql sql, std::span<const sql::Value> values) override;
  Status run(sql::Sql sql, std::span<const sql::Value> values) override;
  Status script(const char* sql) override;
  std::int64_t changes() override;

  bool is_in_transaction() const override { return is_in_transaction_; }
  Status begin(sql::TransactionKind kind) override;
  Status commit() override;
  void roll_back() override;

 private:
  // A message that was sent, whose result was not read yet.
  struct Sent {
    enum class What { statement, preparation, sync, sync_after_roll_back };
    What what;
    PreparedStatement* prepared = nullptr;  // of a preparation
  };

  // Before a statement: the failure of the transaction; outside of one, opens a session if there is
  // none.
  Status make_ready();
  Status send(sql::Sql sql, std::span<const sql::Value> values);
  Status send_plain(const char* sql);
  Status send_preparation(PreparedStatement& statement);
  Status send_sync(Sent::What what);
  // Waits for all results. The last statement's; the first failure.
  Result<ResultPtr> finish();
  // The result of what was sent first.
  Status take(ResultPtr result);
  void note_changes(const PGresult* result);
  // Runs `sql`, which may be several statements, outside of pipeline mode.
  Status run_simply(const char* sql);
  Error lose(Error error);
  Error lose() { return lose(lost()); }
  Error lost() const;
  // The transaction fails with the first failure in it.
  std::unexpected<Error> failed(Error error);

  const Url url_;
  const Limits limits_;
  const std::string limit_idle_;    // the statement that does it
  std::optional<Session> session_;  // none while the connection is lost
  PreparedStatements prepared_;
  std::deque<Sent> sent_;
  std::size_t bytes_ahead_ = 0, statements_ahead_ = 0;  // since the last sync
  ResultPtr last_;                                      // of the statements whose results were read
  std::optional<Error> error_;                          // the first of them that failed
  std::optional<Error> failure_;                        // of the transaction
  bool is_in_transaction_ = false;
  std::int64_t changes_ = 0;
};

}  // namespace weft::postgres

#include "weft/postgres/libpq/connection.hpp"

#include <array>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "weft/base/try.hpp"
#include "weft/postgres/error.hpp"
#include "weft/postgres/libpq/functions.hpp"
#include "weft/postgres/libpq/result_rows.hpp"

namespace weft::postgres {
namespace {

// What may be sent ahead of its results: libpq keeps it in memory, and results the server.
constexpr std::size_t kMostBytesAhead = 8 << 20;
constexpr std::size_t kMostStatementsAhead = 1000;

// Values in PostgreSQL's binary form, as libpq takes them.
class Parameters {
 public:
  explicit Parameters(std::span<const sql::Value> values) {
    integers_.reserve(values.size());  // pointed into
    for (const sql::Value& value : values) add(value);
  }
  int count() const { return static_cast<int>(values_.size()); }
  const char* const* values() const { return values_.data(); }
  const int* lengths() const { return lengths_.data(); }
  const int* formats() const { return formats_.data(); }
  std::size_t bytes() const { return bytes_; }

 private:
  void add(const sql::Value& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      std::array<char, 8>& bytes = integers_.emplace_back();
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<char>(static_cast<std::uint64_t>(*integer) >> (56 - 8 * i));
      }
      add_bytes({bytes.data(), bytes.size()});
    } else if (const auto* text = std::get_if<std::string_view>(&value)) {
      add_bytes(*text);
    } else if (const auto* blob = std::get_if<sql::Blob>(&value)) {
      add_bytes(blob->bytes);
    } else {
      push(nullptr, 0);
    }
  }
  // A null pointer would be NULL.
  void add_bytes(std::string_view bytes) {
    push(bytes.data() == nullptr ? "" : bytes.data(), bytes.size());
  }
  void push(const char* data, std::size_t size) {
    values_.push_back(data);
    lengths_.push_back(static_cast<int>(size));
    formats_.push_back(1);
    bytes_ += size;
  }

  std::vector<std::array<char, 8>> integers_;
  std::vector<const char*> values_;
  std::vector<int> lengths_, formats_;
  std::size_t bytes_ = 0;
};

constexpr std::size_t kMostValueBytes = 1 << 30;  // PostgreSQL's own limit

bool is_too_large(std::span<const sql::Value> values) {
  for (const sql::Value& value : values) {
    const auto* text = std::get_if<std::string_view>(&value);
    const auto* blob = std::get_if<sql::Blob>(&value);
    if ((text ? text->size() : blob ? blob->bytes.size() : 0) >= kMostValueBytes) return true;
  }
  return false;
}

}  // namespace

Status Connection::open() {
  prepared_.clear();
  sent_.clear();
  error_.reset();
  last_.reset();
  WEFT_TRY_VALUE(Session session, Session::open(url_, limits_));
  if (libpq().PQenterPipelineMode(session.handle()) != 1) {
    return fail(ErrorCode::internal, "libpq does not enter pipeline mode");
  }
  session_ = std::move(session);
  return {};
}

Status Connection::make_ready() {
  if (failure_) return fail(*failure_);
  if (is_in_transaction_) return {};
  if (session_ && session_->is_alive()) return {};
  session_.reset();
  return open();
}

Error Connection::lost() const {
  return lost_error(session_ ? libpq().PQerrorMessage(session_->handle()) : "");
}

Error Connection::lose(Error error) {
  session_.reset();
  sent_.clear();
  return error;
}

std::unexpected<Error> Connection::failed(Error error) {
  if (is_in_transaction_ && !failure_) failure_ = error;
  return fail(std::move(error));
}

Status Connection::send_preparation(PreparedStatement& statement) {
  if (libpq().PQsendPrepare(session_->handle(), statement.name.c_str(), statement.sql->c_str(),
                            static_cast<int>(statement.types.size()),
                            statement.types.data()) != 1) {
    return failed(lose());
  }
  statement.state = PreparedStatement::State::asked;
  sent_.push_back({Sent::What::preparation, &statement});
  return {};
}

Status Connection::send(sql::Sql sql, std::span<const sql::Value> values) {
  WEFT_TRY(make_ready());
  if (is_too_large(values)) {
    return failed({ErrorCode::invalid_input, "too large for one row"});
  }
  PreparedStatement& statement = prepared_.find(sql, values);
  if (statement.state == PreparedStatement::State::absent) WEFT_TRY(send_preparation(statement));
  const Parameters parameters(values);
  if (libpq().PQsendQueryPrepared(session_->handle(), statement.name.c_str(), parameters.count(),
                                  parameters.values(), parameters.lengths(), parameters.formats(),
                                  1) != 1) {
    return failed(lose());
  }
  sent_.push_back({Sent::What::statement});
  ++statements_ahead_;
  bytes_ahead_ += parameters.bytes() + sizeof(std::int64_t);
  return {};
}

// A statement of our own, without parameters.
Status Connection::send_plain(const char* sql) {
  if (libpq().PQsendQueryParams(session_->handle(), sql, 0, nullptr, nullptr, nullptr, nullptr,
                                1) != 1) {
    return failed(lose());
  }
  sent_.push_back({Sent::What::statement});
  return {};
}

Status Connection::send_sync(Sent::What what) {
  if (libpq().PQpipelineSync(session_->handle()) != 1) return failed(lose());
  sent_.push_back({what});
  statements_ahead_ = bytes_ahead_ = 0;
  return {};
}

Result<ResultPtr> Connection::finish() {
  WEFT_TRY(send_sync(Sent::What::sync));
  last_.reset();
  while (!sent_.empty()) {
    Result<ResultPtr> result = session_->next_result();
    if (!result) {
      // The server may have said why it went.
      Error error = error_ ? *std::exchange(error_, std::nullopt) : std::move(result).error();
      return failed(lose(std::move(error)));
    }
    if (*result) WEFT_TRY(take(*std::move(result)));
  }
  if (error_) return failed(*std::exchange(error_, std::nullopt));
  return std::move(last_);
}

Status Connection::take(ResultPtr result) {
  const Sent sent = sent_.front();
  sent_.pop_front();
  const ExecStatusType status = libpq().PQresultStatus(result.get());
  const bool is_sync =
      sent.what == Sent::What::sync || sent.what == Sent::What::sync_after_roll_back;
  if (is_sync != (status == PGRES_PIPELINE_SYNC)) {
    // A server that stops says so in place of any answer.
    return failed(lose(status == PGRES_FATAL_ERROR
                           ? to_error(result.get())
                           : Error{ErrorCode::internal, "the server's answers are out of order"}));
  }
  const bool is_done = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
  if (sent.what == Sent::What::sync_after_roll_back) error_.reset();
  if (is_sync) return {};
  if (sent.what == Sent::What::preparation) {
    sent.prepared->state =
        is_done ? PreparedStatement::State::ready : PreparedStatement::State::absent;
  } else if (is_done) {
    note_changes(result.get());
    last_ = std::move(result);
    return {};
  }
  if (!is_done && status != PGRES_PIPELINE_ABORTED && !error_) error_ = to_error(result.get());
  return {};
}

void Connection::note_changes(const PGresult* result) {
  auto* text = const_cast<PGresult*>(result);  // libpq only reads it
  const std::string_view tag = libpq().PQcmdStatus(text);
  if (!tag.starts_with("INSERT") && !tag.starts_with("UPDATE") && !tag.starts_with("DELETE")) {
    return;
  }
  changes_ = 0;
  for (const char* digit = libpq().PQcmdTuples(text); *digit != '\0'; ++digit) {
    changes_ = changes_ * 10 + (*digit - '0');
  }
}

sql::Rows Connection::query(sql::Sql sql, std::span<const sql::Value> values) {
  if (Status status = send(sql, values); !status) return sql::Rows(std::move(status).error());
  Result<ResultPtr> result = finish();
  return result ? to_rows(*std::move(result)) : sql::Rows(std::move(result).error());
}

Status Connection::run(sql::Sql sql, std::span<const sql::Value> values) {
  WEFT_TRY(send(sql, values));
  // libpq itself sends what has piled up, 64 KB at a time.
  if (is_in_transaction_ && statements_ahead_ < kMostStatementsAhead &&
      bytes_ahead_ < kMostBytesAhead) {
    return {};
  }
  if (Result<ResultPtr> result = finish(); !result) return fail(std::move(result).error());
  return {};
}

std::int64_t Connection::changes() {
  // A failure is kept for the transaction.
  if (session_ && !sent_.empty()) std::ignore = finish();
  return failure_ ? 0 : changes_;
}

Status Connection::begin(sql::TransactionKind kind) {
  if (is_in_transaction_) {
    return fail(ErrorCode::internal, "a transaction was begun within another one");
  }
  WEFT_TRY(make_ready());
  WEFT_TRY(send_plain(kind == sql::TransactionKind::immediate
                          ? "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
                          : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"));
  is_in_transaction_ = true;
  return kind == sql::TransactionKind::immediate ? send_plain(limit_idle_.c_str()) : Status();
}

Status Connection::commit() {
  if (failure_) return fail(*failure_);
  WEFT_TRY(send_plain("COMMIT"));
  Result<ResultPtr> result = finish();
  if (!result && !session_) {
    return fail(std::move(result).error().within(
        "committing; whether it was committed is not known, and doing it again does no harm"));
  }
  if (!result) return fail(std::move(result).error());
  if (std::string_view(libpq().PQcmdStatus(result->get())) != "COMMIT") {
    return failed({ErrorCode::internal, "the server rolled the transaction back"});
  }
  is_in_transaction_ = false;
  return {};
}

void Connection::roll_back() {
  is_in_transaction_ = false;
  failure_.reset();
  if (!session_) return;
  // After a failure the server skips everything up to the next sync. The results are read before
  // the next ones; nobody waits for them.
  if (!sent_.empty() && !send_sync(Sent::What::sync)) return;
  if (send_plain("ROLLBACK")) std::ignore = send_sync(Sent::What::sync_after_roll_back);
}

Status Connection::script(const char* sql) {
  WEFT_TRY(make_ready());
  if (!sent_.empty()) {
    if (Result<ResultPtr> result = finish(); !result) return fail(std::move(result).error());
  }
  Status status = run_simply(sql);
  // Statements that were prepared for tables as they were may fail from now on.
  if (status && session_) status = run_simply("DEALLOCATE ALL");
  if (status) prepared_.clear();
  return status;
}

Status Connection::run_simply(const char* sql) {
  PGconn* handle = session_->handle();
  if (libpq().PQexitPipelineMode(handle) != 1 || libpq().PQsendQuery(handle, sql) != 1)
    return failed(lose());
  std::optional<Error> error;
  while (true) {
    Result<ResultPtr> result = session_->next_result();
    if (!result) return failed(lose(error ? *std::move(error) : std::move(result).error()));
    if (!*result) break;
    const ExecStatusType state = libpq().PQresultStatus(result->get());
    const bool is_done = state == PGRES_COMMAND_OK || state == PGRES_TUPLES_OK;
    if (!is_done && !error) error = to_error(result->get());
  }
  if (libpq().PQstatus(handle) != CONNECTION_OK || libpq().PQenterPipelineMode(handle) != 1) {
    return failed(lose(error ? *std::move(error) : lost()));
  }
  return error ? failed(*std::move(error)) : Status();
}

}  // namespace weft::postgres

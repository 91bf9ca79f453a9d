#include "weft/store/postgres/postgres_store.hpp"

#include <algorithm>
#include <random>

#include "weft/base/try.hpp"
#include "weft/postgres/database.hpp"
#include "weft/postgres/listener.hpp"
#include "weft/store/postgres/row_backend.hpp"
#include "weft/store/postgres/run_text.hpp"
#include "weft/store/postgres/tables.hpp"
#include "weft/store/sql/parts/row_store.hpp"

namespace weft::store::sql {
namespace {

Status check_version(std::int64_t version) {
  if (version == kTablesVersion) return {};
  return fail(ErrorCode::invalid_input, "the store has tables of version " +
                                            std::to_string(version) + " and this weft knows " +
                                            std::to_string(kTablesVersion) +
                                            "; use the weft that made them");
}

// not_found if there are no tables.
Status check_tables(const PlainDatabase& database) {
  Rows rows = database.query("SELECT version FROM web");
  if (!rows.next()) {
    WEFT_TRY(rows.status());
    return fail(ErrorCode::not_found, "the schema holds no store; weft ingest makes one there");
  }
  return check_version(rows.integer(0));
}

class PostgresBackend final : public RowBackend {
 public:
  using RowBackend::RowBackend;
  FullText& full_text() override { return full_text_; }

  // The row of the web is locked until the transaction ends: writers come one after another, and
  // what one of them sees was committed before it. So the log has the order of commits.
  Status check_current() override {
    Rows rows = connection().query("SELECT version FROM web FOR UPDATE");
    const std::int64_t version = rows.next() ? rows.integer(0) : 0;
    while (rows.next()) {
    }
    WEFT_TRY(rows.status());
    WEFT_TRY(check_version(version));
    return connection().run("NOTIFY weft_log");  // heard once the transaction is committed
  }

 private:
  RunText full_text_{connection()};
};

Database to_database(PlainDatabase connection) {
  return Database(std::make_unique<PostgresBackend>(std::move(connection)));
}

WebId new_web() {
  std::random_device random;
  WebId id;
  for (std::uint8_t& byte : id) byte = static_cast<std::uint8_t>(random());
  return id;
}

// All or nothing. Where two do it at once, the second fails, and finds what the first one made.
Status make_tables(const PlainDatabase& database, const std::string& schema) {
  std::string quoted = "\"";
  for (const char c : schema) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  quoted += '"';
  WEFT_TRY_VALUE(auto transaction, Transaction::begin(database, Transaction::Kind::immediate));
  WEFT_TRY(database.script(("CREATE SCHEMA IF NOT EXISTS " + quoted).c_str()));
  WEFT_TRY(create_tables(database, kPostgresTypes, new_web()));
  return transaction.commit();
}

Result<PlainDatabase> open_tables(const postgres::Url& url, Create create,
                                  const postgres::Limits& limits) {
  WEFT_TRY_VALUE(auto database, postgres::open_database(url, limits));
  Status there = check_tables(database);
  if (!there && there.error().code == ErrorCode::not_found && create == Create::yes) {
    const Status made = make_tables(database, url.schema());
    there = check_tables(database);
    if (!there && !made) there = made;
  }
  if (!there) return fail(std::move(there).error());
  return database;
}

// Rows that were deleted lie in their tables until these are written anew. The server's log has
// them until it is switched and a checkpoint has passed, which takes rights that a writer may lack.
Result<bool> rewrite_tables(const postgres::Url& url) {
  constexpr std::chrono::hours kLong{24};
  WEFT_TRY_VALUE(auto database,
                 postgres::open_database(url, {.statement = kLong, .silence = kLong}));
  Rows due = database.query("SELECT 1 FROM wipes LIMIT 1");
  const bool is_due = due.next();
  WEFT_TRY(due.status());
  if (!is_due) return true;
  std::vector<std::string> tables;
  Rows rows = database.query(
      "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename");
  while (rows.next()) tables.emplace_back(rows.bytes(0));
  WEFT_TRY(rows.status());
  for (const std::string& table : tables) {
    WEFT_TRY(database.script(("VACUUM FULL \"" + table + "\"").c_str()));
  }
  for (const char* step : {"CHECKPOINT", "SELECT pg_switch_wal()", "CHECKPOINT"}) {
    const Status done = database.script(step);
    if (!done && done.error().code != ErrorCode::denied) return fail(Error(done.error()));
  }
  WEFT_TRY_VALUE(auto transaction, Transaction::begin(database, Transaction::Kind::immediate));
  WEFT_TRY(database.run("DELETE FROM wipes"));
  WEFT_TRY(transaction.commit());
  return true;
}

// The server guards its pages. What another program changed in a row is found by `verify`, and
// comes back from its source or from another store.
class PostgresMending final : public Mending {
 public:
  Result<MendReport> mend(const MendOptions&) override { return MendReport{}; }
  Result<bool> put_back(const thought::Thought&, const crypto::Keyring*) override { return false; }
  Result<LostRow> describe(const Cid& cid) const override {
    return LostRow{.cid = cid, .table = "thoughts"};
  }
};

// All webs of a database are on one channel. A standby gives no notices.
class HeardChanges final : public Changes {
 public:
  explicit HeardChanges(const postgres::Url& url) {
    if (auto listener = postgres::open_listener(url, "weft_log")) listener_ = *std::move(listener);
  }

  int descriptor() const override { return listener_ == nullptr ? -1 : listener_->fd(); }
  void clear() override {
    while (listener_ != nullptr) {
      const Result<bool> heard = listener_->wait(std::chrono::milliseconds(0));
      if (!heard) listener_.reset();  // the connection is lost: the follower looks at intervals
      else if (!*heard) return;
    }
  }

 private:
  std::unique_ptr<postgres::Listener> listener_;
};

class PostgresStore final : public RowStore {
 public:
  PostgresStore(const postgres::Url& url, PlainDatabase writer, const postgres::Limits& limits)
      : RowStore(
            url.str(), to_database(std::move(writer)),
            [url, limits]() -> Result<Database> {
              WEFT_TRY_VALUE(auto database, postgres::open_database(url, limits));
              return to_database(std::move(database));
            },
            [url] { return rewrite_tables(url); }),
        url_(url) {}

  Mending& mending() override { return mending_; }
  std::unique_ptr<Changes> changes() const override { return std::make_unique<HeardChanges>(url_); }

 private:
  const postgres::Url url_;
  PostgresMending mending_;
};

}  // namespace

Result<std::unique_ptr<Store>> open_postgres_store(const postgres::Url& url, Create create,
                                                   const postgres::Limits& limits) {
  Result<PlainDatabase> database = open_tables(url, create, limits);
  if (!database) return fail(std::move(database).error().within("opening " + url.str()));
  return std::make_unique<PostgresStore>(url, *std::move(database), limits);
}

Result<WebId> read_web_id(const postgres::Url& url) {
  Result<PlainDatabase> database = open_tables(url, Create::no, {});
  if (!database) return fail(std::move(database).error().within("opening " + url.str()));
  Rows rows = database->query("SELECT id FROM web");
  WebId id;
  const bool is_id = rows.next() && rows.bytes(0).size() == id.size();
  if (is_id) std::ranges::copy(rows.bytes(0), id.begin());
  WEFT_TRY(rows.status());
  if (!is_id) return fail(ErrorCode::corrupt, url.str() + ": the id of its web is damaged");
  return id;
}

}  // namespace weft::store::sql

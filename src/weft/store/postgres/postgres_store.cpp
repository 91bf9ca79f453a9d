#include "weft/store/postgres/postgres_store.hpp"

#include <array>

#include "weft/base/try.hpp"
#include "weft/postgres/database.hpp"
#include "weft/postgres/listener.hpp"
#include "weft/store/postgres/index_checks.hpp"
#include "weft/store/postgres/rewriting.hpp"
#include "weft/store/postgres/row_backend.hpp"
#include "weft/store/postgres/tables.hpp"
#include "weft/store/postgres/web_schema.hpp"
#include "weft/store/sql/parts/row_store.hpp"
#include "weft/store/sql/run_text.hpp"

namespace weft::store::sql {
namespace {

class PostgresBackend final : public RowBackend {
 public:
  using RowBackend::RowBackend;
  FullText& full_text() override { return full_text_; }
  std::span<const Recomputed> checks() const override {
    static const std::array checks = {
        Recomputed{.depth = CheckDepth::full, .check = check_index_pages, .rebuild = nullptr}};
    return checks;
  }

  // The row of the web is locked until the transaction ends: writers come one after another, and
  // what one of them sees was committed before it. So the log has the order of commits.
  Status check_current() override {
    Result<std::int64_t> version = read_tables_version(connection(), ForUpdate::yes);
    if (!version && version.error().code == ErrorCode::denied) return refuse_to_write();
    WEFT_TRY(version);
    WEFT_TRY(check_writable(*version));
    return connection().run("NOTIFY weft_log");  // heard once the transaction is committed
  }

 private:
  // The server says only that it refused: a table of an older version, or of somebody else.
  static Status refuse_to_write() {
    return fail(ErrorCode::denied,
                "this role may read the web and not write to it; the owner of the web lets it "
                "write with weft store grant URL ROLE --as writer");
  }

  RunText full_text_{connection()};
};

Database to_database(PlainDatabase connection) {
  return Database(std::make_unique<PostgresBackend>(std::move(connection)));
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
  Result<OpenedTables> opened = open_tables(url, create, limits);
  if (!opened) return fail(std::move(opened).error().within("opening " + url.str()));
  return std::make_unique<PostgresStore>(url, std::move(opened->database), limits);
}

Result<Database> open_postgres_database(const postgres::Url& url) {
  WEFT_TRY_VALUE(auto opened, open_tables(url, Create::no));
  return to_database(std::move(opened.database));
}

Result<WebId> read_web_id(const postgres::Url& url) {
  Result<OpenedTables> opened = open_tables(url, Create::no);
  Result<WebId> id = opened ? id_of_web(opened->database) : fail(std::move(opened).error());
  if (!id) return fail(std::move(id).error().within("opening " + url.str()));
  return id;
}

}  // namespace weft::store::sql

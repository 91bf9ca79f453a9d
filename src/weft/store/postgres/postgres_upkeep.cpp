// Upkeep of a web on PostgreSQL.
#include <algorithm>
#include <array>

#include "weft/base/try.hpp"
#include "weft/postgres/database.hpp"
#include "weft/store/inverted/inverted_index.hpp"
#include "weft/store/postgres/postgres_store.hpp"
#include "weft/store/sql/index_tables.hpp"
#include "weft/store/sql/names/names.hpp"
#include "weft/store/upkeep.hpp"

namespace weft::store::sql {
namespace {

// Of ids, for each range: some 300 signatures, 15 ms.
constexpr std::int64_t kRangeIds = 1'024;
// Commits that became visible late, and are looked at once.
constexpr std::int64_t kMostLate = 10'000;

class PostgresUpkeep final : public Upkeep {
 public:
  explicit PostgresUpkeep(Database database) : database_(std::move(database)) {}

  Result<bool> hold(std::string_view holder, std::chrono::milliseconds time,
                    std::string_view report) override {
    WEFT_TRY(prepare());
    WEFT_TRY_VALUE(auto transaction, Transaction::begin(database_, Transaction::Kind::immediate));
    // A time that is further ahead than anybody takes was set before the clock was put back.
    Rows rows = database_.query(
        "UPDATE keeper SET holder = ?1, report = ?3, "
        "until = CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) + ?2 "
        "WHERE part = 0 AND (holder = ?1 "
        "OR until <= CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) "
        "OR until > CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) + 600000) "
        "RETURNING 1",
        holder, std::int64_t{time.count()}, report);
    const bool is_keeper = rows.next();
    WEFT_TRY(rows.status());
    WEFT_TRY(transaction.commit());
    return is_keeper;
  }

  Status let_go(std::string_view holder) override {
    return database_.run("UPDATE keeper SET until = 0 WHERE part = 0 AND holder = ?", holder);
  }

  Result<std::optional<KeeperNote>> note() const override {
    WEFT_TRY_VALUE(const bool is_there, has_table());
    if (!is_there) return std::nullopt;
    Rows rows = database_.query(
        "SELECT holder, CAST(until > CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) "
        "AS INTEGER), report FROM keeper WHERE part = 0 AND report <> ''");
    std::optional<KeeperNote> note;
    if (rows.next()) {
      note = KeeperNote{.holder = std::string(rows.bytes(0)),
                        .is_current = rows.integer(1) != 0,
                        .report = std::string(rows.bytes(2))};
    }
    WEFT_TRY(rows.status());
    return note;
  }

  Result<bool> merge() override {
    bool is_more = false;
    for (const Index index : kIndexes) {
      WEFT_TRY_VALUE(const bool is_due, is_merge_due(index));
      if (!is_due) continue;
      WEFT_TRY_VALUE(auto transaction, Transaction::begin(database_, Transaction::Kind::immediate));
      WEFT_TRY(database_.backend().check_current());
      IndexTables pages(database_);
      WEFT_TRY_VALUE(const bool more,
                     InvertedIndex(pages, index).merge(InvertedIndex::kMergePiece));
      WEFT_TRY(transaction.commit());
      is_more = is_more || more;
    }
    return is_more;
  }

  // Those whose sizes decide how questions are planned.
  Status analyze() override {
    return static_cast<const PlainDatabase&>(database_).script(
        "ANALYZE names; ANALYZE name_hashes; ANALYZE thoughts; ANALYZE effects; "
        "ANALYZE connections; ANALYZE conversations; ANALYZE runs; ANALYZE checkpoints; "
        "ANALYZE index_runs; ANALYZE index_pages");
  }

  Result<Added> added_since(const AddedMark& mark, std::size_t most) const override {
    WEFT_TRY_VALUE(auto state, Transaction::begin(database_, Transaction::Kind::deferred));
    Added added{.mark = mark};
    WEFT_TRY(add_late(mark, added));
    WEFT_TRY_VALUE(const std::int64_t newest, newest_id());
    std::int64_t from = mark.row;
    while (from < newest && added.ranges.size() < most) {
      const std::int64_t to = std::min(newest, from + kRangeIds);
      added.ranges.push_back({{from + 1, to}});
      from = to;
    }
    added.mark.row = std::max(mark.row, from);
    added.behind = static_cast<std::uint64_t>(std::max<std::int64_t>(newest - from, 0));
    return added;
  }

  Result<Tombstones> tombstones_since(std::int64_t id) const override {
    Tombstones all{.newest = id};
    Rows rows = database_.query(
        "SELECT names.id, names.cid FROM names WHERE names.id IN "
        "(SELECT tombstone FROM tombstones WHERE tombstone > ?) ORDER BY names.id",
        id);
    while (rows.next()) {
      all.newest = std::max(all.newest, rows.integer(0));
      WEFT_TRY_VALUE(all.cids.emplace_back(), to_cid(rows.bytes(1)));
    }
    WEFT_TRY(rows.status());
    return all;
  }

  Result<bool> is_wipe_due() const override {
    Rows rows = database_.query("SELECT 1 FROM wipes LIMIT 1");
    const bool is_due = rows.next();
    WEFT_TRY(rows.status());
    return is_due;
  }

 private:
  Result<bool> has_table() const {
    Rows rows = database_.query(
        "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'keeper'");
    const bool is_there = rows.next();
    WEFT_TRY(rows.status());
    return is_there;
  }

  // Whoever may not do the work must not keep others from it.
  Status prepare() {
    if (is_ready_) return {};
    Rows rows =
        database_.query("SELECT CAST(has_table_privilege('thoughts', 'DELETE') AS INTEGER)");
    const bool may_remove = rows.next() && rows.integer(0) != 0;
    WEFT_TRY(rows.status());
    if (!may_remove) return fail(ErrorCode::denied, "it may not remove anything there");
    WEFT_TRY(
        database_.run("INSERT INTO keeper (part, holder, until, report) VALUES (0, '', 0, '') "
                      "ON CONFLICT DO NOTHING"));
    is_ready_ = true;
    return {};
  }

  // A look without the lock that writers wait for.
  Result<bool> is_merge_due(Index index) {
    WEFT_TRY_VALUE(auto state, Transaction::begin(database_, Transaction::Kind::deferred));
    IndexTables pages(database_);
    return InvertedIndex(pages, index).merge(0);
  }

  Result<std::int64_t> newest_id() const {
    Rows rows = database_.query(
        "SELECT (SELECT max(id) FROM names), (SELECT max(id) FROM thoughts), "
        "(SELECT max(id) FROM connections), (SELECT max(last) FROM runs)");
    std::int64_t newest = 0;
    if (rows.next()) {
      for (const int column : {0, 1, 2, 3}) {
        newest = std::max(newest, rows.find_integer(column).value_or(0));
      }
    }
    WEFT_TRY(rows.status());
    return newest;
  }

  // Commits after the mark whose ids are before it.
  Status add_late(const AddedMark& mark, Added& added) const {
    Rows rows = database_.query(
        "SELECT c.seq, r.first, r.last FROM (SELECT seq, id FROM checkpoints WHERE seq > ?1 "
        "ORDER BY seq LIMIT ?2) AS c LEFT JOIN runs AS r ON r.first = "
        "(SELECT max(first) FROM runs WHERE first <= c.id) ORDER BY c.seq",
        mark.log, kMostLate);
    while (rows.next()) {
      added.mark.log = rows.integer(0);
      const auto first = rows.find_integer(1), last = rows.find_integer(2);
      if (!first || !last || *last > mark.row) continue;
      for (std::int64_t from = *first; from <= *last; from += kRangeIds) {
        added.ranges.push_back({{from, std::min(*last, from + kRangeIds - 1)}});
      }
    }
    return rows.status();
  }

  Database database_;
  bool is_ready_ = false;
};

}  // namespace
}  // namespace weft::store::sql

namespace weft::store {

Result<std::unique_ptr<Upkeep>> open_upkeep(const postgres::Url& server) {
  Result<sql::Database> database = sql::open_postgres_database(server);
  if (!database) return fail(std::move(database).error().within("opening " + server.str()));
  return std::make_unique<sql::PostgresUpkeep>(*std::move(database));
}

}  // namespace weft::store

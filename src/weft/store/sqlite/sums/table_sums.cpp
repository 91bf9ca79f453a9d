#include "weft/store/sqlite/sums/table_sums.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>

#include "weft/base/try.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/sqlite/error.hpp"

// Debian's SQLite has the hook. Its header declares it only for those who define a macro before
// they first include it, which a file that is compiled with others cannot know.
extern "C" {
void* sqlite3_preupdate_hook(sqlite3*,
                             void (*)(void*, sqlite3*, int, const char*, const char*, sqlite3_int64,
                                      sqlite3_int64),
                             void*);
int sqlite3_preupdate_old(sqlite3*, int, sqlite3_value**);
int sqlite3_preupdate_new(sqlite3*, int, sqlite3_value**);
int sqlite3_preupdate_count(sqlite3*);
}

namespace weft::store::sql {
namespace {

constexpr std::string_view kOwnTable = "table_sums";

// Names of tables stand in SQL as they are: all are of our own schema.
std::string select_all(std::string_view table) {
  return "SELECT * FROM \"" + std::string(table) + "\"";
}

// Asked for every table that is checked, so from the schema that SQLite has in memory.
Result<bool> has_table_sums(const PlainDatabase& database) {
  const int code =
      sqlite3_table_column_metadata(sqlite::handle_of(database), "main", kOwnTable.data(), "sum",
                                    nullptr, nullptr, nullptr, nullptr, nullptr);
  if (code == SQLITE_OK) return true;
  if ((code & 0xff) == SQLITE_ERROR) return false;  // SQLite's answer for a table that is not there
  return fail(sqlite::to_error(code, "looking for the sums of the tables"));
}

void add_value(RowHasher& hasher, sqlite3_value* value) {
  const int type = sqlite3_value_type(value);
  switch (type) {
    case SQLITE_INTEGER: return hasher.add_integer(sqlite3_value_int64(value));
    case SQLITE_FLOAT: return hasher.add_real(sqlite3_value_double(value));
    case SQLITE_NULL: return hasher.add_null();
    default: break;
  }
  const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));  // null if empty
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
  const std::string_view view = bytes == nullptr ? "" : std::string_view(bytes, size);
  type == SQLITE_TEXT ? hasher.add_text(view) : hasher.add_blob(view);
}

RowHash hash_of_sum(std::string_view table, const TableSum& sum) {
  RowHasher hasher;
  hasher.add_text(table);
  hasher.add_integer(sum.rows);
  hasher.add_blob(to_bytes(sum.sum));
  return hasher.finish();
}

Result<std::optional<TableSum>> read_sum(const PlainDatabase& database, std::string_view table) {
  Rows rows = database.query("SELECT rows, sum FROM table_sums WHERE name = ?", table);
  std::optional<TableSum> sum;
  if (rows.next()) sum = TableSum{rows.integer(0), to_row_hash(rows.bytes(1))};
  WEFT_TRY(rows.status());
  return sum;
}

Status write_row(const PlainDatabase& database, std::string_view table, const TableSum& sum) {
  const std::string bytes = to_bytes(sum.sum);
  return database.run("INSERT OR REPLACE INTO table_sums (name, rows, sum) VALUES (?, ?, ?)", table,
                      sum.rows, Blob{bytes});
}

// Writes a sum; the sum of all sums follows.
Status replace_sum(const PlainDatabase& database, std::string_view table,
                   const std::optional<TableSum>& before, const TableSum& after) {
  WEFT_TRY(write_row(database, table, after));
  WEFT_TRY_VALUE(auto own, read_sum(database, kOwnTable));
  TableSum all = own.value_or(TableSum{});
  if (before) all.sum -= hash_of_sum(table, *before);
  else ++all.rows;
  all.sum += hash_of_sum(table, after);
  return write_row(database, kOwnTable, all);
}

}  // namespace

Result<std::vector<std::string>> summed_tables(const PlainDatabase& database) {
  Rows rows = database.query(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE "
      "'\\' AND sql NOT LIKE 'CREATE VIRTUAL %' AND name <> 'table_sums' ORDER BY name");
  std::vector<std::string> tables;
  while (rows.next()) tables.emplace_back(rows.bytes(0));
  WEFT_TRY(rows.status());
  return tables;
}

Result<TableSum> sum_rows(const PlainDatabase& database, std::string_view table) {
  const std::string sql =
      select_all(table) + (table == kOwnTable ? " WHERE name <> 'table_sums'" : "");
  sqlite3_stmt* statement = nullptr;
  int code = sqlite3_prepare_v2(sqlite::handle_of(database), sql.c_str(), -1, &statement, nullptr);
  TableSum sum;
  RowHasher hasher;
  const int columns = sqlite3_column_count(statement);
  while (code == SQLITE_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
    for (int i = 0; i < columns; ++i) add_value(hasher, sqlite3_column_value(statement, i));
    sum += {1, hasher.finish()};
    code = SQLITE_OK;
  }
  sqlite3_finalize(statement);
  if (code != SQLITE_DONE) {
    return fail(sqlite::to_error(code, "summing up the table " + std::string(table)));
  }
  return sum;
}

Result<std::optional<TableSum>> find_sum(const PlainDatabase& database, std::string_view table) {
  WEFT_TRY_VALUE(auto there, has_table_sums(database));
  if (!there) return std::nullopt;
  return read_sum(database, table);
}

Result<bool> has_all_sums(const PlainDatabase& database) {
  WEFT_TRY_VALUE(auto there, has_table_sums(database));
  if (!there) return false;
  WEFT_TRY_VALUE(auto own, read_sum(database, kOwnTable));
  WEFT_TRY_VALUE(auto tables, summed_tables(database));
  return own && own->rows == static_cast<std::int64_t>(tables.size());
}

Status store_sum(const PlainDatabase& database, std::string_view table) {
  WEFT_TRY_VALUE(auto sum, sum_rows(database, table));
  WEFT_TRY_VALUE(auto before, read_sum(database, table));
  if (before == sum) return {};
  return replace_sum(database, table, before, sum);
}

Status store_all_sums(const PlainDatabase& database) {
  WEFT_TRY(database.run("DELETE FROM table_sums"));
  WEFT_TRY_VALUE(auto tables, summed_tables(database));
  for (const std::string& table : tables) WEFT_TRY(store_sum(database, table));
  return {};
}

Status remove_sums_of_dropped(const PlainDatabase& database) {
  WEFT_TRY_VALUE(auto there, has_table_sums(database));
  if (!there) return {};
  std::vector<std::string> dropped;
  Rows rows = database.query(
      "SELECT name FROM table_sums WHERE name <> 'table_sums' AND name NOT IN "
      "(SELECT name FROM sqlite_master)");
  while (rows.next()) dropped.emplace_back(rows.bytes(0));
  WEFT_TRY(rows.status());
  for (const std::string& table : dropped) {
    WEFT_TRY_VALUE(auto sum, read_sum(database, table));
    WEFT_TRY_VALUE(auto own, read_sum(database, kOwnTable));
    WEFT_TRY(database.run("DELETE FROM table_sums WHERE name = ?", std::string_view(table)));
    if (!sum || !own) continue;
    --own->rows;
    own->sum -= hash_of_sum(table, *sum);
    WEFT_TRY(write_row(database, kOwnTable, *own));
  }
  return {};
}

struct TableSums::Hooks {
  static void on_row(void* self, sqlite3* database, int operation, const char* schema,
                     const char* table, sqlite3_int64, sqlite3_int64) {
    auto& sums = *static_cast<TableSums*>(self);
    if (sums.is_paused_ || table == kOwnTable || std::strcmp(schema, "main") != 0) return;
    TableSum& change = sums.change_of(table);
    const int columns = sqlite3_preupdate_count(database);
    const auto hash = [&](int (*read)(sqlite3*, int, sqlite3_value**)) {
      for (int i = 0; i < columns; ++i) {
        sqlite3_value* value = nullptr;
        if (read(database, i, &value) == SQLITE_OK && value != nullptr)
          add_value(sums.hasher_, value);
        else sums.hasher_.add_null();
      }
      return sums.hasher_.finish();
    };
    if (operation != SQLITE_INSERT) {
      change.rows -= 1;
      change.sum -= hash(sqlite3_preupdate_old);
    }
    if (operation != SQLITE_DELETE) {
      change.rows += 1;
      change.sum += hash(sqlite3_preupdate_new);
    }
  }
  static int on_commit(void* self) {
    const auto& changes = static_cast<TableSums*>(self)->changes_;
    return std::ranges::all_of(changes,
                               [](const Change& change) { return change.by == TableSum{}; })
               ? 0
               : 1;
  }
  static void on_rollback(void* self) { static_cast<TableSums*>(self)->changes_.clear(); }
};

void TableSums::follow() {
  follows_ = true;
  sqlite3* const handle = sqlite::handle_of(database_);
  sqlite3_preupdate_hook(handle, Hooks::on_row, this);
  sqlite3_commit_hook(handle, Hooks::on_commit, this);
  sqlite3_rollback_hook(handle, Hooks::on_rollback, this);
}

TableSums::~TableSums() {
  if (!follows_) return;
  sqlite3* const handle = sqlite::handle_of(database_);
  sqlite3_preupdate_hook(handle, nullptr, nullptr);
  sqlite3_commit_hook(handle, nullptr, nullptr);
  sqlite3_rollback_hook(handle, nullptr, nullptr);
}

TableSum& TableSums::change_of(const char* table) {
  // Rows of one table come one after another.
  const std::string_view name = table;
  if (last_change_ < changes_.size() && changes_[last_change_].table == name) {
    return changes_[last_change_].by;
  }
  const auto found = std::ranges::find(changes_, name, &Change::table);
  last_change_ = static_cast<std::size_t>(found - changes_.begin());
  if (found != changes_.end()) return found->by;
  return changes_.emplace_back(Change{.table = std::string(name)}).by;
}

Status TableSums::flush() {
  // FTS5 collects terms in memory and would write them in the midst of the commit. It writes them
  // before each savepoint, too.
  WEFT_TRY(database_.run("SAVEPOINT weft_sums"));
  WEFT_TRY(database_.run("RELEASE weft_sums"));
  for (Change& change : changes_) {
    if (change.by == TableSum{}) continue;
    WEFT_TRY_VALUE(auto before, read_sum(database_, change.table));
    const TableSum by = std::exchange(change.by, {});
    if (!before) continue;
    TableSum after = *before;
    after += by;
    WEFT_TRY(replace_sum(database_, change.table, before, after));
  }
  return is_complete_ ? Status() : fill_one();
}

Status TableSums::recount(std::string_view prefix) {
  WEFT_TRY_VALUE(auto tables, summed_tables(database_));
  for (const std::string& table : tables) {
    if (!table.starts_with(prefix)) continue;
    change_of(table.c_str()) = {};
    WEFT_TRY_VALUE(auto sum, read_sum(database_, table));
    if (sum) WEFT_TRY(store_sum(database_, table));
  }
  return {};
}

Status TableSums::fill_one() {
  WEFT_TRY_VALUE(auto complete, has_all_sums(database_));
  is_complete_ = complete;
  if (complete) return {};
  WEFT_TRY_VALUE(auto tables, summed_tables(database_));
  for (const std::string& table : tables) {
    WEFT_TRY_VALUE(auto sum, read_sum(database_, table));
    if (!sum) return store_sum(database_, table);
  }
  return {};
}

}  // namespace weft::store::sql

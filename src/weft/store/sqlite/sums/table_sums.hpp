// TableSums: the sums of a store in SQLite (sums.hpp), in the table `table_sums`.
//
// SQLite calls a hook with every row that a connection inserts, changes or deletes, in the shadow
// tables of FTS5 too. So no writer has to report its rows, and none can forget to. The file itself
// has no triggers: other programs can open and change it, and what they change then shows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/store/sql/database.hpp"
#include "weft/store/sql/sums/sums.hpp"

namespace weft::store::sql {

// The tables that have sums: all but those of SQLite, virtual ones, and `table_sums`, which has a
// sum of its own. By name.
Result<std::vector<std::string>> summed_tables(const PlainDatabase& database);
// See Sums.
Result<TableSum> sum_rows(const PlainDatabase& database, std::string_view table);
// Empty in a store before version 9, too.
Result<std::optional<TableSum>> find_sum(const PlainDatabase& database, std::string_view table);
// False in a store before version 9.
Result<bool> has_all_sums(const PlainDatabase& database);

// Computes and stores the sum of a table, or of all, in the transaction that the caller has begun.
Status store_sum(const PlainDatabase& database, std::string_view table);
Status store_all_sums(const PlainDatabase& database);
// Removes the sums of tables that are not there any more.
Status remove_sums_of_dropped(const PlainDatabase& database);

// Takes the hooks of its connection when it begins to follow it: SQLite then refuses a commit
// without flush(). In a store that does not have all sums yet, flush() also computes one that is
// missing, so that a few commits complete them.
class TableSums final : public Sums {
 public:
  // `database` outlives it.
  explicit TableSums(const PlainDatabase& database) : database_(database) {}
  TableSums(const TableSums&) = delete;
  TableSums& operator=(const TableSums&) = delete;
  ~TableSums() override;

  Result<std::vector<std::string>> tables() override { return summed_tables(database_); }
  Result<bool> are_complete() override { return has_all_sums(database_); }
  Result<std::optional<TableSum>> find(std::string_view table) override {
    return find_sum(database_, table);
  }
  Result<TableSum> compute(std::string_view table) override { return sum_rows(database_, table); }

  void follow() override;
  Status flush() override;
  Status recount(std::string_view prefix) override;
  Status store_all() override { return store_all_sums(database_); }
  Result<bool> mend(std::string_view table) override;

 private:
  struct Change {
    std::string table;
    TableSum by{};
  };
  struct Hooks;  // what SQLite calls
  void set_paused(bool is_paused) override { is_paused_ = is_paused; }
  TableSum& change_of(const char* table);
  Status fill_one();

  const PlainDatabase& database_;
  RowHasher hasher_;
  std::vector<Change> changes_;  // of this transaction, by table; few
  std::size_t last_change_ = 0;  // the one that was asked for last
  bool follows_ = false;
  bool is_paused_ = false;
  bool is_complete_ = false;  // no sum is missing
};

}  // namespace weft::store::sql

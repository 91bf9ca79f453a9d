// TableSums: keeps, for every table of a store, the number of its rows and the sum of their hashes,
// in the table `table_sums`.
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
#include "weft/store/sqlite/sums/row_hash.hpp"

namespace weft::store::sql {

// The tables that have sums: all but those of SQLite, virtual ones, and `table_sums`, which has a
// sum of its own. By name.
Result<std::vector<std::string>> summed_tables(const Database& database);
// The sum of the rows that are in a table now. Precondition: it is one of summed_tables(), or
// table_sums.
Result<TableSum> sum_rows(const Database& database, std::string_view table);
// The sum as it is stored. Empty if the table has none yet, and in a store before version 9.
Result<std::optional<TableSum>> find_sum(const Database& database, std::string_view table);
// Whether all tables have sums.
Result<bool> has_all_sums(const Database& database);

// Computes and stores the sum of a table, or of all, in the transaction that the caller has begun.
Status store_sum(const Database& database, std::string_view table);
Status store_all_sums(const Database& database);

// Follows one connection for writing, whose hooks it takes. Begin it outside of a transaction.
//
//   TableSums sums(database);
//   … change rows in a transaction …
//   WEFT_TRY(sums.flush());  // before each commit: SQLite refuses one without
class TableSums {
 public:
  // `database` outlives it.
  explicit TableSums(const Database& database);
  TableSums(const TableSums&) = delete;
  TableSums& operator=(const TableSums&) = delete;
  ~TableSums();

  // Stores the sums as the transaction leaves them. In a store that does not have all of them yet,
  // also computes one that is missing, so that a few commits complete them.
  Status flush();
  // Computes the sums of tables from their rows, as far as they have sums: SQLite reports no rows
  // of a table that is dropped. `prefix` is the beginning of their names.
  Status recount(std::string_view prefix);

  // While it lives, changed rows do not count: for mending, after which the stored sum shows
  // whether the rows are what they were.
  class Pause {
   public:
    explicit Pause(TableSums& sums) : sums_(sums) { sums_.is_paused_ = true; }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;
    ~Pause() { sums_.is_paused_ = false; }

   private:
    TableSums& sums_;
  };

 private:
  struct Change {
    std::string table;
    TableSum by{};
  };
  struct Hooks;  // what SQLite calls
  TableSum& change_of(const char* table);
  Status fill_one();

  const Database& database_;
  RowHasher hasher_;
  std::vector<Change> changes_;  // of this transaction, by table; few
  std::size_t last_change_ = 0;  // the one that was asked for last
  bool is_paused_ = false;
  bool is_complete_ = false;  // no sum is missing
};

}  // namespace weft::store::sql

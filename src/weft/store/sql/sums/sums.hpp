// Sums: for every table of a store, the number of its rows and the sum of their hashes
// (docs/formats/store.md, "Sums"), as far as its database can keep them.
//
//   sums.follow();                // once, outside of a transaction
//   … change rows in a transaction …
//   WEFT_TRY(sums.flush());       // before each commit
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/store/sql/sums/row_hash.hpp"

namespace weft::store::sql {

// Implementations: SQLite (store/sqlite/sums/table_sums.hpp). One connection to the database. For
// one thread at a time.
class Sums {
 public:
  virtual ~Sums() = default;

  // The tables that have sums, by name; none where the database keeps no sums.
  virtual Result<std::vector<std::string>> tables() = 0;
  // Whether all of them have their sums.
  virtual Result<bool> are_complete() = 0;
  // The sum as it is stored. Empty if the table has none.
  virtual Result<std::optional<TableSum>> find(std::string_view table) = 0;
  // The sum of the rows that are in the table now. Precondition: it is one of tables(), or the
  // table of sums.
  virtual Result<TableSum> compute(std::string_view table) = 0;

  // --- for writers -----------------------------------------------------------------------
  // Counts the rows that this connection changes, from now on.
  virtual void follow() = 0;
  // Stores the sums as the transaction leaves them.
  virtual Status flush() = 0;
  // Computes the sums of tables from their rows, as far as they have sums: those of a table that is
  // dropped are not counted. `prefix` is the beginning of their names.
  virtual Status recount(std::string_view prefix) = 0;
  // Computes and stores all of them.
  virtual Status store_all() = 0;
  // Undoes a single changed bit in a table, or removes a row that was added, if the sum tells
  // which. True if the table is then what it was.
  virtual Result<bool> mend(std::string_view table) = 0;

  // While it lives, changed rows do not count: for mending, after which the stored sum shows
  // whether the rows are what they were.
  class Pause {
   public:
    explicit Pause(Sums& sums) : sums_(sums) { sums_.set_paused(true); }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;
    ~Pause() { sums_.set_paused(false); }

   private:
    Sums& sums_;
  };

 protected:
  virtual void set_paused(bool is_paused) = 0;
};

}  // namespace weft::store::sql

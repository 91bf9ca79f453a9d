// RowSeeker: the rows of a late table in any order of conversations. As long as they are asked for
// in the order of the table, it reads on from row to row.
#pragma once

#include <limits>
#include <memory>
#include <optional>

#include "weft/base/try.hpp"
#include "weft/store/pages/pack.hpp"
#include "weft/store/sql/database.hpp"

namespace weft::store::sql {

class RowSeeker {
 public:
  // Of a table that is not there.
  RowSeeker() = default;
  // `rows` selects the conversation and columns of the rows from a conversation on, which is its
  // only parameter, sorted by conversation. The database outlives this.
  RowSeeker(const Database& database, Sql rows) : database_(&database), sql_(rows) {}

  // Moves to the row of a conversation; false if it has none.
  Result<bool> find(Id conversation) {
    if (database_ == nullptr) return false;
    if (!rows_ || conversation < at_ || (conversation > at_ && !step_to(conversation))) {
      rows_.reset();  // the statement is free again
      rows_ = std::make_unique<Rows>(database_->query(*sql_, conversation));
      step();
    }
    WEFT_TRY(rows_->status());
    return at_ == conversation;
  }

  // Precondition: find() returned true.
  const Rows& row() const { return *rows_; }

 private:
  // Stepping over a few rows is faster than to look for one.
  static constexpr int kNear = 4;
  static constexpr Id kEnd = std::numeric_limits<Id>::max();

  void step() { at_ = rows_->next() ? rows_->integer(0) : kEnd; }
  // False if it is farther away.
  bool step_to(Id conversation) {
    for (int i = 0; i < kNear && at_ < conversation; ++i) step();
    return at_ >= conversation;
  }

  const Database* database_ = nullptr;
  std::optional<Sql> sql_{};
  std::unique_ptr<Rows> rows_{};
  Id at_ = 0;  // the conversation of the row; kEnd after the last one
};

}  // namespace weft::store::sql

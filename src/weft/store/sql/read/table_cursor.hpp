// TableCursor: the rows of a late table beside a list of conversations, both in the order of their
// ids, so that a whole table is read from its beginning to its end.
//
//   TableCursor tallies(database.query("SELECT conversation, … ORDER BY conversation", …));
//   for (const Id id : ids) {
//     if (tallies.find(id)) read(tallies.row());
//   }
//   WEFT_TRY(tallies.status());
#pragma once

#include <memory>
#include <utility>

#include "weft/store/pages/pack.hpp"
#include "weft/store/sql/database.hpp"

namespace weft::store::sql {

class TableCursor {
 public:
  // An empty one, of a table that is not there.
  TableCursor() = default;
  // The first column is the conversation; rows are sorted by it.
  explicit TableCursor(Rows rows) : rows_(std::make_unique<Rows>(std::move(rows))) { step(); }

  // Moves to the next row of a conversation; false if it has no more. Call it with conversations in
  // ascending order.
  bool find(Id conversation) {
    while (is_there_ && rows_->integer(0) < conversation) step();
    return is_there_ && rows_->integer(0) == conversation;
  }
  // Leaves the row, so that find() moves on to the next one of the same conversation.
  void step() { is_there_ = rows_->next(); }

  // Precondition: find() returned true.
  const Rows& row() const { return *rows_; }
  Status status() const { return rows_ ? rows_->status() : Status(); }

 private:
  std::unique_ptr<Rows> rows_{};
  bool is_there_ = false;
};

}  // namespace weft::store::sql

#include "weft/sql/database.hpp"

#include "weft/base/try.hpp"

namespace weft::sql {

Result<Transaction> Transaction::begin(const Database& database, Kind kind) {
  Connection& connection = database.connection();
  if (kind == Kind::deferred && connection.is_in_transaction()) return Transaction(nullptr);
  WEFT_TRY(connection.begin(kind));
  return Transaction(&connection);
}

Status Transaction::commit() {
  if (connection_ == nullptr) return {};
  WEFT_TRY(connection_->commit());
  connection_ = nullptr;
  return {};
}

}  // namespace weft::sql

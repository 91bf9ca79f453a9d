#include "weft/sql/rows.hpp"

namespace weft::sql {

void Rows::end(Cursor::Step step) {
  if (step == Cursor::Step::failed) error_ = std::make_unique<Error>(cursor_->error());
  std::exchange(cursor_, nullptr)->close();
}

}  // namespace weft::sql

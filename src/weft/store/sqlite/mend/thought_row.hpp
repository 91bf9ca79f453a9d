// ThoughtRow: a row of `thoughts` that is changed while it is mended.
#pragma once

#include <optional>
#include <string>

#include "weft/store/sql/database.hpp"
#include "weft/store/sql/read/thought_columns.hpp"

namespace weft::store::sql {

struct ThoughtRow {
  Id id = 0, type = 0, created_by = 0;
  Millis created_at = 0;
  std::optional<Id> source{};
  std::optional<std::string> because{};
  std::string signature{};
  std::optional<std::string> metadata{}, content{};
  std::string body{};

  static ThoughtRow of(const Rows& row);
  // Points into this.
  ThoughtColumns columns() const;
};

Result<std::optional<ThoughtRow>> find_row(const Database& database, Id id);
// Changes the stored row with its id. One that was removed meanwhile stays so.
Status update_row(const Database& database, const ThoughtRow& row);
Status insert_row(const Database& database, const ThoughtRow& row);

}  // namespace weft::store::sql

// A row of `thoughts`, as its columns are: stored, or as they might be.
#pragma once

#include <optional>
#include <string_view>

#include "weft/base/time.hpp"
#include "weft/store/pages/pack.hpp"
#include "weft/store/sql/database.hpp"

namespace weft::store::sql {

// Views point into the row that it was made of.
struct ThoughtColumns {
  Id id = 0, type = 0, created_by = 0;
  Millis created_at = 0;
  std::optional<Id> source{};
  std::string_view because{}, signature{};
  std::optional<std::string_view> metadata{}, content{};
  std::string_view body{};

  // Of a whole row of the table, as `SELECT *` gives it: migrations only append columns.
  static ThoughtColumns of(const Rows& row) {
    return {.id = row.integer(0),
            .type = row.integer(1),
            .created_by = row.integer(2),
            .created_at = row.integer(3),
            .source = row.find_integer(4),
            .because = row.bytes(5),
            .signature = row.bytes(6),
            .metadata = row.find_bytes(7),
            .content = row.find_bytes(8),
            .body = row.bytes(9)};
  }
};

}  // namespace weft::store::sql

// Searches for the changed bit of a row of `thoughts`, column by column, cheapest first: the row
// with that bit changed back hashes to its CID.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "weft/store/sql/read/reader.hpp"
#include "weft/store/sqlite/mend/thought_row.hpp"

namespace weft::store::sql {

struct SearchLimits {
  unsigned threads = 1;
  std::uint64_t budget_bytes = 0;  // that are hashed
};

struct FoundRow {
  std::optional<ThoughtRow> row{};  // as it was; empty if no single bit explains the damage
  std::string_view column{};        // in which the bit was found
  bool is_cut_off = false;          // the budget was used up before all bits were tried
};

// Signatures are not looked at. The reader is used on this thread alone.
FoundRow find_changed_bit(Reader& reader, const ThoughtRow& row, const Cid& cid,
                          const SearchLimits& limits);

}  // namespace weft::store::sql

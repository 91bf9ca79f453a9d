// The late table `tallies`: the figures of each conversation, in total and, in `tally_days`, by
// quarter of an hour.
#pragma once

#include "weft/store/sql/late/tally_counting.hpp"

namespace weft::store::sql {

const LateTable& tally_table();

// The totals of a row, from its three columns: `column` is the first of them.
Status read_totals(const crypto::Keyring* keyring, Id conversation, const Rows& row, int column,
                   ReadTally& out);
// The quarters of a day, likewise.
Status read_day(const crypto::Keyring* keyring, Id conversation, std::int64_t day, const Rows& row,
                int column, ReadTally& out);

}  // namespace weft::store::sql

// Adds up packed tallies without unpacking each: for sums over thousands of conversations.
#pragma once

#include <string_view>

#include "weft/base/result.hpp"
#include "weft/store/tables/tally.hpp"

namespace weft::store {

// Adds what unpack_totals() would return to `sum`. corrupt if the bytes cannot be read: `sum` is
// not to be used then.
Status add_totals(std::string_view bytes, Totals& sum);

}  // namespace weft::store

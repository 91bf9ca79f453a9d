// The prices that weft is built with: data/prices.tsv.
#pragma once

#include <string_view>

namespace weft::query {

std::string_view built_in_prices();

}  // namespace weft::query

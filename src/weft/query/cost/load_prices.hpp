// The prices of a home: those that weft is built with, those that were imported, and those that the
// configuration overrides.
#pragma once

#include <filesystem>

#include "weft/base/json.hpp"
#include "weft/query/cost/price_table.hpp"

namespace weft::query {

// Imported prices, in the home.
inline constexpr std::string_view kPricesFile = "prices.tsv";

// The rows of a model come from `overrides` (the member `prices` of config.json), else from
// `home`/prices.tsv, else from the program. invalid_input names the file and what is wrong.
Result<PriceTable> load_prices(const std::filesystem::path& home, const json::object& overrides);

// Rows of config.json's `prices`: {"model": {"input": 3, "output": 15, "cache_read": 0.3, …}}, in
// dollars per million tokens.
Result<std::vector<Price>> parse_overrides(const json::object& overrides);

// Rows from the JSON of LiteLLM (model_prices_and_context_window.json) or of models.dev (api.json):
// its chat models with a price. invalid_input if it is neither.
Result<std::vector<Price>> import_prices(std::string_view text, std::string_view source);

}  // namespace weft::query

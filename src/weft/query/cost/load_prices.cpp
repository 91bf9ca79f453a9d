#include "weft/query/cost/load_prices.hpp"

#include "weft/base/regular_file.hpp"
#include "weft/base/try.hpp"
#include "weft/query/cost/built_in_prices.hpp"

namespace weft::query {
namespace {

constexpr std::size_t kMaxPriceBytes = 16u << 20;

}  // namespace

Result<std::vector<Price>> parse_overrides(const json::object& overrides) {
  std::vector<Price> rows;
  for (const auto& [model, value] : overrides) {
    const auto wrong = [&](std::string_view what) {
      return fail(ErrorCode::invalid_input,
                  "for \"" + std::string(model) + "\" " + std::string(what));
    };
    const json::object* rates = value.if_object();
    if (rates == nullptr) return wrong("is not an object");
    Price price{.model = std::string(model), .source = "config.json"};
    for (const auto& [name, rate] : *rates) {
      const std::optional<double> number = find_rate(*rates, name);
      if (!number) return wrong("has a \"" + std::string(name) + "\" that is not a price");
      if (name == "input") price.input = *number;
      else if (name == "output") price.output = *number;
      else if (name == "cache_read") price.cache_read = number;
      else if (name == "cache_write_5m") price.cache_write_5m = number;
      else if (name == "cache_write_1h") price.cache_write_1h = number;
      else
        return wrong("has an unknown member \"" + std::string(name) +
                     "\"; the members are input, output, cache_read, cache_write_5m, "
                     "cache_write_1h");
    }
    if (!rates->contains("input") || !rates->contains("output")) {
      return wrong("needs \"input\" and \"output\"");
    }
    rows.push_back(std::move(price));
  }
  return rows;
}

Result<PriceTable> load_prices(const std::filesystem::path& home, const json::object& overrides) {
  WEFT_TRY_VALUE(auto table, PriceTable::parse(built_in_prices(), kPricesFile));
  const std::filesystem::path path = home / kPricesFile;
  Result<std::string> text = read_regular_file(path, kMaxPriceBytes, Readers::anyone);
  if (!text && text.error().code != ErrorCode::not_found) return fail(std::move(text).error());
  if (text) {
    WEFT_TRY_VALUE(const auto imported, PriceTable::parse(*text, path.string()));
    table.replace(imported.rows());
  }
  WEFT_TRY_VALUE(auto rows, parse_overrides(overrides));
  table.replace(std::move(rows));
  return table;
}

}  // namespace weft::query

#include "weft/query/cost/price_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <tuple>

#include "weft/base/hex.hpp"
#include "weft/base/json.hpp"
#include "weft/base/time.hpp"
#include "weft/base/try.hpp"
#include "weft/crypto/blake3.hpp"

namespace weft::query {
namespace {

constexpr std::string_view kPriceColumns =
    "model\tfrom\tabove\tinput\toutput\tcache_read\tcache_write_5m\tcache_write_1h\tsource";
constexpr std::size_t kPriceColumnCount = 9;
constexpr double kMostDollars = 1e6;  // a million tokens of no model cost more

std::vector<std::string_view> cut(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <class Number>
std::optional<Number> to_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<double> to_rate(std::string_view text) {
  const std::optional<double> rate = to_number<double>(text);
  return rate && *rate >= 0 && *rate <= kMostDollars ? rate : std::nullopt;
}

bool is_day(std::string_view text) {
  return text.size() == 10 && text[4] == '-' && parse_iso8601(text).has_value();
}

// What is wrong with a line; empty if nothing is.
std::string parse_row(std::string_view line, Price& price) {
  const std::vector<std::string_view> cells = cut(line, '\t');
  if (cells.size() != kPriceColumnCount) {
    return "has " + std::to_string(cells.size()) + " columns instead of " +
           std::to_string(kPriceColumnCount) + ", separated by tabs";
  }
  price.model = cells[0];
  if (price.model.empty()) return "names no model";
  price.from = cells[1];
  if (!price.from.empty() && !is_day(price.from)) return "\"from\" is not a day as 2026-03-13";
  if (!cells[2].empty()) {
    const auto above = to_number<std::int64_t>(cells[2]);
    if (!above || *above < 0) return "\"above\" is not a number of tokens";
    price.above = *above;
  }
  const auto input = to_rate(cells[3]), output = to_rate(cells[4]);
  if (!input || !output) return "\"input\" or \"output\" is not a price";
  price.input = *input;
  price.output = *output;
  const std::array rates = {&price.cache_read, &price.cache_write_5m, &price.cache_write_1h};
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const std::string_view cell = cells[5 + i];
    if (cell.empty()) continue;
    *rates[i] = to_rate(cell);
    if (!*rates[i]) return "\"" + std::string(cell) + "\" is not a price";
  }
  price.source = cells[8];
  return {};
}

std::string rate_text(std::optional<double> rate) {
  return rate ? canonical_json(json::value(*rate)) : std::string();
}

// Where the digits of a date end a name: "-20251101", "-2025-11-01", "@20251101"; or "-latest".
std::string_view without_date(std::string_view model) {
  const auto ends_with_shape = [&](std::string_view shape) {
    if (model.size() <= shape.size()) return false;
    const std::string_view end = model.substr(model.size() - shape.size());
    return std::ranges::equal(end, shape, [](char c, char s) {
      return s == '0' ? c >= '0' && c <= '9' : s == '-' ? c == '-' || c == '@' : c == s;
    });
  };
  for (const std::string_view shape : {"-0000-00-00", "-00000000", "-latest"}) {
    if (ends_with_shape(shape)) return model.substr(0, model.size() - shape.size());
  }
  return model;
}

}  // namespace

Result<PriceTable> PriceTable::parse(std::string_view text, std::string_view file) {
  std::vector<Price> rows;
  std::size_t number = 0;
  for (std::string_view line : cut(text, '\n')) {
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#') || line == kPriceColumns) continue;
    Price price;
    if (const std::string wrong = parse_row(line, price); !wrong.empty()) {
      return fail(ErrorCode::invalid_input,
                  std::string(file) + ":" + std::to_string(number) + ": " + wrong);
    }
    rows.push_back(std::move(price));
  }
  PriceTable table;
  table.replace(std::move(rows));
  return table;
}

void PriceTable::replace(std::vector<Price> rows) {
  std::set<std::string, std::less<>> models;
  for (const Price& row : rows) models.insert(row.model);
  std::erase_if(rows_, [&](const Price& row) { return models.contains(row.model); });
  std::ranges::move(rows, std::back_inserter(rows_));
  std::ranges::sort(rows_, {}, [](const Price& row) {
    return std::tuple(std::string_view(row.model), std::string_view(row.from), row.above);
  });
}

const Price* PriceTable::find(std::string_view model, std::string_view day,
                              std::int64_t prompt) const {
  return price_for(rows_of(model, day), prompt);
}

std::vector<const Price*> PriceTable::rows_of(std::string_view model, std::string_view day) const {
  model = plain_model(model);
  const auto called = [&](std::string_view name) {
    return std::ranges::equal_range(rows_, name, {},
                                    [](const Price& row) { return std::string_view(row.model); });
  };
  auto rows = called(model);
  if (rows.empty()) rows = called(without_date(model));
  for (std::size_t length = model.size(); rows.empty() && length > 0; --length) {
    rows = called(std::string(model.substr(0, length)) + "*");
  }
  // They are in the order of their days and sizes.
  std::vector<const Price*> in_force;
  for (const Price& row : rows) {
    if (day.empty() || row.from <= day) in_force.push_back(&row);
  }
  return in_force;
}

const Price* price_for(const std::vector<const Price*>& rows, std::int64_t prompt) {
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    if ((*row)->above == 0 || prompt > (*row)->above) return *row;
  }
  return nullptr;
}

std::string PriceTable::text() const {
  std::string out(kPriceColumns);
  out += '\n';
  for (const Price& row : rows_) {
    const std::array<std::string, kPriceColumnCount> cells = {
        row.model,
        row.from,
        row.above == 0 ? "" : std::to_string(row.above),
        rate_text(row.input),
        rate_text(row.output),
        rate_text(row.cache_read),
        rate_text(row.cache_write_5m),
        rate_text(row.cache_write_1h),
        row.source};
    for (std::size_t i = 0; i < cells.size(); ++i) out.append(i == 0 ? "" : "\t").append(cells[i]);
    out += '\n';
  }
  return out;
}

std::string PriceTable::hash() const { return "blake3:" + to_hex(crypto::blake3(text())); }

double cache_read_rate(const Price& price) { return price.cache_read.value_or(price.input); }
double cache_write_5m_rate(const Price& price) {
  return price.cache_write_5m.value_or(price.input);
}
double cache_write_1h_rate(const Price& price) {
  return price.cache_write_1h.value_or(2 * price.input);
}

double cost_of(const transcript::Tokens& tokens, const Price& price) {
  constexpr double kMillion = 1e6;
  return (static_cast<double>(tokens.input) * price.input +
          static_cast<double>(tokens.output) * price.output +
          static_cast<double>(tokens.cache_read) * cache_read_rate(price) +
          static_cast<double>(tokens.cache_write_5m) * cache_write_5m_rate(price) +
          static_cast<double>(tokens.cache_write_1h) * cache_write_1h_rate(price)) /
         kMillion;
}

std::optional<double> find_rate(const json::object& object, std::string_view key) {
  const json::value* value = find_member(object, key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  const double rate = value->to_number<double>();
  return rate >= 0 && rate <= kMostDollars ? std::optional(rate) : std::nullopt;
}

bool is_free(std::string_view model) { return model == "<synthetic>"; }

std::string_view plain_model(std::string_view model) {
  if (const std::size_t slash = model.rfind('/'); slash != std::string_view::npos) {
    model.remove_prefix(slash + 1);
  }
  if (model.ends_with("[1m]")) model.remove_suffix(4);
  return model;
}

}  // namespace weft::query

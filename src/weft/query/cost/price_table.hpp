// Prices of models: rates in dollars per million tokens, by model, day and size of the request.
//
//   PriceTable prices = *PriceTable::parse(text, "prices.tsv");
//   const Price* price = prices.find("claude-opus-4-5-20251101", "2026-01-09",
//   prompt_size(tokens)); if (price != nullptr) dollars += cost_of(tokens, *price);
//
// The text form has one row a line with the columns of docs/formats/prices.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/base/result.hpp"
#include "weft/transcript/request.hpp"

namespace weft::query {

struct Price {
  std::string model{};     // a name, or with a `*` at its end the beginning of names
  std::string from{};      // the first day, as "2026-03-13"; empty if it always held
  std::int64_t above = 0;  // holds for requests with a prompt of more tokens than this
  double input = 0, output = 0;
  // Where a rate is missing: cached tokens cost what input costs, writes for an hour twice that.
  std::optional<double> cache_read{}, cache_write_5m{}, cache_write_1h{};
  std::string source{};  // where the row comes from
};

class PriceTable {
 public:
  // invalid_input names `file`, the line and what is wrong with it.
  static Result<PriceTable> parse(std::string_view text, std::string_view file);

  // Adds rows. Those of a model replace all rows that the table has for it.
  void replace(std::vector<Price> rows);

  // The price of a request: the rows of the model's own name come first, then of the name without
  // its date ("-20251101", "-2025-11-01", "-latest"), then of the longest beginning. Among them
  // those of the latest `from` not after `day`; among them the one of the largest `above` that
  // `prompt` exceeds. Null if no row fits: the price is not known.
  const Price* find(std::string_view model, std::string_view day, std::int64_t prompt) const;
  // For many requests of one model and day: the rows of which the last one that fits a prompt is
  // its price. The table outlives them.
  std::vector<const Price*> rows_of(std::string_view model, std::string_view day) const;

  const std::vector<Price>& rows() const { return rows_; }  // by model, day and size
  std::string text() const;
  std::string hash() const;  // "blake3:" and the hex digits of the text's hash

 private:
  std::vector<Price> rows_;
};

// The price of a request by rows_of(); null if none fits.
const Price* price_for(const std::vector<const Price*>& rows, std::int64_t prompt);

// In dollars: every token at the rates of this row.
double cost_of(const transcript::Tokens& tokens, const Price& price);

// The rates that hold where a row leaves one out.
double cache_read_rate(const Price& price);
double cache_write_5m_rate(const Price& price);
double cache_write_1h_rate(const Price& price);

// A price in JSON: a member that is a number and not negative.
std::optional<double> find_rate(const json::object& object, std::string_view key);

// Claude Code writes this for messages of its own, which no model was asked for: they are free.
bool is_free(std::string_view model);

// The model as prices name it: without the path of a provider ("anthropic/…") and the mark of a
// longer context ("…[1m]").
std::string_view plain_model(std::string_view model);

}  // namespace weft::query

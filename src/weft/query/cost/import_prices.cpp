// Prices from the JSON that LiteLLM and models.dev publish.
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include "weft/base/try.hpp"
#include "weft/query/cost/load_prices.hpp"

namespace weft::query {
namespace {

// LiteLLM gives dollars per token.
std::optional<double> per_million(const json::object& model, const std::string& key) {
  const std::optional<double> rate = find_rate(model, key);
  // Without the digits that the product has beyond those of the price.
  return rate ? std::optional(std::round(*rate * 1e12) / 1e6) : std::nullopt;
}

// The line of "input_cost_per_token_above_200k_tokens"; 0 for another name.
std::int64_t line_of(std::string_view key) {
  constexpr std::string_view kBefore = "input_cost_per_token_above_", kAfter = "k_tokens";
  if (!key.starts_with(kBefore) || !key.ends_with(kAfter)) return 0;
  key.remove_prefix(kBefore.size());
  key.remove_suffix(kAfter.size());
  std::int64_t thousands = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), thousands);
  return error == std::errc() && end == key.data() + key.size() ? thousands * 1000 : 0;
}

void add_litellm(const std::string& name, const json::object& model, std::string_view source,
                 std::vector<Price>& rows) {
  const auto put = [&](std::int64_t above, const std::string& suffix) {
    const auto input = per_million(model, "input_cost_per_token" + suffix);
    const auto output = per_million(model, "output_cost_per_token" + suffix);
    if (!input || !output) return;
    const std::string write = "cache_creation_input_token_cost";
    rows.push_back({.model = name,
                    .above = above,
                    .input = *input,
                    .output = *output,
                    .cache_read = per_million(model, "cache_read_input_token_cost" + suffix),
                    .cache_write_5m = per_million(model, write + suffix),
                    .cache_write_1h = per_million(model, write + "_above_1hr" + suffix),
                    .source = std::string(source)});
  };
  put(0, "");
  for (const auto& [key, rate] : model) {
    if (const std::int64_t line = line_of(key); line > 0) {
      put(line, "_above_" + std::to_string(line / 1000) + "k_tokens");
    }
  }
}

void add_models_dev(const std::string& name, const json::object& cost, std::string_view source,
                    std::vector<Price>& rows) {
  const auto put = [&](std::int64_t above, const json::object& rates) {
    const auto input = find_rate(rates, "input"), output = find_rate(rates, "output");
    if (!input || !output) return;
    rows.push_back({.model = name,
                    .above = above,
                    .input = *input,
                    .output = *output,
                    .cache_read = find_rate(rates, "cache_read"),
                    .cache_write_5m = find_rate(rates, "cache_write"),
                    .source = std::string(source)});
  };
  put(0, cost);
  if (const json::object* large = find_object(cost, "context_over_200k")) put(200'000, *large);
}

// A tab or a line end in a name would break the table.
bool is_plain(std::string_view name) {
  return !name.empty() && name.find_first_of("\t\r\n") == std::string_view::npos;
}

}  // namespace

Result<std::vector<Price>> import_prices(std::string_view text, std::string_view source) {
  const Result<ParsedJson> parsed = parse_json(text);
  if (!parsed) return fail(parsed.error());
  const json::object* top = parsed->value.if_object();
  std::map<std::string, std::vector<Price>> by_model;  // the first provider of a name counts
  for (const auto& [key, value] : top == nullptr ? json::object() : *top) {
    const json::object* entry = value.if_object();
    if (entry == nullptr || !is_plain(key)) continue;
    const json::object* models = find_object(*entry, "models");
    if (models == nullptr) {
      // LiteLLM repeats models under the paths of other providers, at their prices.
      const std::string name(key);
      if (name.find('/') != std::string::npos || name == "sample_spec") continue;
      std::vector<Price> rows;
      add_litellm(name, *entry, source, rows);
      if (!rows.empty()) by_model.try_emplace(name, std::move(rows));
      continue;
    }
    for (const auto& [id, model] : *models) {
      const json::object* object = model.if_object();
      const json::object* cost = object == nullptr ? nullptr : find_object(*object, "cost");
      if (cost == nullptr || !is_plain(id)) continue;
      std::vector<Price> rows;
      add_models_dev(std::string(plain_model(id)), *cost, source, rows);
      if (rows.empty()) continue;
      // The maker's own prices count, not those of somebody who resells the model.
      const bool is_maker = key == "anthropic" || key == "openai" || key == "google";
      std::string name = rows.front().model;
      if (is_maker) by_model.insert_or_assign(std::move(name), std::move(rows));
      else by_model.try_emplace(std::move(name), std::move(rows));
    }
  }
  std::vector<Price> all;
  for (auto& [name, rows] : by_model) {
    for (Price& row : rows) all.push_back(std::move(row));
  }
  if (all.empty()) {
    return fail(ErrorCode::invalid_input,
                "no prices found; expected LiteLLM's model_prices_and_context_window.json or the "
                "api.json of models.dev");
  }
  return all;
}

}  // namespace weft::query

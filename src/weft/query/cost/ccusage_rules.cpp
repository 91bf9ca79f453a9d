#include "weft/query/cost/ccusage_rules.hpp"

#include <limits>

namespace weft::query {
namespace {

// The tokens of one kind: those beyond the line at the larger rate.
double split_cost(std::int64_t tokens, double rate, double larger_rate, std::int64_t line) {
  const std::int64_t beyond = line > 0 && tokens > line ? tokens - line : 0;
  return (static_cast<double>(tokens - beyond) * rate + static_cast<double>(beyond) * larger_rate) /
         1e6;
}

}  // namespace

bool is_read_by_ccusage(std::string_view format) {
  return format == "claude-code" || format == "codex";
}

std::optional<double> ccusage_cost(const store::RequestEntry& request, std::string_view model,
                                   const PriceTable& prices, bool is_codex) {
  if (request.stated_cost) return static_cast<double>(*request.stated_cost) / 1e9;
  if (is_codex && model.empty()) model = "gpt-5";
  const transcript::Tokens& tokens = request.tokens;
  if (is_codex) {
    const Price* price = prices.find(model, "", prompt_size(tokens));
    return price == nullptr ? std::nullopt : std::optional(cost_of(tokens, *price));
  }
  const Price* base = prices.find(model, "", 0);
  if (base == nullptr) return std::nullopt;
  const Price* large = prices.find(model, "", std::numeric_limits<std::int64_t>::max());
  const std::int64_t line = large->above;
  // It knows no rate of its own for writes that are kept for an hour.
  return split_cost(tokens.input, base->input, large->input, line) +
         split_cost(tokens.output, base->output, large->output, line) +
         split_cost(tokens.cache_read, cache_read_rate(*base), cache_read_rate(*large), line) +
         split_cost(tokens.cache_write_5m, cache_write_5m_rate(*base), cache_write_5m_rate(*large),
                    line) +
         split_cost(tokens.cache_write_1h, 2 * base->input, 2 * large->input, line);
}

}  // namespace weft::query

#include "weft/query/cost/token_totals.hpp"

#include <algorithm>
#include <array>

#include "weft/query/cost/requests.hpp"

namespace weft::query {
namespace {

// The formats whose totals count cached tokens as input, too.
constexpr std::array<std::string_view, 5> kCacheInInput = {"codex", "openai", "litellm", "gemini",
                                                           "qwen"};

transcript::Tokens tokens_in_facts(std::string_view format, const transcript::Usage& usage) {
  if (std::ranges::find(kCacheInInput, format) != kCacheInInput.end()) {
    return transcript::tokens_with_cache_inside(usage.input, usage.output, usage.cache_read,
                                                usage.cache_write, 0);
  }
  return {.input = usage.input,
          .output = usage.output,
          .cache_read = usage.cache_read,
          .cache_write_5m = usage.cache_write};
}

}  // namespace

Result<TokenTotals> token_totals(const Library& library,
                                 const std::optional<store::ConversationRow>& one,
                                 const QueryControl& control) {
  store::RequestsRequest request{.with_names = one.has_value(), .keyring = library.keyring};
  if (one) request.filter = {.format = one->format, .session_id = one->session_id};
  request.takes_sum = [](const store::RequestSum&) { return true; };
  request.go_on = [&](std::uint64_t, std::uint64_t) { return !control.is_off(); };
  TokenTotals totals;
  const auto add = [&](const store::ConversationRequests& counted) {
    for (const store::RequestEntry& entry : counted.requests) add_to(totals.tokens, entry.tokens);
    for (const store::RequestSum& sum : counted.sums) add_to(totals.tokens, sum.tokens);
  };
  CountedOnce once(CopyRule::first_holder);
  store::ModelNames models;
  const auto rows = library.web.each_requests(
      request, models, [&](store::ConversationRequests& counted) -> Status {
        if (one && counted.row.cid != one->cid) return {};
        if (counted.stated) {
          add_to(totals.tokens, tokens_in_facts(counted.row.format, *counted.stated));
        }
        once.sift(counted);
        add(counted);
        return {};
      });
  if (!rows && control.is_off()) return called_off();
  if (!rows) return fail(Error(rows.error()));
  for (const store::ConversationRequests& rest : once.take_rest()) add(rest);
  totals.rows = *rows;
  return totals;
}

}  // namespace weft::query

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
  store::RequestsRequest request{.keyring = library.keyring};
  if (one) request.filter = {.format = one->format, .session_id = one->session_id};
  request.go_on = [&](std::uint64_t, std::uint64_t) { return !control.is_off(); };
  Result<store::RequestTable> table = library.web.requests(request);
  if (!table && control.is_off()) return called_off();
  if (!table) return fail(std::move(table).error());
  TokenTotals totals{.rows = table->rows};
  if (one) {
    std::erase_if(table->conversations, [&](const store::ConversationRequests& other) {
      return other.row.cid != one->cid;
    });
  }
  drop_copies(table->conversations, CopyRule::first_holder);
  for (const store::ConversationRequests& counted : table->conversations) {
    if (counted.stated) add_to(totals.tokens, tokens_in_facts(counted.row.format, *counted.stated));
    for (const store::RequestEntry& entry : counted.requests) {
      add_to(totals.tokens, entry.tokens);
    }
  }
  return totals;
}

}  // namespace weft::query

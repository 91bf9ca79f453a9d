#include "weft/query/cost/token_totals.hpp"

#include <algorithm>
#include <array>

#include "weft/base/try.hpp"
#include "weft/query/ask/facts.hpp"

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
                                 const std::vector<store::ConversationRow>& rows,
                                 const QueryControl& control) {
  TokenTotals totals;
  std::vector<ConversationRequests> all;
  for (const store::ConversationRow& row : rows) {
    if (control.is_off()) return called_off();
    WEFT_TRY_VALUE(auto one, requests_of(library, row));
    if (!one.requests.empty()) {
      all.push_back(std::move(one));
    } else if (const auto usage = read_facts(library, row).known.facts.usage) {
      add_to(totals.tokens, tokens_in_facts(row.format, *usage));
    } else {
      totals.unknown.push_back(row);
    }
  }
  drop_copies(all, CopyRule::first_holder);
  for (const ConversationRequests& one : all) {
    for (const thought::CountedRequest& request : one.requests) {
      add_to(totals.tokens, request.counts.tokens);
    }
  }
  return totals;
}

}  // namespace weft::query

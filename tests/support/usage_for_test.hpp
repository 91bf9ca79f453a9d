// Tokens of conversations, read from their usage thoughts one by one: the plain way, to compare
// answers with.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "weft/query/library.hpp"
#include "weft/thought/seal.hpp"
#include "weft/thought/usage.hpp"

namespace weft {

struct UsedTokens {
  std::uint64_t requests = 0;
  transcript::Tokens tokens{};
};

// Each request of all conversations once, at the oldest conversation that has it.
inline UsedTokens used_tokens(const query::Library& library) {
  using thought::CountedRequest;
  auto rows = library.web.conversations({}).value();
  std::ranges::sort(rows, {}, [](const store::ConversationRow& row) {
    return std::tuple(row.created_at, row.cid);
  });
  std::vector<CountedRequest> all;
  for (const store::ConversationRow& row : rows) {
    std::map<std::pair<std::uint64_t, std::uint64_t>, CountedRequest> best;
    for (const Cid& cid : library.web.usage_of(row.cid).value()) {
      const auto usage = library.web.get_without_path(cid).value();
      for (const auto& request :
           thought::parse_usage(thought::open_content(usage, library.keyring))) {
        const auto [at, is_new] = best.try_emplace(request.key(), request);
        if (!is_new && thought::is_better(request.counts, at->second.counts)) at->second = request;
      }
    }
    std::vector<CountedRequest> own;
    for (const auto& [key, request] : best) own.push_back(request);
    std::ranges::sort(own, {}, [](const CountedRequest& request) {
      return std::tuple(request.counts.time, request.message, request.request);
    });
    all.insert(all.end(), own.begin(), own.end());
  }
  UsedTokens used;
  std::set<std::pair<std::uint64_t, std::uint64_t>> keys;
  std::set<std::uint64_t> messages;
  // What may repeat another request comes last.
  const auto may_repeat = [](const CountedRequest& request) {
    return request.counts.is_sidechain || request.request == 0;
  };
  std::ranges::stable_partition(all, [&](const auto& request) { return !may_repeat(request); });
  for (const CountedRequest& request : all) {
    if (may_repeat(request) && messages.contains(request.message)) continue;
    messages.insert(request.message);
    if (!keys.insert(request.key()).second) continue;
    ++used.requests;
    add_to(used.tokens, request.counts.tokens);
  }
  return used;
}

}  // namespace weft

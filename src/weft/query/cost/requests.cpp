#include "weft/query/cost/requests.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {
namespace {

using thought::CountedRequest;

// The names that were counted, in one scope: everywhere, or in one session.
struct CountedNames {
  std::set<std::pair<std::uint64_t, std::uint64_t>> requests{};
  std::unordered_set<std::uint64_t> messages{};
};

}  // namespace

Result<ConversationRequests> requests_of(const Library& library,
                                         const store::ConversationRow& row) {
  ConversationRequests found{.row = row};
  WEFT_TRY_VALUE(const auto cids, library.web.usage_of(row.cid));
  std::map<std::pair<std::uint64_t, std::uint64_t>, CountedRequest> best;
  for (const Cid& cid : cids) {
    WEFT_TRY_VALUE(const auto thought, library.web.get_without_path(cid));
    const json::object content = thought::open_content(thought, library.keyring);
    found.is_sealed = found.is_sealed || content.contains("$layers");
    for (CountedRequest& request : thought::parse_usage(content)) {
      const auto [at, is_new] = best.try_emplace(request.key(), request);
      if (!is_new && thought::is_better(request.counts, at->second.counts))
        at->second = std::move(request);
    }
  }
  found.requests.reserve(best.size());
  for (auto& [key, request] : best) found.requests.push_back(std::move(request));
  std::ranges::sort(found.requests, {}, [](const CountedRequest& request) {
    return std::tuple(request.counts.time.value_or(0), request.message, request.request);
  });
  return found;
}

void drop_copies(std::vector<ConversationRequests>& all, CopyRule rule) {
  std::vector<ConversationRequests*> order;
  for (ConversationRequests& one : all) order.push_back(&one);
  std::ranges::sort(order, {}, [](const ConversationRequests* one) {
    return std::tuple(one->row.created_at, one->row.cid);
  });
  std::map<std::string, CountedNames> scopes;
  // A sidechain may repeat a request of its parent under another name, and another recording of the
  // same session may leave the name of the request out. What they repeat is counted first.
  const auto may_repeat = [](const CountedRequest& request) {
    return request.counts.is_sidechain || request.request == 0;
  };
  for (const bool are_repeats : {false, true}) {
    for (ConversationRequests* one : order) {
      CountedNames& counted =
          scopes[rule == CopyRule::by_session ? one->row.session_id : std::string()];
      std::erase_if(one->requests, [&](const CountedRequest& request) {
        if (may_repeat(request) != are_repeats) return false;
        if (are_repeats && counted.messages.contains(request.message)) return true;
        counted.messages.insert(request.message);
        return !counted.requests.insert(request.key()).second;
      });
    }
  }
}

}  // namespace weft::query

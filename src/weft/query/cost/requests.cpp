#include "weft/query/cost/requests.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "weft/store/tables/name_set.hpp"

namespace weft::query {
namespace {

using store::ConversationRequests;
using store::NameSet;
using store::RequestEntry;

// A sidechain may repeat a request of its parent under another name, and another recording of the
// same session may leave the name of the request out. What they repeat is counted first.
bool may_repeat(const RequestEntry& request) {
  return request.is_sidechain || request.request == 0;
}

// Removes copies from conversations in one scope: everywhere, or in one session.
void drop_copies_in(const std::vector<ConversationRequests*>& scope) {
  std::size_t count = 0;
  bool has_repeats = false;
  for (const ConversationRequests* one : scope) {
    count += one->requests.size();
    has_repeats = has_repeats || std::ranges::any_of(one->requests, may_repeat);
  }
  NameSet counted(count);
  for (ConversationRequests* one : scope) {
    std::erase_if(one->requests, [&](const RequestEntry& request) {
      return !may_repeat(request) && !counted.insert(request.message, request.request);
    });
  }
  if (!has_repeats) return;
  NameSet messages(count);
  for (const ConversationRequests* one : scope) {
    for (const RequestEntry& request : one->requests) {
      if (!may_repeat(request)) messages.insert(request.message, 0);
    }
  }
  for (ConversationRequests* one : scope) {
    std::erase_if(one->requests, [&](const RequestEntry& request) {
      return may_repeat(request) && !messages.insert(request.message, 0);
    });
  }
}

}  // namespace

void drop_copies(std::vector<ConversationRequests>& all, CopyRule rule) {
  std::vector<ConversationRequests*> order;
  for (ConversationRequests& one : all) order.push_back(&one);
  std::ranges::sort(order, {}, [](const ConversationRequests* one) {
    return std::tuple(one->row.created_at, one->row.cid);
  });
  if (rule == CopyRule::first_holder) return drop_copies_in(order);
  std::map<std::string, std::vector<ConversationRequests*>> sessions;
  for (ConversationRequests* one : order) sessions[one->row.session_id].push_back(one);
  for (const auto& [session, scope] : sessions) drop_copies_in(scope);
}

}  // namespace weft::query

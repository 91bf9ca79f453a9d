#include "weft/query/cost/requests.hpp"

#include <algorithm>
#include <functional>

namespace weft::query {
namespace {

using store::ConversationRequests;
using store::RequestEntry;

bool may_repeat(const RequestEntry& request) {
  return request.is_sidechain || request.request == 0;
}

}  // namespace

std::uint64_t CountedOnce::scope_of(const store::ConversationRow& row) const {
  return rule_ == CopyRule::first_holder ? 0 : std::hash<std::string>()(row.session_id);
}

void CountedOnce::sift(ConversationRequests& one) {
  const std::uint64_t scope = scope_of(one.row);
  std::vector<RequestEntry> aside;
  std::erase_if(one.requests, [&](const RequestEntry& request) {
    if (may_repeat(request)) {
      aside.push_back(request);
      return true;
    }
    const std::uint64_t message = request.message ^ scope;
    if (!counted_.insert(mix_(message, request.request))) return true;
    messages_.push_back(message);
    return false;
  });
  if (!aside.empty()) aside_.push_back({.row = one.row, .requests = std::move(aside)});
}

std::vector<ConversationRequests> CountedOnce::take_rest() {
  const auto name_of = [this](const ConversationRequests& one, const RequestEntry& request) {
    return mix_(request.message ^ scope_of(one.row), 0);
  };
  store::NameSet set_aside;
  for (const ConversationRequests& one : aside_) {
    for (const RequestEntry& request : one.requests) set_aside.insert(name_of(one, request));
  }
  // The messages that are counted, as far as something may repeat them.
  store::NameSet messages;
  for (const std::uint64_t message : messages_) {
    if (set_aside.size() == 0) break;
    if (const std::uint64_t name = mix_(message, 0); set_aside.contains(name)) {
      messages.insert(name);
    }
  }
  for (ConversationRequests& one : aside_) {
    std::erase_if(one.requests, [&](const RequestEntry& request) {
      return !messages.insert(name_of(one, request));
    });
  }
  std::erase_if(aside_, [](const ConversationRequests& one) { return one.requests.empty(); });
  return std::move(aside_);
}

}  // namespace weft::query

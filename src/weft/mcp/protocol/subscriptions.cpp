#include "weft/mcp/protocol/subscriptions.hpp"

#include <algorithm>
#include <array>

namespace weft::mcp {
namespace {

// Of one subscriber. The URI of a conversation has about a hundred bytes.
constexpr std::size_t kMostUris = 1'000;
constexpr std::size_t kMostUriBytes = 512;
constexpr std::size_t kMostUrisBytes = 64u << 10;  // in all

// Whether `uris` may grow by `uri`.
bool has_room(const std::set<std::string>& uris, std::string_view uri) {
  std::size_t bytes = uri.size();
  if (bytes > kMostUriBytes || uris.size() == kMostUris) return false;
  for (const std::string& known : uris) bytes += known.size();
  return bytes <= kMostUrisBytes;
}

struct ListName {
  ListKind kind;
  std::string_view member, method;
};
constexpr std::array<ListName, 3> kLists = {
    {{ListKind::tools, "toolsListChanged", "notifications/tools/list_changed"},
     {ListKind::prompts, "promptsListChanged", "notifications/prompts/list_changed"},
     {ListKind::resources, "resourcesListChanged", "notifications/resources/list_changed"}}};

json::object tagged(const Request& request, json::object params) {
  params["_meta"] = json::object{{kMetaSubscription, request.message().id}};
  return params;
}

}  // namespace

Served<void> Subscriptions::listen(const std::shared_ptr<Request>& request) {
  const json::object* wanted = find_object(request->message().params, "notifications");
  if (wanted == nullptr) {
    return reject(code::kInvalidParams, "subscriptions/listen: notifications is missing");
  }
  Listener listener{.request = request};
  json::object honoured;
  for (const ListName& list : kLists) {
    if (!find_bool(*wanted, list.member).value_or(false)) continue;
    listener.lists.insert(list.kind);
    honoured[list.member] = true;
  }
  if (const json::array* uris = find_array(*wanted, "resourceSubscriptions")) {
    json::array accepted;
    for (const json::value& uri : *uris) {
      if (!uri.is_string() || !has_room(listener.uris, view(uri.get_string()))) continue;
      if (listener.uris.emplace(view(uri.get_string())).second) accepted.push_back(uri);
    }
    honoured["resourceSubscriptions"] = std::move(accepted);
  }
  {
    // The acknowledgement is sent before any change that it enables.
    const std::scoped_lock lock(mutex_);
    request->notify("notifications/subscriptions/acknowledged",
                    tagged(*request, {{"notifications", std::move(honoured)}}));
    if (!request->stop().stop_requested()) listeners_.push_back(std::move(listener));
  }
  return {};
}

void Subscriptions::forget(const Request& request) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(listeners_,
                [&](const Listener& listener) { return listener.request.get() == &request; });
}

Subscriptions::Connected& Subscriptions::connected(const std::shared_ptr<SessionState>& session) {
  std::erase_if(connected_, [](const Connected& one) { return one.session.expired(); });
  for (Connected& one : connected_) {
    if (one.session.lock() == session) return one;
  }
  return connected_.emplace_back(Connected{session});
}

void Subscriptions::connect(const std::shared_ptr<SessionState>& session) {
  const std::scoped_lock lock(mutex_);
  connected(session);
}

void Subscriptions::subscribe(const std::shared_ptr<SessionState>& session, std::string uri) {
  const std::scoped_lock lock(mutex_);
  Connected& one = connected(session);
  if (has_room(one.uris, uri)) one.uris.insert(std::move(uri));
}

void Subscriptions::unsubscribe(const std::shared_ptr<SessionState>& session,
                                const std::string& uri) {
  const std::scoped_lock lock(mutex_);
  connected(session).uris.erase(uri);
}

std::pair<std::vector<Subscriptions::Listener>, std::vector<Subscriptions::Connected>>
Subscriptions::all() const {
  const std::scoped_lock lock(mutex_);
  return {listeners_, connected_};
}

void Subscriptions::notify_changed(const std::vector<std::string>& uris) {
  constexpr std::string_view kUpdated = "notifications/resources/updated";
  const auto [listeners, connected] = all();
  for (const std::string& uri : uris) {
    for (const Listener& listener : listeners) {
      if (!listener.uris.contains(uri)) continue;
      listener.request->notify(kUpdated, tagged(*listener.request, {{"uri", uri}}));
    }
    for (const Connected& one : connected) {
      const std::shared_ptr<SessionState> session = one.session.lock();
      if (!session || !one.uris.contains(uri)) continue;
      session->send(to_notification(kUpdated, {{"uri", uri}}));
    }
  }
}

void Subscriptions::notify_changed(ListKind list) {
  const std::string_view method = std::ranges::find(kLists, list, &ListName::kind)->method;
  const auto [listeners, connected] = all();
  for (const Listener& listener : listeners) {
    if (listener.lists.contains(list)) {
      listener.request->notify(method, tagged(*listener.request, {}));
    }
  }
  for (const Connected& one : connected) {
    if (const auto session = one.session.lock()) session->send(to_notification(method, {}));
  }
}

std::vector<std::string> Subscriptions::subscribed() const {
  std::set<std::string> all;
  const std::scoped_lock lock(mutex_);
  for (const Listener& listener : listeners_)
    all.insert(listener.uris.begin(), listener.uris.end());
  for (const Connected& one : connected_) all.insert(one.uris.begin(), one.uris.end());
  return {all.begin(), all.end()};
}

bool Subscriptions::is_awaited(ListKind list) const {
  const std::scoped_lock lock(mutex_);
  return !connected_.empty() || std::ranges::any_of(listeners_, [&](const Listener& listener) {
    return listener.lists.contains(list);
  });
}

void Subscriptions::close(const std::function<json::object(json::object)>& finish) {
  std::vector<Listener> listeners;
  {
    const std::scoped_lock lock(mutex_);
    listeners = listeners_;
  }
  for (const Listener& listener : listeners) {
    json::object result = finish({});
    result["_meta"].as_object()[kMetaSubscription] = listener.request->message().id;
    listener.request->answer(std::move(result));
  }
}

}  // namespace weft::mcp

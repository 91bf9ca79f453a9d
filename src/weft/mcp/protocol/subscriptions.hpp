// The subscribers of changes: `subscriptions/listen` of the modern era, a request that stays open,
// and `resources/subscribe` of a legacy connection that can be notified.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "weft/mcp/protocol/request.hpp"
#include "weft/mcp/protocol/session.hpp"

namespace weft::mcp {

// Thread-safe.
class Subscriptions {
 public:
  // Acknowledges, and keeps the request open until it is cancelled or closed. invalid_params if it
  // does not name any notifications.
  Served<void> listen(const std::shared_ptr<Request>& request);
  void forget(const Request& request);

  void subscribe(const std::shared_ptr<SessionState>& session, std::string uri);
  void unsubscribe(const std::shared_ptr<SessionState>& session, const std::string& uri);
  // A legacy connection that can be notified is always notified of every list.
  void connect(const std::shared_ptr<SessionState>& session);

  void notify_changed(const std::vector<std::string>& uris);
  void notify_changed(ListKind list);
  std::vector<std::string> subscribed() const;
  bool is_awaited(ListKind list) const;

  // Ends every open request; `finish` builds its result.
  void close(const std::function<json::object(json::object)>& finish);

 private:
  struct Listener {
    std::shared_ptr<Request> request;
    std::set<ListKind> lists{};
    std::set<std::string> uris{};
  };
  struct Connected {
    std::weak_ptr<SessionState> session;
    std::set<std::string> uris{};
  };

  std::pair<std::vector<Listener>, std::vector<Connected>> all() const;
  Connected& connected(const std::shared_ptr<SessionState>& session);

  mutable std::mutex mutex_;
  std::vector<Listener> listeners_;   // guarded by mutex_
  std::vector<Connected> connected_;  // guarded by mutex_
};

}  // namespace weft::mcp

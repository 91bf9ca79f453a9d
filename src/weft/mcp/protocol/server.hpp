// The protocol, independent of transport and features: both eras, requests on a few threads,
// progress, cancellation, subscriptions.
//
//   Server server(all_features(version), &context);
//   Session session(Session::Keeps::state);
//   server.serve(*parse_message(line), session, outlet);
//
// Thread-safe. Transports pass messages in and get answers through an Outlet, from any thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/mcp/protocol/features.hpp"
#include "weft/mcp/protocol/message.hpp"
#include "weft/net/rights.hpp"

namespace weft::mcp {

// Whether a request was served at all: transports with status codes of their own depend on it.
enum class Verdict {
  served,       // with a result, or with an error of serving it
  bad_request,  // refused: unknown version, missing `_meta`, a missing capability
  no_such_method,
};

// The output of one request. May be called from any thread, never by two at once; nothing follows
// answer(), and nothing at all once the request was cancelled.
class Outlet {
 public:
  virtual ~Outlet() = default;
  virtual void notify(std::string message) = 0;
  virtual void answer(std::string message, Verdict verdict) = 0;
};

struct SessionState;

// The client of a transport: one for a process on stdio, a new one for every request over HTTP,
// where nothing is remembered.
class Session {
 public:
  enum class Keeps { nothing, state };
  // `send` receives unsolicited notifications, for legacy subscriptions. Null if there is no way to
  // send them.
  explicit Session(Keeps keeps, std::function<void(std::string message)> send = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  friend class Server;
  std::shared_ptr<SessionState> state_;
};

// An argument of a tool that a client over HTTP repeats in a header of this name.
struct HeaderParameter {
  std::string header, argument;
};

// The lists that may change.
enum class ListKind { tools, prompts, resources };

// A request under way.
class Ticket {
 public:
  virtual ~Ticket() = default;
  // Nobody waits for it any more. Its outlet is not used once this returns.
  virtual void cancel() = 0;
};

class Server {
 public:
  // `context` may be null if the features need none. Both outlive it.
  Server(const Features& features, ServerContext* context);
  ~Server();  // stop()
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Serves a message. Null for messages without an answer: notifications, responses. `outlet` may
  // be null for those.
  std::shared_ptr<Ticket> serve(Message message, Session& session, std::shared_ptr<Outlet> outlet);

  // The mirrored arguments of the tool that a message calls; none for all other messages.
  std::vector<HeaderParameter> header_parameters(const Message& message) const;

  // What the sender of a message must be allowed to: a tool that writes needs `push`, whatever
  // tells of the store `read`. Empty for what everybody may send who may use the server.
  std::optional<net::Right> right_for(const Message& message) const;

  // Notifies subscribers of resources that changed, or of a list that did.
  void notify_changed(const std::vector<std::string>& uris);
  void notify_changed(ListKind list);
  // The resources with subscribers.
  std::vector<std::string> subscribed() const;
  bool is_awaited(ListKind list) const;

  // Ends subscriptions with their result, lets requests under way be answered, then returns; slow
  // requests are cancelled.
  void drain();
  // Cancels everything under way, and waits for it.
  void stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace weft::mcp

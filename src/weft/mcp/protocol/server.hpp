// The protocol, whatever carries it and whatever it offers: both eras, requests on a few threads,
// progress, cancellation, subscriptions.
//
//   Server server(all_features(version), &site);
//   Session session(Session::Keeps::state);
//   server.serve(*parse_message(line), session, outlet);
//
// Thread-safe. Transports hand messages in and get answers through an Outlet, from any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weft/mcp/protocol/features.hpp"
#include "weft/mcp/protocol/message.hpp"

namespace weft::mcp {

// Whether a request was served at all: transports with status codes of their own tell by it.
enum class Verdict {
  served,       // with a result, or with an error that came up in serving it
  bad_request,  // refused as it stands: no such version, missing `_meta`, a missing capability
  no_such_method,
};

// The way back of one request. May be called from any thread, never by two at once; nothing comes
// after answer(), and nothing at all once the request was cancelled.
class Outlet {
 public:
  virtual ~Outlet() = default;
  virtual void notify(std::string message) = 0;
  virtual void answer(std::string message, Verdict verdict) = 0;
};

struct SessionState;

// Who is at the other end of a transport: one for a process on stdio, a new one for every request
// over HTTP, where nothing is remembered.
class Session {
 public:
  enum class Keeps { nothing, state };
  // `send` takes what no request asked for: legacy subscriptions. Null where there is no way.
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
  // `site` may be null where the features need none. Both outlive it.
  Server(const Features& features, ServerContext* context);
  ~Server();  // stop()
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Serves a message. Null for what gets no answer: notifications, responses. `outlet` may be
  // null for those.
  std::shared_ptr<Ticket> serve(Message message, Session& session, std::shared_ptr<Outlet> outlet);

  // Those of the tool that a message calls; none for all other messages.
  std::vector<HeaderParameter> header_parameters(const Message& message) const;

  // Subscribers who want to know are told: of resources that changed, or that a list did.
  void notify_changed(const std::vector<std::string>& uris);
  void notify_changed(ListKind list);
  // The resources that somebody wants to hear of.
  std::vector<std::string> subscribed() const;
  bool is_awaited(ListKind list) const;

  // Ends subscriptions with their result, lets what is under way be answered, then returns;
  // slow requests are cancelled.
  void drain();
  // Cancels all that is under way, and waits for it.
  void stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace weft::mcp

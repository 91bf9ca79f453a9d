// One request while it is served: its arguments, its client, and the ways to send something before
// the answer.
//
// Lives as long as the request; used by one thread at a time. Notifications go on the request's own
// stream, before its answer, and are dropped once it was cancelled.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "weft/mcp/protocol/protocol.hpp"

namespace weft::query {
class PinnedLibrary;
struct Library;
}  // namespace weft::query

namespace weft::mcp {

struct ServerContext;

// The client. Nothing is known of a legacy client over HTTP, which has no session.
struct Client {
  Era era = Era::modern;
  std::string version{kModernVersion};
  json::object capabilities{};
};

class Call {
 public:
  // Sends a notification on the request's stream.
  using Notify = std::function<void(std::string_view method, json::object params)>;

  // `context` may be null if the features need none; the rest is copied.
  Call(json::object params, Client client, ServerContext* context, std::stop_token stop,
       Notify notify);
  ~Call();

  const json::object& params() const { return params_; }
  // The arguments of a tool: checked against its parameters, with defaults filled in
  // (parameter.hpp).
  const json::object& arguments() const { return arguments_; }
  void set_arguments(json::object arguments) { arguments_ = std::move(arguments); }

  const Client& client() const { return client_; }
  ServerContext& context() const { return *context_; }
  // One state of the store for the whole answer, fixed by the first question; secrets are masked.
  // Precondition: there is a context.
  const query::Library& library() const;

  // Once true, nobody waits for the answer: return soon.
  bool is_cancelled() const { return stop_.stop_requested(); }
  const std::stop_token& stop() const { return stop_; }

  // Reports progress, if the client asked for it: only increases, a few times a second at most, and
  // always the last (done == total).
  void progress(double done, std::optional<double> total, std::string_view message = {});
  // Sends a log line, if the client wants lines of this level.
  void log(std::string_view level, json::value data);
  void notify(std::string_view method, json::object params);

 private:
  json::object params_, arguments_;
  Client client_;
  ServerContext* context_;
  mutable std::unique_ptr<query::PinnedLibrary> library_;  // from the first use on
  std::stop_token stop_;
  Notify notify_;
  std::optional<json::value> token_;     // of progress
  std::optional<double> last_progress_;  // progress so far
  std::int64_t last_progress_ms_ = 0;
};

// "debug" to "emergency".
bool is_log_level(std::string_view level);

}  // namespace weft::mcp
